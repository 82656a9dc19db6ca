package messages

import (
	"cmp"
	"slices"
	"strings"
)

// Term is an entry of the glossary: a term of the field, its definition, and its forms in texts.
type Term struct {
	ID, Name, Says string
	Forms          []string // its name and its other forms
}

const termPrefix = "glossary.term."

// Terms returns the glossary of the language, sorted by name.
func (l *Language) Terms() []Term {
	var all []Term
	for id := range l.Templates(termPrefix) {
		id, ok := strings.CutSuffix(strings.TrimPrefix(id, termPrefix), ".name")
		if !ok {
			continue
		}
		t := Term{ID: id, Name: l.T(termPrefix + id + ".name"), Says: l.T(termPrefix + id + ".says")}
		t.Forms = []string{t.Name}
		if also := termPrefix + id + ".also"; l.texts[also] != nil {
			t.Forms = append(t.Forms, l.Lines(New(also))...)
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b Term) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all
}
