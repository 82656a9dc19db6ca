package mechanism

import (
	"attnatlas/web/site"
)

// ownStory returns the paragraphs before a story that refers to another model than the one on the
// page.
func (p *page) ownStory(e *site.Mechanism) []string {
	if !p.Site.Own || p.Site.Model(e.ID) == nil {
		return nil
	}
	unlike := p.Site.Unlike(e.ID)
	switch {
	case unlike == nil:
		return []string{p.T("own.story-same")}
	case p.Site.ShippedForm(e):
		return []string{p.T("own.story-formula", "unlike", unlike)}
	}
	return []string{p.T("own.story", "unlike", unlike)}
}

// differencesOf names the model of the differences, if it is not the one on the page.
func (p *page) differencesOf(e *site.Mechanism) string {
	if !p.Site.Own || p.Site.Model(e.ID) == nil {
		return ""
	}
	if unlike := p.Site.Unlike(e.ID); unlike != nil {
		return p.T("own.differences", "unlike", unlike)
	}
	return p.T("own.differences-same")
}
