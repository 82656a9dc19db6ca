package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestOrderOfCards is that of the address, also when a form is sent, whose check boxes have an order of their own;
// what is new comes last, and without any there is a wall without cards that says so.
func TestOrderOfCards(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for query, want := range map[string]string{
		"m=gpt2,bert,fastformer,dot-product":                                    "gpt2 bert fastformer dot-product",
		"m=dot-product&m=fastformer&m=linear&m=gpt2&order=gpt2,fastformer,bert": "gpt2 fastformer dot-product linear",
		"m=":                "",
		"order=gpt2,random": "",
	} {
		w := get(s, "/?text=a&"+query)
		doc := parse(t, w)
		var ids []string
		for _, n := range all(doc, "article.card") {
			id, _ := attr(n, "data-mechanism")
			ids = append(ids, id)
		}
		if got := strings.Join(ids, " "); got != want || w.Code != http.StatusOK {
			t.Errorf("%s: %d, %q, want %q", query, w.Code, got, want)
		}
		if said := present(doc, "p.message No mechanism is chosen"); said != (want == "") {
			t.Errorf("%s: the page says that nothing is chosen: %v", query, said)
		}
		order := all(doc, "input[name=order]")
		if value, _ := attr(order[0], "value"); value != strings.ReplaceAll(want, " ", ",") {
			t.Errorf("%s: the form has the order %q", query, value)
		}
	}
}
