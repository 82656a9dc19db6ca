package wall_test

import (
	"strings"
	"testing"

	"attnatlas/web/browsertest"
	"attnatlas/web/scene"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const lookText = `document.getElementById('look').innerText.replace(/\s+/g, ' ').trim()`

// TestFirstView: the line above the maps fits into one line of a wide window, with its number. The first row of
// cells begins in the upper third, and the suggested links work.
func TestFirstView(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light")
	tab.Settled()
	if says := browsertest.Ask[string](tab, lookText); !strings.Contains(says, "dog gives cat a weight of 0.") ||
		strings.Contains(says, "{{") {
		t.Errorf("it says %q", says)
	}
	if height := browsertest.Ask[float64](tab, `document.querySelector('.look').offsetHeight`); height > 40 {
		t.Errorf("it is %v pixels high", height)
	}
	if top := browsertest.Ask[float64](tab, `document.getElementById('map-dense').getBoundingClientRect().top`); top > 320 {
		t.Errorf("the first row begins at %v", top)
	}
	tab.Trigger("#second-open")
	tab.Eventually(`location.search.includes('other=The+bird')`)
	tab.Eventually(`document.getElementById('card-random').innerText.includes('bit-identical')`)
	tab.Back(1)
	tab.Eventually(`!location.search.includes('other=') && document.getElementById('try-hide')`)
	tab.Trigger("#try-hide")
	tab.Eventually(`document.getElementById('c-text').value.includes('[MASK]')
		&& document.querySelector('.token.back, .hide.back')`)
}

// TestWalkWithKeys goes through the tour with Enter only: the focus stays on the link to the next step.
func TestWalkWithKeys(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light")
	browsertest.Ask[bool](tab, `document.getElementById('look-next').focus() || true`)
	for step := range scene.Walk {
		tab.Do(chromedp.KeyEvent(kb.Enter))
		of := scene.Walk[step].Claims[0].Mechanism
		tab.Eventually(`location.search.includes('walk=` + string(rune('1'+step)) +
			`') && document.querySelector('.told-of')?.dataset.mechanism === '` + of + `'`)
		if step < len(scene.Walk)-1 {
			tab.Eventually(`document.activeElement.id === 'look-next'`)
		}
	}
	tab.Trigger("#look-next")
	tab.Eventually(`!location.search.includes('walk=') && !document.querySelector('.told-of')
		&& !document.getElementById('look-up')`)
}

// TestWalkLeadsBack: the tour ends where it began, with the visitor's text, cards, layer and pin: by its link, or
// by Escape, which undoes one thing at a time. Choices during the tour stay there.
func TestWalkLeadsBack(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&text=my+own+words&m=dense,random&layer=2")
	tab.Settled()
	tab.ClickWord("own")
	tab.Eventually(`location.search.includes('pin=3')`)
	back := func(more string) string {
		return `document.documentElement.dataset.ready === 'true' && location.search === '?` + more +
			`layer=2&m=dense%2Crandom&pin=3&text=my+own+words&theme=light' && document.getElementById('c-text').value === 'my own words' && !document.getElementById('look-up')`
	}
	begun := `location.search.includes('walk=1') && document.getElementById('look-up') && document.getElementById('c-text').value.startsWith('The cat')`
	tab.Trigger("#look-next")
	tab.Eventually(begun)
	browsertest.Ask[bool](tab, `(delete sessionStorage.left, addEventListener('click', ({ target }) => { if (target.closest?.('[data-leave]')) sessionStorage.left = Number(sessionStorage.left ?? 0) + 1; }, true), true)`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`location.search.includes('walk=1') && !location.search.includes('pin=16')`)
	browsertest.Must(t, chromedp.Do(tab, chromedp.SendKeys(chromedp.CSS("#c-text"),
		kb.Escape))) // Escape does not end the tour while the visitor types
	tab.Eventually(`document.activeElement.id === 'c-text' && location.search.includes('walk=1')`)
	browsertest.Ask[bool](tab, `document.activeElement.blur() || true`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(back("") + ` && sessionStorage.left === '1'`)
	tab.Settled()
	tab.Trigger("#look-next")
	tab.Eventually(begun)
	browsertest.Ask[bool](tab, `(() => { const s = document.getElementById('c-layer'); s.value = '2'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	tab.Eventually(`location.search.includes('walk=1') && location.search.includes('layer=2&')
		&& document.getElementById('look-again')`)
	browsertest.Ask[bool](tab, `(() => { const s = document.getElementById('c-cmap'); s.value = 'ink'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	tab.Eventually(`location.search.includes('walk=1') && location.search.includes('cmap=ink')`)
	browsertest.Ask[bool](tab, `setTimeout(() => document.getElementById('look-up').click()) > 0`)
	tab.Eventually(back("cmap=ink&"))
}

// TestExampleStaysWhenTheViewChanges: the sentence and its address stay with another layer. The page says when the
// text is another one.
func TestExampleStaysWhenTheViewChanges(t *testing.T) {
	tab := browsertest.Browse(t, "/gallery?theme=light")
	tab.Trigger("#agreement h3 a")
	tab.Eventually(`document.documentElement.dataset.ready === 'true' && location.search.includes('example=agreement')`)
	says := browsertest.Ask[string](tab, `document.querySelector('.look-says').textContent`)
	if !strings.Contains(says, "children with 0.") {
		t.Errorf("it says %q", says)
	}
	browsertest.Ask[bool](tab, `(() => { const s = document.getElementById('c-layer'); s.value = '1'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	tab.Eventually(`location.search.includes('example=agreement') && document.getElementById('look-again')
		&& document.querySelector('.look-says').textContent.includes('children with 0.')`)
	tab.Trigger("#look-again")
	tab.Eventually(`!document.getElementById('look-again') && location.search.includes('layer=3')`)
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-text"), " And?"))
	tab.Eventually(`document.querySelector('.look-note') && !document.querySelector('.look-says').textContent.includes('children with 0.')`)
	tab.Trigger("#look-next")
	tab.Eventually(`location.search.includes('example=whose-dog')
		&& document.getElementById('c-text').value.startsWith('The girl')`)
}

// TestLookWithoutScripts: the line, the tour, the gallery and the index work with links and pictures.
func TestLookWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	drawn := `[...document.querySelectorAll('.gallery-picture img')].length > 20 && [...document.querySelectorAll('.gallery-picture img')].every((i) => i.complete && i.naturalWidth > 0 && i.alt)`
	for _, path := range []string{"/gallery?theme=dark", "/m?text=hello+you"} {
		tab.Do(chromedp.Navigate(browsertest.Server(t).URL + path))
		tab.Eventually(drawn)
	}
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/?text=my+own+words&m=dense,linear"))
	click := func(id string) {
		tab.Eventually(`document.readyState === 'complete'`)
		at := browsertest.Ask[[]float64](tab, `(() => { const b = document.getElementById('`+id+
			`').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
		tab.Do(chromedp.MouseClickXY(at[0], at[1]))
	}
	for _, step := range []string{"walk=1", "walk=2", "walk=3"} {
		click("look-next")
		tab.Eventually(`location.search.includes('` + step +
			`') && document.getElementById('look-next') && document.getElementById('c-text').value.startsWith('The cat')`)
	}
	click("look-up")
	tab.Eventually(`location.search === '?m=dense%2Clinear&text=my+own+words'
		&& document.getElementById('c-text')?.value === 'my own words'`)
}
