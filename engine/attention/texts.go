package attention

import (
	"slices"

	"attnatlas/engine/messages"
)

// Texts holds the texts of a mechanism or of a stack.
type Texts struct {
	Name    messages.Message // on the card, such as "Dot product"
	Summary messages.Message // one line, the lead of the card
	// Differences are the differences from the paper, with one or two sentences per line.
	Differences messages.Message
	// Story is the explanation for students, in two to four paragraphs: how the mechanism works,
	// what to look at in its maps, and its limits. Single letters are variables, and "d_h" has a
	// subscript.
	Story messages.Message
}

// Below returns t with missing texts filled in from the catalogue, below an id such as
// "mechanism.dense".
func (t Texts) Below(id string) Texts {
	orBelow(&t.Name, id, "name")
	orBelow(&t.Summary, id, "summary")
	orBelow(&t.Differences, id, "differences")
	orBelow(&t.Story, id, "story")
	return t
}

// ViewsBelow returns the views with missing captions filled in from below an id, such as
// "mechanism.dense.view.weights".
func ViewsBelow(id string, views []View) []View {
	views = slices.Clone(views)
	for i, v := range views {
		orBelow(&views[i].Caption, id, "view."+messages.Key(v.Map))
	}
	return views
}

// OptionsBelow returns the options with missing help texts filled in from below an id, such as
// "mechanism.dense.option.hidden".
func OptionsBelow(id string, options []Option) []Option {
	options = slices.Clone(options)
	for i, o := range options {
		orBelow(&options[i].Help, id, "option."+messages.Key(o.Name))
	}
	return options
}

func orBelow(m *messages.Message, id, name string) {
	if m.IsZero() {
		*m = messages.New(id + "." + name)
	}
}

// message returns a text about mechanisms.
func message(id string, args ...any) messages.Message {
	return messages.New("mechanism."+id, args...)
}

// Captions that several mechanisms share.
var (
	wordReadsWord         = message("shared.word-reads-word")
	wordReadsPosition     = message("shared.word-reads-position")
	positionReadsPosition = message("shared.position-reads-position")
	patternCaption        = message("shared.pattern")
)
