package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// shownHead is what a card says of the head that it shows, and the small map that is marked.
func shownHead(id string) string {
	return fmt.Sprintf(`(document.querySelector('#card-%[1]s .heads-says').firstChild.textContent.trim() + ' | ' + document.querySelector('#card-%[1]s .head[aria-current=true]').textContent)`, id)
}

// TestHeadsOfCards: a small map gives its card a head, by hand and by key, which keep the focus
// and the other cards; Back takes it away; the control for all means all.
func TestHeadsOfCards(t *testing.T) {
	ctx := tab(t)
	visit(t, ctx, pages(t).URL+"/?m=dot-product,random&text=the+old+man+and+the+sea")
	sharpest := ask[[]string](t, ctx, `['dot-product', 'random'].map((id) => document.querySelector('#card-' + id + ' .head.sharpest').textContent)`)
	for i, id := range []string{"dot-product", "random"} {
		eventually(t, ctx, shownHead(id)+fmt.Sprintf(` === 'Head %[1]s of 4, the sharpest | %[1]s'`, sharpest[i]))
	}
	settled(t, ctx) // so that canvases keep their sizes
	const pixels = `document.querySelector('#map-%s canvas.under').toDataURL()`
	before, beside := ask[string](t, ctx, fmt.Sprintf(pixels, "random")), ask[string](t, ctx, fmt.Sprintf(pixels, "dot-product"))
	becomes(t, ctx, `[...document.querySelectorAll('.heads-sheet')].map((s) => { const c = s.querySelector('canvas'); return s.querySelector('img') ? 0 : c.width / c.height; })`, []int{5, 5})
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#head-random-mean"))))
	eventually(t, ctx, shownHead("random")+` === 'Mean of 4 heads | mean' && location.search.includes('random.head=mean')`)
	eventually(t, ctx, fmt.Sprintf(pixels, "random")+fmt.Sprintf(` !== %q`, before))
	if got := ask[string](t, ctx, fmt.Sprintf(pixels, "dot-product")); got != beside {
		t.Error("the card beside has changed")
	}
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#map-random")), chromedp.KeyEvent("="), chromedp.KeyEvent("=")))
	eventually(t, ctx, shownHead("random")+` === 'Head 2 | 2' && location.search.includes('random.head=2') && document.activeElement.id === 'map-random'`)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#head-random-4")), chromedp.KeyEvent(kb.Enter)))
	eventually(t, ctx, shownHead("random")+` === 'Head 4 | 4' && document.activeElement.id === 'head-random-4'`)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, shownHead("random")+` === 'Head 2 | 2'`)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#c-text")), chromedp.KeyEvent("ran ")))
	eventually(t, ctx, `document.querySelectorAll('.token').length === 9 && location.search.includes('random.head=2')`)
	ask[bool](t, ctx, `{ const c = document.getElementById('c-head'); c.value = '3'; c.dispatchEvent(new Event('change', { bubbles: true })) }`)
	eventually(t, ctx, shownHead("random")+` === 'Head 3 | 3' && `+shownHead("dot-product")+` === 'Head 3 | 3'`)
	if got := ask[string](t, ctx, `location.search`); strings.Contains(got, "random.head") {
		t.Error(got)
	}
}

// TestHeadsTogether: where heads have no maps of their own there is nothing to choose, and the
// choice is kept.
func TestHeadsTogether(t *testing.T) {
	ctx := tab(t)
	visit(t, ctx, pages(t).URL+"/?m=random,shuffle-exchange&show=rollout&head=2&random.head=3&text=one+two+three")
	const says = `[...document.querySelectorAll('.heads-says')].map((p) => p.textContent.trim()).join()`
	becomes(t, ctx, says+` + document.querySelectorAll('.head').length + document.getElementById('c-head').textContent`, "All heads together0all together")
	ask[bool](t, ctx, `{ const c = document.getElementById('c-show'); c.value = 'maps'; c.dispatchEvent(new Event('change', { bubbles: true })) }`)
	eventually(t, ctx, shownHead("random")+` === 'Head 3 | 3' && location.search.includes('head=2') && `+says+`.endsWith('Without heads')`)
}
