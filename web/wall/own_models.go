package wall

import (
	"attnatlas/engine/messages"
	"attnatlas/web/site"
)

// ownNote says on a card of the wall how the visitor's model differs; its page has the details.
func (p *View) ownNote(e *site.Mechanism) messages.Message {
	unlike := p.Site.Unlike(e.ID)
	switch {
	case unlike == nil || p.At != nil:
		return messages.Message{}
	case p.Site.ShippedForm(e):
		return messages.New("own.note-formula", "unlike", unlike)
	}
	return messages.New("own.note", "unlike", unlike)
}
