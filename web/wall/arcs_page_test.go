package wall_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestArcsAreProportional: the width of an arc is proportional to its value. Scripts draw the server's arcs, and
// the arcs of another row under the pointer; stages are always a map.
func TestArcsAreProportional(t *testing.T) {
	tab := browsertest.Open(t)
	server := browsertest.Server(t).URL
	tab.Visit(server + "/?draw=arcs&pin=9&theme=light&m=dense,linformer,shuffle-exchange")
	const widths = `[...%s.querySelectorAll('#map-%s path')].map((p) => p.getAttribute('d').split(' ').at(-1) + ' ' + Number(p.getAttribute('stroke-width')) + ' ' + (p.getAttribute('class') ?? ''))`
	for _, id := range []string{"dense", "linformer"} {
		now := browsertest.Ask[[]string](tab, fmt.Sprintf(widths+".sort()", "document", id))
		sent := browsertest.Ask[[]string](tab, `fetch(location.href).then((r) => r.text()).then((html) => { const page = new DOMParser().parseFromString(html, 'text/html'); return `+fmt.Sprintf(widths, "page", id)+`.sort(); })`)
		if len(now) < 2 || len(now) != len(sent) {
			t.Fatalf("%s: %d arcs, the server sends %d", id, len(now), len(sent))
		}
		for i := range now {
			var y, wide, y2, wide2 float64
			fmt.Sscan(now[i], &y, &wide)
			fmt.Sscan(sent[i], &y2, &wide2)
			if math.Abs(y-y2) > 0.011 || math.Abs(wide-wide2) > 0.011 ||
				strings.Contains(now[i], "negative") != strings.Contains(sent[i], "negative") {
				t.Errorf("%s: arc %q, the server sends %q", id, now[i], sent[i])
			}
		}
	}
	value := func(col int) float64 {
		return browsertest.Value(t, server, browsertest.MapCell{ID: "dense", Map: "weights", Row: 8, Col: col})
	}
	best := 0.0
	for col := range 19 {
		best = max(best, value(col))
	}
	for _, arc := range browsertest.Ask[[]string](tab, fmt.Sprintf(widths, "document", "dense")) {
		var y, wide float64
		fmt.Sscan(arc, &y, &wide)
		want := 5 * value(int(y*19/100)) / best
		if math.Abs(wide-want) > 0.006 {
			t.Errorf("the arc to %v is %v wide, its value says %v", y, wide, want)
		}
	}
	if !browsertest.Ask[bool](tab, `!document.querySelector('#map-shuffle-exchange .arcs')
		&& document.querySelector('#card-shuffle-exchange .legend').textContent.includes('arcs need amounts')`) {
		t.Error("of stages there are arcs, or it is not said why not")
	}
	tab.Settled()
	tab.ClickWord("it")
	tab.Eventually(pinShown + ` === '' && document.querySelectorAll('.word[aria-pressed=true]').length === 0`)
	x, y := tab.Cell("dense", 2, 3)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(pairText + ` === 'cat3 attends most to'
		&& [...document.querySelectorAll('#map-dense path')].every((p) => p.getAttribute('d').startsWith('M0 13.16'))`)
	tab.Do(chromedp.MouseClickXY(x, y))
	tab.Eventually(pinShown + ` === '3'`)
	tab.Eventually(`document.querySelector('#card-dense a.export').href.includes('draw=arcs')
		&& document.querySelector('#card-dense a.export').href.includes('pin=3')`)
}

// TestWordsAreColouredByTheRow: words are coloured by the row of the first mechanism, or of the one that was
// hovered over or chosen in the read-out. Text is readable in both themes, also without scripts.
func TestWordsAreColouredByTheRow(t *testing.T) {
	tab := browsertest.Open(t)
	// the darkest words are the first words of the marked line in the read-out
	const strongest = `words.darkest() === readout.strongest()`
	for _, theme := range []string{"light", "dark"} {
		path := browsertest.Server(t).URL + "/?head=mean&pin=9&m=dense,random,dot-product&theme=" + theme
		tab.Visit(path)
		tab.Eventually(`document.querySelectorAll('.token.tinted').length === 19
			&& document.querySelector('.reading.seen').dataset.mechanism === 'dense'`)
		if got := browsertest.Ask[float64](tab, `words.contrast()`); got < 4.5 {
			t.Errorf("%s: a contrast of %.2f", theme, got)
		}
		if theme == "light" {
			tab.Eventually(strongest) // as dense attends
		}
		tab.Trigger(`.reading[data-mechanism="random"]`)
		tab.Eventually(`document.querySelector('.reading.seen').dataset.mechanism === 'random'`)
		if theme == "light" {
			tab.Eventually(strongest) // as learned random attends
		}
	}
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/?head=mean&pin=9&m=dense&theme=light&draw=arcs"))
	tab.Eventually(`document.querySelectorAll('.token .tint').length === 19
		&& document.querySelectorAll('#map-dense path').length > 1`)
	if got := browsertest.Ask[float64](tab, `words.contrast()`); got < 4.5 {
		t.Errorf("without scripts a contrast of %.2f", got)
	}
}
