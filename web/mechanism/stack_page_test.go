package mechanism_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFlippingThroughDepth: links, arrow keys and the button cycle through the layers that share weights. Visitors
// who prefer reduced motion have no button.
func TestFlippingThroughDepth(t *testing.T) {
	server := browsertest.ServeStacks(t)
	tab := browsertest.Open(t)
	open := func() {
		tab.Do(chromedp.Navigate(server + "/m/albert?theme=light&text=The+cat+sat"))
		tab.Eventually(`document.documentElement.dataset.ready === 'true'`)
	}
	at := func(layer int) {
		t.Helper()
		tab.Eventually(fmt.Sprintf(`document.querySelector('.depth-text').textContent.startsWith('Layer %d of 3, with the same weights') && document.getElementById('c-layer').value === '%[1]d' && document.querySelector('#map-albert canvas')`, layer))
	}
	open()
	at(1)
	if !browsertest.Ask[bool](tab, `document.getElementById('depth-back').href.includes('layer=3')
		&& document.getElementById('depth-next').href.includes('layer=2') && !document.getElementById('depth-play').hidden`) {
		t.Error("without scripts the links lead elsewhere, or there is no button")
	}
	tab.Do(chromedp.Click(chromedp.CSS("#depth-next")))
	at(2)
	browsertest.Becomes(tab, `document.activeElement.id`, "depth-next")
	tab.Do(chromedp.KeyEvent(kb.ArrowLeft))
	at(1)
	length := browsertest.Ask[int](tab, `history.length`)
	tab.Do(chromedp.Click(chromedp.CSS("#depth-play")))
	at(3)
	if got := browsertest.Ask[string](tab, `document.getElementById('depth-play').getAttribute('aria-pressed') + history.length`); got != fmt.Sprint("true", length) {
		t.Errorf("pressed and history: %s, not true%d", got, length)
	}
	tab.Do(chromedp.Focus(chromedp.CSS("#depth-play")))
	tab.Do(chromedp.KeyEvent(kb.Escape))
	browsertest.Becomes(tab, `document.getElementById('depth-play').textContent`, "Play")
	_, err := chromedp.Call(tab, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion",
			Value: "reduce"}}})
	browsertest.Must(t, err)
	open()
	if !browsertest.Ask[bool](tab, `document.getElementById('depth-play').hidden`) {
		t.Error("there is motion that nobody wants")
	}
	tab.Do(chromedp.Navigate(server + "/m/bert?theme=light"))
	if !browsertest.Ask[bool](tab, `!document.getElementById('depth-box')`) {
		t.Error("bert's layers have weights of their own")
	}
}

// TestStackPagesFitPhones: nothing is wider than the window. All controls are accessible on the wall, on the list and on
// one page; the others have the same template.
func TestStackPagesFitPhones(t *testing.T) {
	server := browsertest.ServeStacks(t)
	tab := browsertest.Open(t)
	tab.Window(390, 900)
	pages := []string{"/?m=bert,universal,sandwich,reversible", "/m", "/m/universal?theme=dark&layer=2"}
	for _, id := range browsertest.StackIDs() {
		pages = append(pages, "/m/"+id)
	}
	for i, page := range pages {
		tab.Visit(server + page)
		if strings.HasPrefix(page, "/m/") {
			tab.Eventually(`document.querySelector('.formula-large math')`)
		}
		tab.Settled()
		over := browsertest.Ask[[]int](tab, `[document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('.formula-large, .formula')].map((f) => f.scrollWidth - f.clientWidth)]`)
		for _, pixels := range over {
			if pixels > 0 {
				t.Errorf("%s: the page or a formula is too wide: %v", page, over)
				break
			}
		}
		if i > 2 {
			continue
		}
		for _, v := range tab.Violations() {
			t.Errorf("%s: %s", page, v)
		}
	}
}
