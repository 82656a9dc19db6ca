package compare_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
)

const progressText = `document.getElementById('progress').textContent`

// TestComparedInfluenceIsAwaited: while two influences are measured, the old maps say at once what they show, and
// the comparison is marked as busy. Then everything is as requested.
func TestComparedInfluenceIsAwaited(t *testing.T) {
	tab := browsertest.Open(t)
	g, server := browsertest.Gated(t, browsertest.Dear, func(r *http.Request) bool {
		return r.URL.Path == "/compare" && r.URL.Query().Get("a") == "fastformer" && r.URL.Query().Get("show") == "influence"
	})
	tab.Visit(server.URL + "/compare?a=dense&b=random&text=the+cat+sat")
	choose := func(id, value, want string) {
		got := browsertest.Ask[string](tab, fmt.Sprintf(`set(%q, %q, 'change') && busy() + figures.labels()`, id, value))
		if !strings.HasPrefix(got, "true") || strings.Count(got, want) != 3 {
			t.Errorf("%s=%s: it says %s", id, value, got)
		}
	}
	choose("c-show", "influence", "This is attention. Influence is being measured.")
	const there = `document.querySelectorAll('.card .map canvas.under').length === 3 && !document.querySelector('[data-stale], #compared[aria-busy]')`
	tab.Eventually(`document.querySelectorAll('.map[data-map="influence"] canvas').length && ` + there)
	choose("c-a", "fastformer", "This is the previous influence. The new one is being measured.")
	browsertest.Awaited(t, g.Arrived)
	tab.Eventually(`document.querySelectorAll('[data-stale]').length === 3
		&& document.getElementById('name-a').textContent.includes('Dense')`)
	g.Open <- struct{}{}
	tab.Eventually(`document.getElementById('name-a').textContent.includes('Fastformer') && ` + there)
}

// TestComparedMapsComeOneByOne: each map of a comparison arrives when it is measured, with the number of finished
// maps. The difference arrives with the last map. A cancelled measurement keeps the finished map and can continue.
func TestComparedMapsComeOneByOne(t *testing.T) {
	for _, show := range []string{"influence", "value-zeroing"} {
		t.Run(show, func(t *testing.T) {
			tab := browsertest.Open(t)
			g, server := browsertest.Gated(t, browsertest.Dear, func(r *http.Request) bool {
				return r.URL.Path == "/compare" && r.Header.Get("Atlas-Only") == "a"
			})
			tab.Visit(server.URL + "/compare?a=dense&b=random&text=the+cat+sat&show=" + show)
			browsertest.Awaited(t, g.Arrived)
			const one = `document.querySelectorAll('#card-b .map canvas.under').length === 1 && document.querySelector('#card-a .measuring') && document.querySelector('#card-difference .refusal-text').textContent.includes('when both maps are there') && !document.querySelector('#compared .facts')`
			tab.Eventually(progressText + `.startsWith('1 of 2') && ` + one)
			tab.Trigger("#progress .cancel")
			browsertest.Awaited(t, g.Departed)
			tab.Eventually(progressText + `.startsWith('Cancelled: 1 of 2') && document.activeElement.matches('.resume')
				&& ` + one)
			browsertest.Ask[bool](tab, `document.activeElement.click() || true`)
			browsertest.Awaited(t, g.Arrived)
			g.Open <- struct{}{}
			tab.Eventually(`document.querySelectorAll('.card .map canvas.under').length === 3
				&& document.querySelectorAll('#compared .fact').length > 1 && ` + progressText + ` === '' && !document.querySelector('.measuring')`)
		})
	}
}
