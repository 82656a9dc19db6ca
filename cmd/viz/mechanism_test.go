package main

import (
	"fmt"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"

	"github.com/chromedp/chromedp"
)

// TestMechanismPageFollowsTheHand: a small picture, the text and Back lead to
// the same page in another state, without loading it anew.
func TestMechanismPageFollowsTheHand(t *testing.T) {
	ctx := browse(t, "/m/dot-product?theme=light")
	ask[bool](t, ctx, `Boolean(window.stays = true)`)
	// 2 layers × (mean + 4 heads)
	eventually(t, ctx, `[...document.querySelectorAll('.thumb img')].filter((i) => i.complete && i.naturalWidth > 10).length === 10`)
	before := ask[string](t, ctx, `document.querySelector('#map-dot-product canvas.under').toDataURL()`)
	ask[bool](t, ctx, `document.querySelector('.thumb-table tbody tr:nth-child(2) td:nth-child(4) a').click() || true`)
	eventually(t, ctx, `location.pathname === '/m/dot-product' && location.search.includes('layer=2') && location.search.includes('head=2')`)
	eventually(t, ctx, `document.querySelector('.thumb[aria-current=true] img').alt === 'Layer 2, head 2'`)
	eventually(t, ctx, fmt.Sprintf(`document.querySelector('#map-dot-product canvas.under').toDataURL() !== %q`, before))
	becomes(t, ctx, `document.getElementById('c-head').value`, "2")
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#c-text"))))
	ask[bool](t, ctx, `document.getElementById('c-text').select() || true`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), "seven words")))
	eventually(t, ctx, `document.querySelectorAll('.token').length === 4 && document.getElementById('costs').innerText.includes('operations for 4 tokens')`)
	eventually(t, ctx, `[...document.querySelectorAll('#thumbs a, #neighbours a')].every((a) => a.href.includes('seven'))`)
	ask[bool](t, ctx, `document.getElementById('map-dot-product').scrollIntoView({ block: 'center' }) === undefined`)
	settled(t, ctx)
	x, y := centre(t, ctx, "dot-product", 1, 2)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(x, y)))
	eventually(t, ctx, `location.pathname === '/m/dot-product' && location.search.includes('pin=2.3')`)
	ask[bool](t, ctx, `history.go(-2) || true`)
	eventually(t, ctx, `document.querySelectorAll('.token').length === 19 && document.querySelector('#map-dot-product canvas')`)
	if !ask[bool](t, ctx, `window.stays === true`) {
		t.Error("the page was loaded anew")
	}
}

// TestDisclosureStaysOpen while the text changes.
func TestDisclosureStaysOpen(t *testing.T) {
	ctx := browse(t, "/")
	ask[bool](t, ctx, `document.querySelector('#background-dense summary').click() || true`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), " And?")))
	eventually(t, ctx, `document.querySelectorAll('.token').length === 21`)
	eventually(t, ctx, `document.getElementById('background-dense').open && !document.getElementById('background-random').open`)
}

// TestFormulasFit: every formula of the catalogue is set as mathematics, in the
// font for it, and is not wider than a card of the wall or a phone.
func TestFormulasFit(t *testing.T) {
	ctx := browse(t, "/m?theme=light")
	eventually(t, ctx, `[...document.fonts].some((f) => f.family.includes('STIX Two Math') && f.status === 'loaded')`)
	settled(t, ctx)
	if got := ask[int](t, ctx, `[...document.querySelectorAll('.index-list .formula')].filter((f) => f.querySelector('math')).length`); got != len(attention.Catalog)+len(encoder.Stacks) {
		t.Errorf("%d formulas are MathML", got)
	}
	for _, width := range []int{300, 360} {
		wide := ask[[]string](t, ctx, fmt.Sprintf(`(() => {
			for (const p of document.querySelectorAll('.formula')) { p.style.width = '%dpx'; p.style.fontSize = '15.6px'; }
			return [...document.querySelectorAll('.formula')].filter((p) => p.scrollWidth > p.clientWidth).map((p) => p.closest('li').dataset.mechanism);
		})()`, width))
		if len(wide) > 0 {
			t.Errorf("wider than %d pixels: %v", width, wide)
		}
	}
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/m/dot-product")))
	eventually(t, ctx, `document.querySelector('.formula-large math mfrac msqrt')`)
	eventually(t, ctx, `document.querySelector('.formula-large mfrac').getBoundingClientRect().height >= 40`)
}

// TestLargeFormulasFitPhones: none scrolls, none widens the page.
func TestLargeFormulasFitPhones(t *testing.T) {
	ctx := tab(t)
	server := pages(t).URL
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 900)))
	for _, e := range attention.Catalog {
		must(t, chromedp.Do(ctx, chromedp.Navigate(server+"/m/"+e.ID)))
		eventually(t, ctx, `document.querySelector('.formula-large math')`)
		settled(t, ctx)
		over := ask[[]int](t, ctx, `(() => { const f = document.querySelector('.formula-large'); return [f.scrollWidth - f.clientWidth, document.documentElement.scrollWidth - innerWidth]; })()`)
		if over[0] > 0 || over[1] > 0 {
			t.Errorf("%s: the formula is %d pixels wider than its frame, the page %d wider than the window", e.ID, over[0], over[1])
		}
	}
}

// TestEverythingElseIsDrawn: the maps beside the main one, without opening anything.
func TestEverythingElseIsDrawn(t *testing.T) {
	ctx := browse(t, "/m/mixture-rv?head=1")
	eventually(t, ctx, `document.querySelectorAll('.shelf .view').length === 6 && [...document.querySelectorAll('.shelf .sheet')].every((s) => s.querySelector('canvas'))`)
	ask[bool](t, ctx, `document.querySelector('.thumb-table tbody tr:nth-child(2) td:nth-child(3) a').click() || true`)
	eventually(t, ctx, `document.querySelector('.thumb[aria-current=true] img').alt === 'Layer 2, head 1' && document.querySelector('.shelf').dataset.src.includes('layer=2') && document.querySelector('.shelf .sheet canvas')`)
}
