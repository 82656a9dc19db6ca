package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"attnatlas/web/scene"
)

const lookText = `document.getElementById('look').innerText.replace(/\s+/g, ' ').trim()`

// TestFirstView: the line above the maps is one line of a wide window with its number in it, the
// first row of cells begins in the upper third, and what is to be tried works.
func TestFirstView(t *testing.T) {
	ctx := browse(t, "/?theme=light")
	settled(t, ctx)
	if says := ask[string](t, ctx, lookText); !strings.Contains(says, "dot product 0.") || strings.Contains(says, "{{") {
		t.Errorf("it says %q", says)
	}
	if height := ask[float64](t, ctx, `document.querySelector('.look').offsetHeight`); height > 40 {
		t.Errorf("it is %v pixels high", height)
	}
	if top := ask[float64](t, ctx, `document.getElementById('map-dense').getBoundingClientRect().top`); top > 320 {
		t.Errorf("the first row begins at %v", top)
	}
	ask[bool](t, ctx, `document.getElementById('try-swap').click() || true`)
	eventually(t, ctx, `location.search.includes('other=The+bird')`)
	eventually(t, ctx, `document.getElementById('card-random').innerText.includes('bit-identical')`)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `!location.search.includes('other=') && document.getElementById('try-hide')`)
	ask[bool](t, ctx, `document.getElementById('try-hide').click() || true`)
	eventually(t, ctx, `document.getElementById('c-text').value.includes('[MASK]') && document.querySelector('.token.back, .hide.back')`)
}

// TestWalkWithKeys goes through the walk with Enter alone: the focus stays on what leads on.
func TestWalkWithKeys(t *testing.T) {
	ctx := browse(t, "/?theme=light")
	ask[bool](t, ctx, `document.getElementById('look-next').focus() || true`)
	for step := range scene.Walk {
		must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter)))
		of := scene.Walk[step].Claims[0].Mechanism
		eventually(t, ctx, `location.search.includes('walk=`+string(rune('1'+step))+`') && document.querySelector('.told-of')?.dataset.mechanism === '`+of+`'`)
		if step < len(scene.Walk)-1 {
			eventually(t, ctx, `document.activeElement.id === 'look-next'`)
		}
	}
	ask[bool](t, ctx, `document.getElementById('look-next').click() || true`)
	eventually(t, ctx, `!location.search.includes('walk=') && !document.querySelector('.told-of') && !document.getElementById('look-up')`)
}

// TestWalkLeadsBack: the walk ends where it began, with the visitor's text, cards, layer and pin, by its link and by Escape, which takes back
// one thing after the other; what is chosen on the way stays where it belongs.
func TestWalkLeadsBack(t *testing.T) {
	ctx := browse(t, "/?theme=light&text=my+own+words&m=dense,random&layer=2")
	settled(t, ctx)
	clickWord(t, ctx, "own")
	eventually(t, ctx, `location.search.includes('pin=3')`)
	back := func(more string) string {
		return `document.documentElement.dataset.ready === 'true' && location.search === '?` + more + `layer=2&m=dense%2Crandom&pin=3&text=my+own+words&theme=light' && document.getElementById('c-text').value === 'my own words' && !document.getElementById('look-up')`
	}
	begun := `location.search.includes('walk=1') && document.getElementById('look-up') && document.getElementById('c-text').value.startsWith('The cat')`
	ask[bool](t, ctx, `document.getElementById('look-next').click() || true`)
	eventually(t, ctx, begun)
	ask[bool](t, ctx, `(delete sessionStorage.left, addEventListener('click', ({ target }) => { if (target.closest?.('[data-leave]')) sessionStorage.left = Number(sessionStorage.left ?? 0) + 1; }, true), true)`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)))
	eventually(t, ctx, `location.search.includes('walk=1') && !location.search.includes('pin=16')`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), kb.Escape))) // who writes does not leave
	eventually(t, ctx, `document.activeElement.id === 'c-text' && location.search.includes('walk=1')`)
	ask[bool](t, ctx, `document.activeElement.blur() || true`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)))
	eventually(t, ctx, back("")+` && sessionStorage.left === '1'`)
	settled(t, ctx)
	ask[bool](t, ctx, `document.getElementById('look-next').click() || true`)
	eventually(t, ctx, begun)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-layer'); s.value = '2'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.search.includes('walk=1') && location.search.includes('layer=2&') && document.getElementById('look-again')`)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-cmap'); s.value = 'ink'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.search.includes('walk=1') && location.search.includes('cmap=ink')`)
	ask[bool](t, ctx, `setTimeout(() => document.getElementById('look-up').click()) > 0`)
	eventually(t, ctx, back("cmap=ink&"))
}

// TestExampleStaysWhenTheViewChanges: its sentence stays with another layer, in the address, too,
// and says that the text is another one when it is typed.
func TestExampleStaysWhenTheViewChanges(t *testing.T) {
	ctx := browse(t, "/gallery?theme=light")
	ask[bool](t, ctx, `document.querySelector('#agreement h3 a').click() || true`)
	eventually(t, ctx, `document.documentElement.dataset.ready === 'true' && location.search.includes('example=agreement')`)
	says := ask[string](t, ctx, `document.querySelector('.look-says').textContent`)
	if !strings.Contains(says, "children 0.") {
		t.Errorf("it says %q", says)
	}
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-layer'); s.value = '1'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.search.includes('example=agreement') && document.getElementById('look-again') && document.querySelector('.look-says').textContent.includes('children 0.')`)
	ask[bool](t, ctx, `document.getElementById('look-again').click() || true`)
	eventually(t, ctx, `!document.getElementById('look-again') && location.search.includes('layer=4')`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), " And?")))
	eventually(t, ctx, `document.querySelector('.look-note') && !document.querySelector('.look-says').textContent.includes('children 0.')`)
	ask[bool](t, ctx, `document.getElementById('look-next').click() || true`)
	eventually(t, ctx, `location.search.includes('example=whose-dog') && document.getElementById('c-text').value.startsWith('The girl')`)
}

