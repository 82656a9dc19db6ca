package method_test

import (
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/engine/method"
)

// TestCatalog: every method is complete, and its texts exist.
func TestCatalog(t *testing.T) {
	ids := messages.English.IDs()
	places := map[int]string{}
	for _, m := range method.Catalog() {
		if other := places[m.Place]; other != "" || m.Place < 1 {
			t.Errorf("%s has place %d, as %q has: give it one of its own, from 1", m.Name, m.Place, other)
		}
		places[m.Place] = m.Name
		if len(m.Views) == 0 || m.Views[0].Map != m.Name || m.Formula == "" || m.Measure == nil {
			t.Errorf("%s lacks a formula, a measure or a view of its own name", m.Name)
		}
		if method.Find(m.Name) != m {
			t.Errorf("%s is the name of two methods", m.Name)
		}
		for _, id := range []string{
			"show.NAME.label", "show.NAME.help", "method.NAME", "method-brief.NAME", "method-api.NAME", "noun.NAME",
			"noun.plural.NAME",
			"caption.NAME", "verb.NAME", "reading.most.NAME", "script.pair.row.NAME", "script.pair.column.NAME",
		} {
			if id = strings.Replace(id, "NAME", m.Name, 1); !slices.Contains(ids, id) {
				t.Errorf("write the text %s in engine/messages/en/methods/%s.toml", id, m.Name)
			}
		}
	}
}
