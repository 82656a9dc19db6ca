package wall_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/web/webtest"
)

// TestOrderOfCards: cards have the order of the address, also after a form is submitted, whose check boxes have
// their own order. New cards come last. Without cards, the wall says so.
func TestOrderOfCards(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, want := range map[string]string{
		"m=gpt2,bert,fastformer,dot-product":                                    "gpt2 bert fastformer dot-product",
		"m=dot-product&m=fastformer&m=linear&m=gpt2&order=gpt2,fastformer,bert": "gpt2 fastformer dot-product linear",
		"m=":                "",
		"order=gpt2,random": "",
	} {
		w := webtest.Get(s, "/?text=a&"+query)
		doc := webtest.Parse(t, w)
		var ids []string
		for _, n := range webtest.All(doc, "article.card") {
			id, _ := webtest.Attr(n, "data-mechanism")
			ids = append(ids, id)
		}
		if got := strings.Join(ids, " "); got != want || w.Code != http.StatusOK {
			t.Errorf("%s: %d, %q, want %q", query, w.Code, got, want)
		}
		if said := webtest.Present(doc, "p.message No mechanism is selected"); said != (want == "") {
			t.Errorf("%s: the page says that nothing is chosen: %v", query, said)
		}
		order := webtest.All(doc, "input[name=order]")
		if value, _ := webtest.Attr(order[0], "value"); value != strings.ReplaceAll(want, " ", ",") {
			t.Errorf("%s: the form has the order %q", query, value)
		}
	}
}
