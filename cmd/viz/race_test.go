package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"attnatlas/engine"
	"attnatlas/web/api"
)

const (
	raceHidden = "/?m=dense,dot-product&text=The+cat+sat+on+the+mat+because+it+%5BMASK%5D+tired.&was=was"
	raceRows   = `document.querySelectorAll('#race tbody tr').length`
	raceFirst  = `document.querySelector('#race tbody tr').textContent`
)

// TestRaceByHand: a key opens the board, arrows move the hidden word, typing has all models guess
// anew, a row adds its card, and Esc closes it all.
func TestRaceByHand(t *testing.T) {
	ctx := browse(t, raceHidden)
	ask[bool](t, ctx, `Boolean(window.stays = true)`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("r")))
	eventually(t, ctx, raceRows+` === 25 && /[?&]race=1(&|$)/.test(location.search) && document.activeElement.id === 'race'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)))
	eventually(t, ctx, textShown+` === 'The cat sat on the mat because it was [MASK].' && document.getElementById('race-says').textContent.includes('tired')`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowLeft)))
	eventually(t, ctx, textShown+` === 'The cat sat on the mat because it [MASK] tired.' && document.getElementById('race-says').textContent.includes('was')`)
	becomes(t, ctx, `document.activeElement.id`, "race")
	eventually(t, ctx, `document.getElementById('c-text').value.includes('it [MASK] tired')`)
	before := ask[string](t, ctx, raceFirst)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#c-text"))))
	ask[bool](t, ctx, `document.getElementById('c-text').setSelectionRange(4, 7) || true`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), "dogs")))
	eventually(t, ctx, textShown+`.startsWith('The dogs sat') && `+raceRows+` === 25 && `+raceFirst+fmt.Sprintf(" !== %q", before))
	ask[bool](t, ctx, `document.getElementById('race-to-bert').click() || true`)
	eventually(t, ctx, `document.querySelector('#card-bert .map') && document.querySelector('#race-bert').matches('.chosen') && `+raceRows+` === 25`)
	ask[bool](t, ctx, `document.getElementById('race').focus() || true`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)))
	eventually(t, ctx, raceRows+` === 0 && !location.search.includes('race') && `+textShown+`.includes('[MASK]')`)
	if !ask[bool](t, ctx, `window.stays === true`) {
		t.Error("the page was loaded anew")
	}
}

// TestRaceOfEveryWordByHand: all words are hidden in turn; what takes long can be stopped, while the board says that it is the
// one before, and then the last answer stays.
func TestRaceOfEveryWordByHand(t *testing.T) {
	ctx := browse(t, raceHidden+"&race=1")
	ask[bool](t, ctx, `document.getElementById('race-every').click() || true`)
	eventually(t, ctx, `document.querySelectorAll('#race .turn').length === 25 * 11 && document.getElementById('race-stop').hidden`)
	eventually(t, ctx, `[...document.querySelectorAll('#race .turn')].every((cell) => getComputedStyle(cell).opacity === '1')`) // the colour tells how likely, the tick that it is right
	ask[bool](t, ctx, `Boolean(window.usual = window.fetch)`)
	ask[bool](t, ctx, `Boolean(window.fetch = (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))`)
	ask[bool](t, ctx, `document.querySelector('#race-every').click() || true`)
	eventually(t, ctx, `!document.getElementById('race-stop').hidden && document.getElementById('race-former').checkVisibility() && document.querySelector('#race[aria-busy=true]')`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#race-stop"))))
	eventually(t, ctx, `document.getElementById('race-stop').hidden && !document.getElementById('controls').hasAttribute('aria-busy') && document.getElementById('race-former').hidden && !document.querySelector('#race[aria-busy=true]')`)
	eventually(t, ctx, `document.getElementById('message').textContent.startsWith('Stopped') && document.querySelectorAll('#race .turn').length === 25 * 11 && location.search.includes('race=all')`)
	ask[bool](t, ctx, `Boolean(window.fetch = window.usual)`)
	ask[bool](t, ctx, `document.querySelector('#race .race-word a').click() || true`)
	eventually(t, ctx, raceRows+` === 25 && `+textShown+` === '[MASK] cat sat on the mat because it was tired.'`)
}

// racing serves the mechanisms' models behind a gate that holds what asks for more rows of the board; each of its models takes
// long to guess every word, and of those that take as long the first comes first.
func racing(t *testing.T) (gate, *httptest.Server) {
	e := engine.New()
	cost := func(r engine.Request) engine.Cost {
		if !r.Race.Turns {
			return engine.Cost{}
		}
		return engine.Cost{Operations: 2e10 * float64(len(r.Mechanisms))}
	}
	return before(t, e, cost, func(r *http.Request) bool { return r.Header.Get("Atlas-Only") == "race" })
}

// TestRaceOfEveryWordRowByRow: the first model's row comes with the page; the others come one after the other, each in its place among
// those that are there, and say how many are; what is cancelled leaves them and can go on, to the end.
func TestRaceOfEveryWordRowByRow(t *testing.T) {
	const (
		there   = `document.querySelectorAll('#race tbody tr:not(.race-waits)').length`
		waiting = `document.querySelectorAll('#race tr.race-waits').length`
		line    = `document.getElementById('race-progress').textContent`
		sorted  = `[...document.querySelectorAll('#race tbody tr:not(.race-waits)')].map((row) => parseInt(row.cells[2].textContent)).every((n, i, all) => i === 0 || n <= all[i - 1])`
	)
	ctx := tab(t)
	g, server := racing(t)
	visit(t, ctx, server.URL+"/?m=dense,random&race=all&text=the+cat+sat+on+the+mat")
	awaited(t, g.arrived)
	racers := ask[int](t, ctx, raceRows)
	says := func(what string, n int) {
		t.Helper()
		eventually(t, ctx, fmt.Sprintf(`%s === %d && %s === %d && %s.includes('%s: %d of %d models have guessed') && %s`, there, n, waiting, racers-n, line, what, n, racers, sorted))
	}
	says("The race", 1)
	ask[bool](t, ctx, `document.getElementById('race-to-dense').focus() || true`)
	g.open <- struct{}{}
	says("The race", 2)
	awaited(t, g.arrived)
	becomes(t, ctx, `document.activeElement.id`, "race-to-dense")
	ask[bool](t, ctx, `document.querySelector('#race-progress .cancel').click() || true`)
	awaited(t, g.departed)
	eventually(t, ctx, `document.activeElement.matches('#race-progress .resume')`)
	says("Cancelled", 2)
	ask[bool](t, ctx, `document.activeElement.click() || true`)
	for n := 2; n < racers; n++ {
		awaited(t, g.arrived)
		says("The race", n)
		g.open <- struct{}{}
	}
	eventually(t, ctx, fmt.Sprintf(`%s === %d && %s === 0 && %s === '' && %s && !document.getElementById('race-says').textContent.includes('So far')`, there, racers, waiting, line, sorted))
}

// TestRaceOfEveryWordLeavesOff: another text ends what is asked for of the one before, and has its own board.
func TestRaceOfEveryWordLeavesOff(t *testing.T) {
	ctx := tab(t)
	g, server := racing(t)
	visit(t, ctx, server.URL+"/?m=dense,random&race=all&text=the+cat")
	awaited(t, g.arrived)
	ask[bool](t, ctx, `(document.getElementById('c-text').value = 'a dog', document.getElementById('controls').requestSubmit(), true)`)
	awaited(t, g.departed)
	awaited(t, g.arrived) // of the new one
	eventually(t, ctx, `document.querySelectorAll('#race .turn').length === 2 && document.getElementById('race-progress').textContent.includes('The race: 1 of') && [...document.querySelectorAll('.race-word')].map((w) => w.textContent.trim()).join() === 'a,dog'`)
	ask[bool](t, ctx, `document.getElementById('race-close').click() || true`)
	awaited(t, g.departed)
	eventually(t, ctx, raceRows+` === 0 && document.getElementById('race-progress').textContent === ''`)
}

// TestRaceOfEveryWordWithoutScripts: a link leads to the whole board.
func TestRaceOfEveryWordWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, server := racing(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(server.URL+"/?m=dense,random&race=all&text=the+cat")))
	eventually(t, ctx, `document.readyState === 'complete' && document.querySelector('.race-waits') && document.getElementById('rest')?.checkVisibility()`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#rest"))))
	eventually(t, ctx, `document.readyState === 'complete' && `+raceRows+` > 9 && document.querySelectorAll('#race .turn').length === 2 * `+raceRows+` && !document.querySelector('.race-waits')`)
}

// TestRaceWithoutScripts: links open the board, hide a word, move it, and close the board.
func TestRaceWithoutScripts(t *testing.T) {
	server := served(t, folder(t, "dot-product", "bert", "gpt2"))
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(server+"/?m=dot-product,bert&text="+url.QueryEscape("The cat sat on the mat."))))
	step := func(selector, then string) {
		t.Helper()
		eventually(t, ctx, `document.readyState === 'complete'`)
		must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))))
		eventually(t, ctx, then)
	}
	step("#race-open", `document.querySelector('.race-tries a')`)
	step(".race-tries a", raceRows+` === 3 && `+textShown+`.includes('[MASK]')`)
	hidden := ask[string](t, ctx, textShown)
	to := "#race-next"
	if !ask[bool](t, ctx, `Boolean(document.querySelector('#race-next'))`) {
		to = "#race-previous"
	}
	step(to, raceRows+` === 3 && `+textShown+fmt.Sprintf(" !== %q", hidden))
	step("#race-to-gpt2", `document.querySelector('#card-gpt2') && `+raceRows+` === 3`)
	step("#race-close", raceRows+` === 0`)
}

// TestRaceIsAccessible: on a desk, on a phone and before an audience, light and dark.
func TestRaceIsAccessible(t *testing.T) {
	axe, err := os.ReadFile(os.Getenv("VIZ_AXE"))
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("NOT CHECKED: make test installs axe-core (with npm) and sets VIZ_AXE to it")
	}
	must(t, err)
	ctx := tab(t)
	for _, query := range []string{"&race=1&theme=light", "&race=1&theme=dark", "&race=1&present=1&theme=light", "&race=all&theme=light", "&race=all&theme=dark"} {
		for _, width := range []int64{1440, 900, 360} {
			must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)))
			visit(t, ctx, pages(t).URL+raceHidden+query)
			fits(t, ctx, query)
			if over := ask[int](t, ctx, `Math.ceil((document.querySelector('.race-frame') ?? document.querySelector('.race-board')).getBoundingClientRect().right - document.querySelector('#race').getBoundingClientRect().right)`); over > 0 {
				t.Errorf("%s: the board is %d pixels wider than its frame at %d", query, over, width)
			}
			for _, v := range violations(t, ctx, axe) {
				t.Errorf("%s at %d pixels: %s", query, width, v)
			}
		}
	}
}

// TestRaceCommand: a table of all models that are named, the best first, with what the API says; or how
// many words each guesses.
func TestRaceCommand(t *testing.T) {
	status, out, errs := viz(t, "race", "The cat sat because it was tired.", "--hide", "was", "-m", "fastformer,bert,encoder-decoder")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 4 || !strings.HasPrefix(lines[1], "1  bert") || !strings.HasPrefix(lines[2], "2  fastformer") || !strings.HasPrefix(lines[3], "encoder-decoder: It learned to write") {
		t.Fatalf("%d: %s%s", status, out, errs)
	}
	var a api.Race
	_, body, _ := viz(t, "race", "The cat sat because it [MASK] tired.", "-m", "bert", "--json")
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	bert := a.Words[0].Models[0]
	if fields := strings.Fields(lines[1]); fields[2] != bert.Guess || fields[3] != brief(bert.P) || fields[4] != "right" || fields[5] != brief(bert.P) || fields[6] != "1" {
		t.Errorf("%q, and the API says %+v", fields, bert)
	}
	_, out, _ = viz(t, "race", "The cat sat.", "--every", "-m", "bert,gpt2")
	for _, id := range []string{"bert", "gpt2"} {
		if !regexp.MustCompile(`(?m)^` + id + ` +\d of 4 +\d+\.\d\d$`).MatchString(out) {
			t.Errorf("of %s it says %s", id, out)
		}
	}
	if status, _, errs := viz(t, "race", "The cat sat.", "--hide", "dog"); status != failed || !strings.Contains(errs, "is no word of the text") {
		t.Errorf("%d: %s", status, errs)
	}
}
