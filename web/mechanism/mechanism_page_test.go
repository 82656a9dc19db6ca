package mechanism_test

import (
	"fmt"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestMechanismPageFollowsTheHand: a small picture, the text and Back lead to the same page in
// another state, without reloading it.
func TestMechanismPageFollowsTheHand(t *testing.T) {
	tab := browsertest.Browse(t, "/m/dot-product?theme=light")
	browsertest.Ask[bool](tab, `Boolean(window.stays = true)`)
	// 2 layers × (mean + 4 heads)
	tab.Eventually(`[...document.querySelectorAll('.thumb img')].filter((i) => i.complete
		&& i.naturalWidth > 10).length === 10`)
	before := browsertest.Ask[string](tab, `document.querySelector('#map-dot-product canvas.under').toDataURL()`)
	tab.Trigger(".thumb-table tbody tr:nth-child(2) td:nth-child(4) a")
	tab.Eventually(`location.pathname === '/m/dot-product' && location.search.includes('layer=2')
		&& location.search.includes('head=2')`)
	tab.Eventually(`document.querySelector('.thumb[aria-current=true] img').alt === 'Layer 2, head 2'`)
	tab.Eventually(fmt.Sprintf(`document.querySelector('#map-dot-product canvas.under').toDataURL() !== %q`, before))
	browsertest.Becomes(tab, `document.getElementById('c-head').value`, "2")
	tab.Do(chromedp.Focus(chromedp.CSS("#c-text")))
	browsertest.Ask[bool](tab, `document.getElementById('c-text').select() || true`)
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-text"), "seven words"))
	tab.Eventually(`document.querySelectorAll('.token').length === 4
		&& document.getElementById('costs').innerText.includes('operations for 4 tokens')`)
	tab.Eventually(`[...document.querySelectorAll('#thumbs a, #neighbours a')].every((a) => a.href.includes('seven'))`)
	browsertest.Ask[bool](tab, `document.getElementById('map-dot-product').scrollIntoView({ block: 'center' }) === undefined`)
	tab.Settled()
	x, y := tab.Cell("dot-product", 1, 2)
	tab.Do(chromedp.MouseClickXY(x, y))
	tab.Eventually(`location.pathname === '/m/dot-product' && location.search.includes('pin=2.3')`)
	tab.Back(2)
	tab.Eventually(`document.querySelectorAll('.token').length === 19
		&& document.querySelector('#map-dot-product canvas')`)
	if !browsertest.Ask[bool](tab, `window.stays === true`) {
		t.Error("the page was loaded anew")
	}
}

// TestFormulasFit: every formula of the catalogue is MathML in the mathematical font, and not wider
// than a card or a phone.
func TestFormulasFit(t *testing.T) {
	tab := browsertest.Browse(t, "/m?theme=light")
	tab.Eventually(`[...document.fonts].some((f) => f.family.includes('STIX Two Math') && f.status === 'loaded')`)
	tab.Settled()
	if got := browsertest.Ask[int](tab, `[...document.querySelectorAll('.index-list .formula')].filter((f) => f.querySelector('math')).length`); got != len(attention.Catalog)+len(encoder.Stacks) {
		t.Errorf("%d formulas are MathML", got)
	}
	for _, width := range []int{300, 360} {
		wide := browsertest.Ask[[]string](tab, fmt.Sprintf(`(() => {
			for (const p of document.querySelectorAll('.formula')) { p.style.width = '%dpx'; p.style.fontSize = '15.6px'; }
			return [...document.querySelectorAll('.formula')].filter((p) => p.scrollWidth > p.clientWidth).map((p) => p.closest('li').dataset.mechanism);
		})()`, width))
		if len(wide) > 0 {
			t.Errorf("wider than %d pixels: %v", width, wide)
		}
	}
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/m/dot-product"))
	tab.Eventually(`document.querySelector('.formula-large math mfrac msqrt')`)
	tab.Eventually(`document.querySelector('.formula-large mfrac').getBoundingClientRect().height >= 40`)
}

// TestEverythingElseIsDrawn: the other maps are drawn without opening a fold.
func TestEverythingElseIsDrawn(t *testing.T) {
	tab := browsertest.Browse(t, "/m/mixture-rv?head=1")
	tab.Eventually(`document.querySelectorAll('.shelf .view').length === 6
		&& [...document.querySelectorAll('.shelf .sheet')].every((s) => s.querySelector('canvas'))`)
	tab.Trigger(".thumb-table tbody tr:nth-child(2) td:nth-child(3) a")
	tab.Eventually(`document.querySelector('.thumb[aria-current=true] img').alt === 'Layer 2, head 1'
		&& document.querySelector('.shelf').dataset.src.includes('layer=2') && document.querySelector('.shelf .sheet canvas')`)
}

// TestMechanismPagesBeginWithMaps: mechanism pages begin with maps, and show the whole citation.
func TestMechanismPagesBeginWithMaps(t *testing.T) {
	tab := browsertest.Browse(t, "/m/dense?theme=light")
	tab.Settled()
	if top := browsertest.Ask[float64](tab, `document.getElementById('map-dense').getBoundingClientRect().top`); top > 420 {
		t.Errorf("its maps begin at %v", top)
	}
	if card, beside := tab.Box("#card-dense"), tab.Box("#learned"); beside[0] < card[2] || beside[1] > card[3] ||
		beside[3] < (card[1]+card[3])/2 {
		t.Errorf("how well it guesses is at %v, not beside the map, which is at %v", beside, card)
	}
	if cut := browsertest.Ask[bool](tab, `(() => { const b = document.getElementById('bibtex'); return b.scrollWidth > b.clientWidth || !b.textContent.includes('Donald Metzler'); })()`); cut {
		t.Error("the citation is cut")
	}
	if !browsertest.Ask[bool](tab, `!document.querySelector('.copy-text').hidden`) {
		t.Error("it cannot be copied")
	}
}
