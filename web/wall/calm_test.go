package wall_test

import (
	"slices"
	"strconv"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// mostControls is the number of controls that a first visit shows, besides the words of the text and of the cards.
const mostControls = 14

// controlsInSight lists the visible controls above the cards and in the read-out, by their text.
const controlsInSight = `[...document.querySelectorAll(':is(a[href], button, summary, select, input, textarea)')]
	.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.cards, .tokens, .switcher, .foot, .skip'))
	.map((one) => (one.ariaLabel ?? one.innerText ?? '').trim().replace(/\s+/g, ' ') || one.id)`

// TestFirstVisitIsCalm: few controls are visible at every size, with and without scripts. The read-out at the
// bottom is hidden until a cell is hovered over.
func TestFirstVisitIsCalm(t *testing.T) {
	tab := browsertest.Open(t)
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {390, 844}} {
		tab.Sized(size[0], size[1], "/?theme=light")
		if seen := browsertest.Ask[[]string](tab, controlsInSight); len(seen) > mostControls || len(seen) < 10 {
			t.Errorf("%v: %d controls are in sight: %q", size, len(seen), seen)
		}
		tab.Fits("the first view")
		bar := `document.getElementById('readout').checkVisibility({ visibilityProperty: true })`
		browsertest.Becomes(tab, bar, false)
		tab.ClickWord("cat")
		browsertest.Becomes(tab, bar, true)
		tab.Trigger("#unpin")
		browsertest.Ask[bool](tab, `document.activeElement.blur() || true`)
		tab.Do(chromedp.MouseClickXY(2, 2)) // away from the word
		browsertest.Becomes(tab, bar, false)
	}
}

// TestFirstVisitWithoutScripts: there is one more control, which submits the text. Every menu opens, and its
// choices are applied.
func TestFirstVisitWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Window(1440, 900)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/?theme=light"))
	tab.Eventually(`document.readyState === 'complete'`)
	seen := browsertest.Ask[[]string](tab, controlsInSight)
	if len(seen) > mostControls+1 || !slices.ContainsFunc(seen, func(s string) bool { return s == "Update ⏎" }) {
		t.Errorf("%d controls are in sight: %q", len(seen), seen)
	}
	tab.Do(chromedp.Click(chromedp.CSS("#display summary")))
	tab.Eventually(`document.getElementById('c-layer').checkVisibility()`)
	browsertest.Ask[bool](tab, `Boolean(document.getElementById('c-layer').value = '2')`)
	tab.Do(chromedp.Click(chromedp.CSS(".controls .render")))
	tab.Eventually(`document.readyState === 'complete' && location.search.includes('layer=2')
		&& document.getElementById('displayed').textContent.includes('2')`)
	tab.Do(chromedp.Click(chromedp.CSS("#changes summary")))
	tab.Do(chromedp.Click(chromedp.CSS("#try-block")))
	tab.Eventually(`document.readyState === 'complete' && location.search.includes('cut=')`)
}

// TestMenusWithKeys: the menus follow the text in the Tab order, open with Enter, contain links, and close with
// Escape.
func TestMenusWithKeys(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light")
	tab.Settled()
	tab.Do(chromedp.Focus(chromedp.CSS("#c-text")))
	for _, id := range []string{"examples", "mechanisms", "changes", "display"} {
		tab.Do(chromedp.KeyEvent(kb.Tab))
		browsertest.Becomes(tab, `document.activeElement.matches('summary') && document.activeElement.parentElement.id`, id)
	}
	tab.Do(chromedp.KeyEvent(kb.Enter))
	tab.Eventually(`document.getElementById('display').open`)
	tab.Do(chromedp.KeyEvent(kb.Tab))
	browsertest.Becomes(tab, `document.activeElement.id`, "c-show")
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`!document.getElementById('display').open && document.activeElement.matches('#display > summary')`)
}

// mapsInSight checks the positions of the maps of cards against the height of the window.
const mapsInSight = `[...document.querySelectorAll('.card .map')].map((map) => map.getBoundingClientRect()).every((b) => b.top < innerHeight && (innerWidth < 800 || b.bottom <= innerHeight))`

// TestBlankOpensFilled: one click masks a content word and shows the predictions next to all maps. One more click
// masks the next word.
func TestBlankOpensFilled(t *testing.T) {
	tab := browsertest.Open(t)
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {390, 844}} {
		tab.Sized(size[0], size[1], "/?theme=light&text=The+cat+sat+on+the+mat.")
		tab.Trigger("#try-race")
		tab.Eventually(`race.rows() > 9 && /^The (\[MASK\] sat on the mat|cat \[MASK\] on the mat|cat sat on the \[MASK\])\.$/.test(shown.text())`)
		tab.Settled()
		browsertest.Becomes(tab, mapsInSight, true)
		if b := tab.Box("#race tbody tr"); b[3] > float64(size[1]) {
			t.Errorf("%v: the first guess is at %v", size, b)
		}
		before := browsertest.Ask[string](tab, `shown.text()`)
		tab.Trigger("#race-next")
		tab.Eventually(`race.rows() > 9 && shown.text().includes('[MASK]') && shown.text() !== ` + strconv.Quote(before))
		tab.Sized(size[0], size[1], "/?theme=light&race=1&was=saw&text=The+cat+sat+on+the+mat+because+it+was+tired%2C+and+the+dog+%5BMASK%5D+it.")
		tab.Settled()
		browsertest.Becomes(tab, mapsInSight, true)
	}
}

// TestStepsShowTheirEffect: in tour steps that change a word, the first screen has the described card with its
// changed rows. The rows flash once, but not if the visitor prefers reduced motion.
func TestStepsShowTheirEffect(t *testing.T) {
	tab := browsertest.Open(t)
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {390, 844}} {
		tab.Sized(size[0], size[1], "/?theme=light")
		for step, rows := range []int{-1, 19, 0, 1} {
			tab.Trigger("#look-next")
			tab.Eventually(`location.search.includes('walk=` + strconv.Itoa(step+1) + `') && document.querySelector('.told-of') && !document.getElementById('controls').hasAttribute('aria-busy')`)
			if rows < 0 {
				continue
			}
			browsertest.Becomes(tab, `document.querySelectorAll('.told-of .changed-row').length`, rows)
			tab.Eventually(`document.querySelector('.told-of .change-rows').textContent === '` + strconv.Itoa(rows) + ` of 19 rows'`)
			tab.Eventually(`(() => { const b = document.querySelector('.told-of .map').getBoundingClientRect(), bar = document.getElementById('readout').getBoundingClientRect();
				return b.top >= 0 && b.bottom <= bar.top && b.left >= 0 && b.right <= innerWidth; })()`)
			browsertest.Becomes(tab, `[...document.querySelectorAll('.changed-row')].filter((row) => getComputedStyle(row).animationName === 'row-changed').length`, rows)
		}
	}
}