// TestLookWithoutScripts: the line, the walk, the gallery and the index work by links and pictures.
func TestLookWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	drawn := `[...document.querySelectorAll('.gallery-picture img')].length > 20 && [...document.querySelectorAll('.gallery-picture img')].every((i) => i.complete && i.naturalWidth > 0 && i.alt)`
	for _, path := range []string{"/gallery?theme=dark", "/m?text=hello+you"} {
		must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+path)))
		eventually(t, ctx, drawn)
	}
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/?text=my+own+words&m=dense,linear")))
	click := func(id string) {
		eventually(t, ctx, `document.readyState === 'complete'`)
		at := ask[[]float64](t, ctx, `(() => { const b = document.getElementById('`+id+`').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
		must(t, chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])))
	}
	for _, step := range []string{"walk=1", "walk=2", "walk=3"} {
		click("look-next")
		eventually(t, ctx, `location.search.includes('`+step+`') && document.getElementById('look-next') && document.getElementById('c-text').value.startsWith('The cat')`)
	}
	click("look-up")
	eventually(t, ctx, `location.search === '?m=dense%2Clinear&text=my+own+words' && document.getElementById('c-text')?.value === 'my own words'`)
}

// TestSmallMapsAreSmall: in the gallery, no map is higher than wide or a mere line, whatever its rows and columns.
func TestSmallMapsAreSmall(t *testing.T) {
	ctx := browse(t, "/gallery?theme=light")
	for _, width := range []int64{1440, 390} {
		must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)))
		eventually(t, ctx, `innerWidth === `+strconv.FormatInt(width, 10)+` && document.querySelectorAll('.gallery-picture img').length > 20`)
		if odd := ask[[]string](t, ctx, `[...document.querySelectorAll('.gallery-item')].filter((item) => {
			const b = item.querySelector('img').getBoundingClientRect();
			return b.height > b.width + 1 || b.height < 20;
		}).map((item) => item.id)`); len(odd) > 0 {
			t.Errorf("in a window of %d pixels these are too high or too low: %v", width, odd)
		}
	}
}

// TestMechanismPagesBeginWithMaps, and a citation is whole on the page.
func TestMechanismPagesBeginWithMaps(t *testing.T) {
	ctx := browse(t, "/m/dense?theme=light")
	settled(t, ctx)
	if top := ask[float64](t, ctx, `document.getElementById('map-dense').getBoundingClientRect().top`); top > 420 {
		t.Errorf("its maps begin at %v", top)
	}
	if card, beside := box(t, ctx, "#card-dense"), box(t, ctx, "#learned"); beside[0] < card[2] || beside[1] > card[3] || beside[3] < (card[1]+card[3])/2 {
		t.Errorf("how well it guesses is at %v, not beside the map, which is at %v", beside, card)
	}
	if cut := ask[bool](t, ctx, `(() => { const b = document.getElementById('bibtex'); return b.scrollWidth > b.clientWidth || !b.textContent.includes('Donald Metzler'); })()`); cut {
		t.Error("the citation is cut")
	}
	if !ask[bool](t, ctx, `!document.querySelector('.copy-text').hidden`) {
		t.Error("it cannot be copied")
	}
}
