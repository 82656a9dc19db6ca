package wall_test

import (
	"fmt"
	"slices"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSweep: dragging over words, or Shift with an arrow key, pins the mean of their rows, and the address names
// it. One step back undoes it, and Esc unpins.
func TestSweep(t *testing.T) {
	server := browsertest.Server(t).URL
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?theme=light&layer=1&m=dense,random")
	at := func(word string) (x, y float64) {
		b := tab.Box(`.token[data-label="` + word + `"] .word`)
		return (b[0] + b[2]) / 2, (b[1] + b[3]) / 2
	}
	x, y := at("cat")
	tab.Do(chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft))
	for _, word := range []string{"sat", "on"} {
		x, y = at(word)
		tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft,
			func(p *input.DispatchMouseEventParams) { p.Buttons = 1 }))
	}
	tab.Do(chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft))
	browsertest.Becomes(tab, `new URL(location.href).searchParams.get('pin')`, "3-5")
	browsertest.Becomes(tab, `[...document.querySelectorAll('.token.is-reader')].map((one) => one.dataset.label).join(' ')`,
		"cat sat on")
	browsertest.Becomes(tab, `document.getElementById('pair').textContent`,
		"cat3 sat4 on5 (mean of 3 rows) attends most to")

	values, cols := browsertest.Values(t, server, "dense", "weights")
	mean := make([]float64, cols)
	for row := 2; row < 5; row++ {
		for col := range cols {
			mean[col] += values[row*cols+col] / 3
		}
	}
	most := slices.Max(mean)
	label := browsertest.Ask[string](tab, fmt.Sprintf(`document.querySelectorAll('#tokens > *')[%d].dataset.label`,
		slices.Index(mean, most)))
	tab.Eventually(fmt.Sprintf(`document.querySelector('.reading[data-mechanism=dense] dd').textContent.startsWith(%q)`,
		label+" "+messages.Number(most)))

	tab.Do(chromedp.Focus(chromedp.CSS(`.token[data-label="mat"] .word`)))
	tab.Do(chromedp.KeyEvent(kb.ArrowLeft, chromedp.KeyModifiers(chromedp.ModifierShift)))
	browsertest.Becomes(tab, `new URL(location.href).searchParams.get('pin')`, "6-7")
	tab.Do(chromedp.KeyEvent(kb.ArrowLeft, chromedp.KeyModifiers(chromedp.ModifierShift)))
	browsertest.Becomes(tab, `new URL(location.href).searchParams.get('pin')`, "5-7")
	tab.Back(1)
	browsertest.Becomes(tab, `new URL(location.href).searchParams.get('pin')`, "3-5")
	tab.Eventually(`document.querySelectorAll('.token.is-reader').length === 3`)
	tab.Visit(server + "/?layer=1&m=dense&pin=3-5")
	tab.Eventually(`document.querySelectorAll('.token.is-reader').length === 3`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`!new URL(location.href).searchParams.has('pin')`)
}
