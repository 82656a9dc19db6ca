package wall_test

import (
	"net/http"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
)

// TestEmptiedText: an empty text field keeps the last maps, dimmed, with a hint, and sends no request. Other
// controls apply to the last text, and the next letter ends the dimming.
func TestEmptiedText(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&m=dense,random&text=a+cat+sat")
	tab.Settled()
	const cards = `document.querySelectorAll('.card').length`
	const dim = `getComputedStyle(document.getElementById('cards')).opacity`
	before := browsertest.Ask[string](tab, `location.href`)
	tab.Slide("c-text", "")
	tab.Eventually(dim + ` === '0.4' && document.getElementById('c-text').placeholder.includes('last text')`)
	browsertest.Ask[bool](tab, `new Promise((done) => setTimeout(() => done(true), 600))`)
	if now := browsertest.Ask[string](tab, `location.href`); now != before {
		t.Error(before, now)
	}
	if n := browsertest.Ask[int](tab, cards); n != 2 {
		t.Error(n, "cards")
	}
	tab.Choose("c-layer", "2")
	tab.Eventually(`location.search.includes('layer=2') && location.search.includes('a+cat+sat') && ` + cards +
		` === 2 && ` + dim + ` === '0.4'`)
	tab.Rewrite("the dog ran")
	tab.Eventually(dim + ` === '1' && !document.getElementById('c-text').placeholder.includes('last text')`)
}

// TestSlowAnswer: an answer that takes longer than a fifth of a second is shown as pending, and nothing moves
// meanwhile.
func TestSlowAnswer(t *testing.T) {
	tab := browsertest.Open(t)
	g, server := browsertest.Gated(t, nil, func(r *http.Request) bool {
		return strings.Contains(r.URL.RawQuery,
			"slowly") && r.URL.Path == "/"
	})
	tab.Visit(server.URL + "/?theme=light&m=dense&text=a+cat+sat")
	tab.Settled()
	const bar = `getComputedStyle(document.getElementById('controls'), '::before')`
	place := func() string {
		return browsertest.Ask[string](tab, `JSON.stringify(['#cards', '#c-text', '.map'].map((s) => document.querySelector(s).getBoundingClientRect()))`)
	}
	before := place()
	if shown := browsertest.Ask[string](tab, bar+`.opacity`); shown != "0" {
		t.Error("before:", shown)
	}
	browsertest.Ask[bool](tab, `typing.timed()`)
	tab.Slide("c-text", "a cat sat slowly")
	browsertest.Awaited(t, g.Arrived)
	tab.Eventually(bar + `.opacity === '1' && getComputedStyle(document.getElementById('cards')).opacity === '0.6'`)
	if took := browsertest.Ask[float64](tab, `window.marked - window.asked`); took < 190 {
		t.Errorf("the page says after %.0f ms that it waits", took)
	}
	if now := place(); now != before {
		t.Error(before, now)
	}
	g.Open <- struct{}{}
	tab.Eventually(`shown.text() === 'a cat sat slowly' && ` + bar + `.opacity === '0'`)
}
