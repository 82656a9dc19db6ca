package wall_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const hiddenWord = "/?m=dense,dot-product&text=The+cat+sat+on+the+mat+because+it+%5BMASK%5D+tired.&was=was"

// TestRaceByHand: a key opens the board, and arrows move the mask. Typing updates all predictions, a row adds its
// card, and Esc closes everything.
func TestRaceByHand(t *testing.T) {
	tab := browsertest.Browse(t, hiddenWord)
	browsertest.Ask[bool](tab, `Boolean(window.stays = true)`)
	tab.Do(chromedp.KeyEvent("r"))
	tab.Eventually(fmt.Sprintf(`race.rows() === %d`, racerCount()) +
		` && /[?&]race=1(&|$)/.test(location.search) && document.activeElement.id === 'race'`)
	tab.Do(chromedp.KeyEvent(kb.ArrowRight))
	tab.Eventually(`shown.text() === 'The cat sat on the mat because it was [MASK].' && race.says().includes('tired')`)
	tab.Do(chromedp.KeyEvent(kb.ArrowLeft))
	tab.Eventually(`shown.text() === 'The cat sat on the mat because it [MASK] tired.' && race.says().includes('was')`)
	browsertest.Becomes(tab, `document.activeElement.id`, "race")
	tab.Eventually(`document.getElementById('c-text').value.includes('it [MASK] tired')`)
	before := browsertest.Ask[string](tab, `race.first()`)
	tab.Do(chromedp.Focus(chromedp.CSS("#c-text")))
	browsertest.Ask[bool](tab, `document.getElementById('c-text').setSelectionRange(4, 7) || true`)
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-text"), "dogs"))
	tab.Eventually(fmt.Sprintf(`shown.text().startsWith('The dogs sat') && race.rows() === %d && race.first() !== %q`,
		racerCount(), before))
	tab.Trigger("#race-to-bert")
	tab.Eventually(`document.querySelector('#card-bert .map') && document.querySelector('#race-bert').matches('.chosen')
		&& ` + fmt.Sprintf(`race.rows() === %d`, racerCount()))
	browsertest.Ask[bool](tab, `document.getElementById('race').focus() || true`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`race.rows() === 0 && !location.search.includes('race') && shown.text().includes('[MASK]')`)
	if !browsertest.Ask[bool](tab, `window.stays === true`) {
		t.Error("the page was loaded anew")
	}
}

// TestRaceOfEveryWordByHand: all words are masked in turn. A slow answer can be cancelled while the board is
// marked as the previous one; then the last answer stays.
func TestRaceOfEveryWordByHand(t *testing.T) {
	tab := browsertest.Browse(t, hiddenWord+"&race=1")
	tab.Trigger("#race-every")
	turns := fmt.Sprintf(`race.turns() === %d * 11`, racerCount())
	tab.Eventually(turns + ` && document.getElementById('race-stop').hidden`)
	tab.Eventually(`[...document.querySelectorAll('#race .turn')].every((cell) => getComputedStyle(cell).opacity === '1')`) // the colour tells how likely, the tick that it is right
	browsertest.Ask[bool](tab, `Boolean(window.usual = window.fetch)`)
	browsertest.Ask[bool](tab, `Boolean(window.fetch = (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))`)
	tab.Trigger("#race-every")
	tab.Eventually(`!document.getElementById('race-stop').hidden
		&& document.getElementById('race-former').checkVisibility() && document.querySelector('#race[aria-busy=true]')`)
	tab.Do(chromedp.Click(chromedp.CSS("#race-stop")))
	tab.Eventually(`document.getElementById('race-stop').hidden
		&& !document.getElementById('controls').hasAttribute('aria-busy') && document.getElementById('race-former').hidden && !document.querySelector('#race[aria-busy=true]')`)
	tab.Eventually(`document.getElementById('message').textContent.startsWith('Stopped') && ` + turns +
		` && location.search.includes('race=all')`)
	browsertest.Ask[bool](tab, `Boolean(window.fetch = window.usual)`)
	tab.Trigger("#race .race-word a")
	tab.Eventually(fmt.Sprintf(`race.rows() === %d`, racerCount()) +
		` && shown.text() === '[MASK] cat sat on the mat because it was tired.'`)
}

// racing serves the mechanisms' models behind a gate that holds requests for more rows of the board. Predicting
// every word is slow for each model, and among equally slow models the first comes first.
func racing(t *testing.T) (browsertest.Gate, *httptest.Server) {
	cost := func(r engine.Request) engine.Cost {
		if !r.Race.Turns {
			return engine.Cost{}
		}
		return engine.Cost{Operations: 2e10 * float64(len(r.Mechanisms))}
	}
	return browsertest.Gated(t, cost, func(r *http.Request) bool { return r.Header.Get("Atlas-Only") == "race" })
}

