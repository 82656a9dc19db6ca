package attention

import (
	"slices"

	"attnatlas/engine/messages"
)

// Texts are what pages say of a mechanism or of a stack.
type Texts struct {
	Name    messages.Message // on the card: "Dot product"
	Summary messages.Message // one line: "ignores your words"
	// Differences are those from the paper, a sentence or two on each line.
	Differences messages.Message
	// Story is the explanation for students, in two to four paragraphs: how it works, what
	// to look at in its maps, its limits. Single letters are variables, "d_h" has a
	// subscript.
	Story messages.Message
}

// Below is t with the texts of the catalogue below an id, such as "mechanism.dense", for
// those that are not set.
func (t Texts) Below(id string) Texts {
	orBelow(&t.Name, id, "name")
	orBelow(&t.Summary, id, "summary")
	orBelow(&t.Differences, id, "differences")
	orBelow(&t.Story, id, "story")
	return t
}

// ViewsBelow are the views with the captions below an id, "mechanism.dense.view.weights", for
// those that have none.
func ViewsBelow(id string, views []View) []View {
	views = slices.Clone(views)
	for i, v := range views {
		orBelow(&views[i].Caption, id, "view."+messages.Key(v.Map))
	}
	return views
}

// OptionsBelow are the options with the help below an id, "mechanism.dense.option.hidden", for
// those that have none.
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

// message is a text of the mechanisms.
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
