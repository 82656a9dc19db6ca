package wall_test

import (
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestStacksInTheBrowser: opened maps of an architecture are drawn next to those of its layers, with the values of
// the API. A deeper layer keeps the cards of the other models.
func TestStacksInTheBrowser(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Do(chromedp.Navigate(browsertest.ServeStacks(t) + "/?theme=light&m=universal,sandwich,gpt2&text=The+cat+sat"))
	tab.Eventually(`document.documentElement.dataset.ready === 'true'`)
	browsertest.Ask[bool](tab, `document.querySelectorAll('.more > summary').forEach((s) => s.click()) || true`)
	tab.Eventually(`[...document.querySelectorAll('.view .sheet')].length >= 10
		&& [...document.querySelectorAll('.view .sheet')].every((s) => s.querySelector('canvas'))`)
	p := newPage(t, tab)
	p.point("universal", "running", 0, 1)
	p.says("universal", "running", "step 1 · The: goes on", "step 1 · The: halts")
	p.point("sandwich", "residual norms", 2, 1)
	p.says("sandwich", "residual norms", "3 f · The: ")
	p.point("sandwich", "sublayers", 0, 2)
	p.says("sandwich", "sublayers", "3 f: f: feed-forward sublayer")
	tab.Choose("c-show", "rollout")
	tab.Eventually(`location.search.includes('show=rollout')
		&& document.querySelectorAll('.map[data-map=rollout] canvas.under').length === 3`)
}
