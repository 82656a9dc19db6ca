package attention_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// textsOf returns all messages of an entry; missing ones are zero.
func textsOf(e attention.Entry, c attention.Config) []messages.Message {
	all := []messages.Message{
		e.Name, e.Summary, e.Differences, e.Story, e.NoWeights, e.NoRollout, e.NoValues, e.NoSum, e.NoHeads, e.Cut,
		e.Masks.NoPadding, e.Masks.NoCausal, e.Masks.NoPairs, e.Masks.EmptyRow.Text,
	}
	for _, v := range e.Views {
		all = append(all, v.Caption)
	}
	for _, o := range e.Options {
		all = append(all, o.Help, o.Allowed())
	}
	for _, f := range e.Forms {
		all = append(all, f.Source, f.Text)
	}
	for n := 1; n <= c.Length; n++ {
		if e.Note != nil {
			all = append(all, e.Note(c, n))
		}
		all = append(all, e.Complete(c, n, c.Length), e.Complete(c, n, 512))
		if e.Sizes != nil {
			for _, s := range e.Sizes(c, n) {
				all = append(all, s.Meaning)
			}
		}
	}
	return all
}

// TestTexts: every message of a mechanism has a text, and every text in the files of mechanisms
// belongs to a message. Package messages tests that all languages have them.
func TestTexts(t *testing.T) {
	ids, said := messages.English.IDs(), map[string]bool{}
	for _, e := range attention.Catalog {
		for _, m := range textsOf(e, small) {
			for _, id := range m.IDs() {
				if said[id] = true; !slices.Contains(ids, id) {
					t.Errorf("%s: there is no text %s", e.ID, id)
				}
			}
		}
	}
	files, err := os.ReadDir("../messages/en/mechanisms")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		of := "mechanism." + strings.TrimSuffix(f.Name(), "toml")
		for _, id := range ids {
			if strings.HasPrefix(id, of) && !said[id] {
				t.Errorf("no mechanism says %s", id)
			}
		}
	}
}

// TestNamesOnMaps: classes, axes and their labels have texts.
func TestNamesOnMaps(t *testing.T) {
	ids := messages.English.IDs()
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		s := newSubject(t, e, c, 1, 5)
		_, run := s.run(nn.Mask{}, s.x, true)
		for _, m := range run.Steps {
			var all []messages.Message
			for _, class := range m.Classes {
				all = append(all, figure.ClassName(class))
			}
			for _, axis := range m.Axes {
				all = append(all, figure.Title(axis))
				for i := range axis.Labels {
					all = append(all, figure.Label(axis, i))
				}
			}
			for _, m := range all {
				for _, id := range m.IDs() {
					if !slices.Contains(ids, id) {
						t.Errorf("there is no text %s", id)
					}
				}
			}
		}
	})
}