// TestRaceOfEveryWordRowByRow: the first model's row comes with the page. The others arrive one by one, each at
// its rank, with the number of finished rows. A cancelled board keeps its rows and can continue to the end.
func TestRaceOfEveryWordRowByRow(t *testing.T) {
	tab := browsertest.Open(t)
	g, server := racing(t)
	tab.Visit(server.URL + "/?m=dense,random&race=all&text=the+cat+sat+on+the+mat")
	browsertest.Awaited(t, g.Arrived)
	racers := browsertest.Ask[int](tab, `race.rows()`)
	says := func(what string, n int) {
		t.Helper()
		tab.Eventually(fmt.Sprintf(`race.guessed().length === %d && race.waiting() === %d && race.sorted()
			&& race.progress().includes('%s: %d of %d models are done')`, n, racers-n, what, n, racers))
	}
	says("Predictions", 1)
	browsertest.Ask[bool](tab, `document.getElementById('race-to-dense').focus() || true`)
	g.Open <- struct{}{}
	says("Predictions", 2)
	browsertest.Awaited(t, g.Arrived)
	browsertest.Becomes(tab, `document.activeElement.id`, "race-to-dense")
	tab.Trigger("#race-progress .cancel")
	browsertest.Awaited(t, g.Departed)
	tab.Eventually(`document.activeElement.matches('#race-progress .resume')`)
	says("Cancelled", 2)
	browsertest.Ask[bool](tab, `document.activeElement.click() || true`)
	for n := 2; n < racers; n++ {
		browsertest.Awaited(t, g.Arrived)
		says("Predictions", n)
		g.Open <- struct{}{}
	}
	tab.Eventually(fmt.Sprintf(`race.guessed().length === %d && race.waiting() === 0 && race.progress() === ''
		&& race.sorted() && !race.says().includes('So far')`, racers))
}

// TestRaceOfEveryWordLeavesOff: another text ends the requests for the previous text, and has its own board.
func TestRaceOfEveryWordLeavesOff(t *testing.T) {
	tab := browsertest.Open(t)
	g, server := racing(t)
	tab.Visit(server.URL + "/?m=dense,random&race=all&text=the+cat")
	browsertest.Awaited(t, g.Arrived)
	browsertest.Ask[bool](tab, `(document.getElementById('c-text').value = 'a dog', document.getElementById('controls').requestSubmit(), true)`)
	browsertest.Awaited(t, g.Departed)
	browsertest.Awaited(t, g.Arrived) // of the new text
	tab.Eventually(`race.turns() === 2 && race.progress().includes('Predictions: 1 of')
		&& [...document.querySelectorAll('.race-word')].map((w) => w.textContent.trim()).join() === 'a,dog'`)
	tab.Trigger("#race-close")
	browsertest.Awaited(t, g.Departed)
	tab.Eventually(`race.rows() === 0 && race.progress() === ''`)
}

// TestRaceOfEveryWordWithoutScripts: a link leads to the whole board.
func TestRaceOfEveryWordWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	_, server := racing(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(server.URL + "/?m=dense,random&race=all&text=the+cat"))
	tab.Eventually(`document.readyState === 'complete' && document.querySelector('.race-waits')
		&& document.getElementById('rest')?.checkVisibility()`)
	tab.Do(chromedp.Click(chromedp.CSS("#rest")))
	tab.Eventually(`document.readyState === 'complete' && race.rows() > 9 && race.turns() === 2 * race.rows()
		&& !document.querySelector('.race-waits')`)
}

// TestRaceIsAccessible: on a desktop, on a phone and in presentations, light and dark.
func TestRaceIsAccessible(t *testing.T) {
	tab := browsertest.Open(t)
	for query, widths := range map[string][]int64{"&race=1&theme=light": {1440, 900, 360}, "&race=1&theme=dark": {1440},
		"&race=1&present=1&theme=light": {1440}, "&race=all&theme=light": {1440, 360}, "&race=all&theme=dark": {1440}} {
		for _, width := range widths {
			tab.Window(width, 900)
			tab.Visit(browsertest.Server(t).URL + hiddenWord + query)
			tab.Fits(query)
			if over := browsertest.Ask[int](tab, `race.over()`); over > 0 {
				t.Errorf("%s: the board is %d pixels wider than its frame at %d", query, over, width)
			}
			for _, v := range tab.Violations() {
				t.Errorf("%s at %d pixels: %s", query, width, v)
			}
		}
	}
}

// TestRaceWithoutScripts: links open the board, mask a word, move the mask, and close the board.
func TestRaceWithoutScripts(t *testing.T) {
	server := browsertest.ServeFolder(t, browsertest.Folder(t, "dot-product", "bert", "gpt2"))
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(server + "/?m=dot-product,bert&text=" + url.QueryEscape("The cat sat on the mat.")))
	step := func(selector, then string) {
		t.Helper()
		tab.Eventually(`document.readyState === 'complete'`)
		tab.Do(chromedp.Click(chromedp.CSS(selector)))
		tab.Eventually(then)
	}
	step("#changes summary", `document.getElementById('race-open').checkVisibility()`)
	step("#race-open", `race.rows() === 3 && shown.text().includes('[MASK]')`)
	hidden := browsertest.Ask[string](tab, `shown.text()`)
	to := "#race-next"
	if !browsertest.Ask[bool](tab, `Boolean(document.querySelector('#race-next'))`) {
		to = "#race-previous"
	}
	step(to, `race.rows() === 3 && shown.text()`+fmt.Sprintf(" !== %q", hidden))
	step("#race-to-gpt2", `document.querySelector('#card-gpt2') && race.rows() === 3`)
	step("#race-close", `race.rows() === 0`)
}

// racerCount returns the number of models that predict words. The encoder–decoder writes instead.
func racerCount() int { return len(browsertest.OwnModels()) - 1 }
