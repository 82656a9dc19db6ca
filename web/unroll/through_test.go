package unroll_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
	"attnatlas/web/unroll"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// twenty is a text of twenty tokens, including [CLS] and [SEP], one of them masked.
const twenty = "The cat sat on the [MASK] because it was tired, and the old dog saw it."

// stepsRight reports whether a page has recomputed all steps of a number correctly.
const stepsRight = `document.querySelectorAll('.explain-step').length > 0 && [...document.querySelectorAll('.explain-step')].every((s) => s.dataset.right === 'true' || ['given', 'unknown'].includes(s.dataset.operation))`

// lookedAt is the key of the selected step.
const lookedAt = `document.querySelector('.pass-step[aria-current=step]')?.dataset.key`

// markedRow returns the marked row in the map of a step.
func markedRow(key string) string {
	return fmt.Sprintf(`document.querySelector('.pass-step[data-key="%s"] .marked rect').getAttribute('y')`, key)
}

// TestStepsAreSmall limits the size of the page for twenty tokens, with the pictures of both
// themes.
func TestStepsAreSmall(t *testing.T) {
	const most = 150 << 10
	for _, id := range browsertest.Shipped() {
		text := twenty
		if id == "encoder-decoder" { // which has no masked words
			text = strings.ReplaceAll(twenty, "[MASK]", "mat")
		}
		path := "/steps?m=" + id + "&layer=2&text=" + url.QueryEscape(text)
		status, body := browsertest.Fetch(t, browsertest.Server(t).URL+path)
		var small bytes.Buffer
		z := gzip.NewWriter(&small)
		_, err := z.Write([]byte(body))
		browsertest.Must(t, err)
		browsertest.Must(t, z.Close())
		if status != 200 || small.Len() > most || strings.Count(body, `class="pass-step"`) < 15 ||
			strings.Contains(body, "steps.say") || strings.Contains(body, "steps.count") {
			t.Errorf("%s: %d, %d bytes, %d steps", id, status, small.Len(), strings.Count(body, `class="pass-step"`))
		}
		if again := browsertest.Body(t, path); again != body {
			t.Errorf("%s: another page for the same address", id)
		}
	}
}

// TestStepsRefused: errors are shown, and all input is escaped.
func TestStepsRefused(t *testing.T) {
	for query, want := range map[string]int{
		"m=dense": 200, "m=dense&map=weights&pin=3": 200, "m=dense&head=mean": 200, "m=dense,random": 200,
		"m=dense&map=thing": 404, "m=dense&layer=9": 404, "m=dense&layer=x": 400, "m=dense&pin=99": 404,
		"m=dense&pin=-1": 400, "m=dense&plane=2": 404, "m=dense&plane=x": 400, "m=dense&thing=1": 400,
		"m=dense&text=": 400, "m=fastformer&mask=causal": 422, "m=thing": 404, "m=dense&cut=word:99": 404,
		"m=dense&cut=word:3": 200,
		"m=dense&text=" + url.QueryEscape(strings.Repeat("word ", 200)): 422, "m=gpt2&text=%FF%FE": 200,
		"m=dense&text=" + url.QueryEscape("<script>alert(1)</script>"): 200, "m=dense&map=" +
			url.QueryEscape("<script>alert(1)</script>"): 404,
	} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/steps?"+query)
		if status != want || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d, not %d", query, status, want)
		}
	}
	if status, _ := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/steps?m=dense"); status != 400 {
		t.Errorf("without a text: %d", status)
	}
}

// TestStepsAsData: the data have the steps of the page, and the numbers of the requested one.
func TestStepsAsData(t *testing.T) {
	var all, one unroll.Steps
	_, body := browsertest.Fetch(t, browsertest.Server(t).URL+"/api/v1/steps?m=dot-product&text="+url.QueryEscape(twenty))
	browsertest.Must(t, json.Unmarshal([]byte(body), &all))
	_, body = browsertest.Fetch(t, browsertest.Server(t).URL+"/steps.json?m=dot-product&map=weights&text="+
		url.QueryEscape(twenty))
	browsertest.Must(t, json.Unmarshal([]byte(body), &one))
	page := browsertest.Body(t, "/steps?m=dot-product&text="+url.QueryEscape(twenty))
	if len(all.Steps) != strings.Count(page, `class="pass-step"`) || len(one.Steps) != len(all.Steps) ||
		len(all.Tokens) != 20 || all.Word != 7 {
		t.Errorf("%d steps, %d tokens, word %d", len(all.Steps), len(all.Tokens), all.Word)
	}
	for i, s := range all.Steps {
		size := 1
		for _, n := range s.Shape {
			size *= n
		}
		if wanted := s.Key == "weights"; len(s.Values) != size || wanted != (one.Steps[i].Values != nil) || s.Formula == "" ||
			s.Says == "" {
			t.Errorf("%s: %d values of %v, alone %d", s.Key, len(s.Values), s.Shape, len(one.Steps[i].Values))
		}
	}
}

// TestStepThroughByKeyboard: arrows move through the steps, brackets through the words, and in a
// map through its cells; Enter traces a number.
func TestStepThroughByKeyboard(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/steps?m=dot-product&head=2&text="+url.QueryEscape(twenty))
	key := func(k string) { browsertest.Must(t, chromedp.Do(tab, chromedp.KeyEvent(k))) }
	tab.Eventually(`!document.getElementById('play').hidden && ` + lookedAt + ` === 'word embeddings'`)
	key(kb.ArrowRight)
	tab.Eventually(lookedAt + ` === 'position embeddings' && location.search.includes('map=position')`)
	key(kb.End)
	tab.Eventually(lookedAt + ` === 'feeling' && document.getElementById('next').getAttribute('aria-disabled') === 'true'`)
	key(kb.ArrowLeft)
	tab.Eventually(lookedAt + ` === 'feeling scores'`)
	key(kb.Home)
	tab.Eventually(lookedAt + ` === 'word embeddings'`)
	key("]")
	tab.Eventually(`location.search.includes('pin=8') && ` + markedRow("weights") +
		` === '7' && document.querySelector('.through-words a[aria-current=true]').textContent === 'because'`)
	tab.Eventually(`document.querySelector('.pass-step[data-key="guess"] .pass-row').textContent.includes('because')`)
	tab.Do(chromedp.Focus(chromedp.CSS(`.pass-step[data-key="weights"] h3 a`)), chromedp.KeyEvent(kb.Enter))
	tab.Eventually(lookedAt + ` === 'weights'`)
	tab.Do(chromedp.Focus(chromedp.CSS(`.pass-step[data-key="weights"] .sheet`)))
	key(kb.ArrowDown) // starts in the row of the selected token
	tab.Eventually(`document.querySelector('.pass-step[data-key="weights"] .pass-at')
		&& document.querySelector('.through-words .reads')?.dataset.i === '7'`)
	key(kb.ArrowDown)
	tab.Eventually(`document.querySelector('.through-words .reads')?.dataset.i === '8'
		&& document.querySelector('.through-words .read')?.dataset.i === '0'`)
	key(kb.ArrowRight)
	tab.Eventually(`document.querySelector('.through-words .read')?.dataset.i === '1'
		&& document.getElementById('through-read').textContent.includes('=')`)
	said := browsertest.Ask[string](tab, `document.getElementById('through-read').textContent.split(' = ')[1]`)
	key(kb.Enter)
	tab.Eventually(`location.pathname.endsWith('/explain') && ` + stepsRight)
	tab.Eventually(fmt.Sprintf(`document.querySelector('h1').textContent.includes(%q)`, said)) // as in the step
	const place = `document.querySelector('.explain-step h2').textContent`
	tab.Eventually(place + `.includes('row “it”, column “The”') && ` + place + `.includes('head 2')`)
}

// TestStepsAndTextHighlightEachOther: a word marks its row in all maps, a cell its words; a click
// selects a word.
func TestStepsAndTextHighlightEachOther(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/steps?m=dense&pin=3&map=weights&text="+url.QueryEscape(twenty))
	tab.Eventually(`!document.getElementById('play').hidden && ` + markedRow("weights") + ` === '2'`)
	middle := func(selector string) (x, y float64) {
		b := tab.Box(selector)
		return (b[0] + b[2]) / 2, (b[1] + b[3]) / 2
	}
	x, y := middle(`.through-words .token[data-i="5"]`)
	tab.Do(chromedp.MouseEvent("mouseMoved", x, y))
	tab.Eventually(markedRow("weights") + ` === '5' && ` + markedRow("ffn hidden") + ` === '5'`)
	tab.Do(chromedp.MouseEvent("mouseMoved", 5, 5))
	tab.Eventually(markedRow("ffn hidden") + ` === '2'`)
	browsertest.Ask[bool](tab, `(document.querySelector('.pass-step[data-key="weights"]').scrollIntoView({ block: 'center' }), true)`)
	x, y = middle(`.pass-step[data-key="weights"] .sheet`)
	tab.Do(chromedp.MouseEvent("mouseMoved", x, y))
	tab.Eventually(`document.querySelector('.through-words .reads') && document.querySelector('.through-words .read')
		&& document.getElementById('through-read').textContent.includes('=')`)
	browsertest.Ask[bool](tab, `(scrollTo(0, 0), true)`)
	tab.Do(chromedp.Click(chromedp.CSS(`.through-words .token[data-i="9"] a`)))
	tab.Eventually(`location.search.includes('pin=10') && ` + lookedAt +
		` === 'weights' && document.querySelector('main').dataset.row === '9'`)
	tab.Do(chromedp.Click(chromedp.CSS(`#play`)))
	tab.Eventually(lookedAt + ` === 'mixed'`)
	tab.Do(chromedp.Click(chromedp.CSS(`#play`)))
	tab.Eventually(`document.getElementById('play').getAttribute('aria-pressed') === 'false'`)
}

// TestStepsFromACard: cards of the main view and the page of a mechanism link to the steps; so does
// a key.
func TestStepsFromACard(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(1440, 900, "/?m=dense,dot-product&layer=2&pin=4&text="+url.QueryEscape(twenty))
	tab.Do(chromedp.Click(chromedp.CSS(`#card-dense .card-foot a[href*="steps?"]`)))
	tab.Eventually(`location.pathname.endsWith('/steps') && location.search.includes('layer=2')
		&& location.search.includes('pin=4') && ` + lookedAt + ` === 'word embeddings'`)
	tab.Visit(browsertest.Server(t).URL + "/m/dot-product")
	tab.Eventually(`document.querySelector('.card-foot a[href*="steps?"]')
		&& document.querySelector('#map-dot-product canvas') && !document.getElementById('keys').hidden`)
	tab.Do(chromedp.Focus(chromedp.CSS("#map-dot-product")), chromedp.KeyEvent("s"))
	tab.Eventually(`location.pathname.endsWith('/steps') && location.search.includes('m=dot-product')`)
}

// TestStepsWithoutScripts: a phone shows one step, with links to the next, to words and to numbers.
func TestStepsWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.EmulateViewport(390, 844), chromedp.Navigate(browsertest.Server(t).URL+
		"/steps?m=bigbird&map=scores&pin=3"))
	const loaded = `document.readyState === 'complete' && ` // the clicked element is not replaced any more
	const shown = `[...document.querySelectorAll('.pass-step')].filter((s) => s.checkVisibility()).map((s) => s.dataset.key).join()`
	tab.Eventually(loaded + shown + ` === 'scores' && document.documentElement.scrollWidth <= 390
		&& document.querySelector('.pass-step[aria-current=step] img').complete`)
	tab.Do(chromedp.Click(chromedp.CSS("#next")))
	tab.Eventually(loaded + shown + ` === 'weights' && ` + markedRow("weights") + ` === '2'`)
	tab.Do(chromedp.Click(chromedp.CSS(`.through-words .token[data-i="4"] a`)))
	tab.Eventually(loaded + shown + ` === 'weights' && ` + markedRow("weights") + ` === '4'`)
	tab.Do(chromedp.Click(chromedp.CSS(`.pass-step[aria-current=step] .pass-row a`)))
	tab.Eventually(`location.pathname.endsWith('/explain')`)
}

// TestStepsOnPaper: an example prints on two pages.
func TestStepsOnPaper(t *testing.T) {
	tab := browsertest.Open(t)
	for _, id := range []string{"dot-product", "mixture-rdv", "sandwich"} {
		tab.Visit(browsertest.Server(t).URL + "/steps?m=" + id + "&text=" + url.QueryEscape(twenty))
		tab.Eventually(`document.fonts.status === 'loaded' && [...document.images].every((i) => i.complete)`)
		if count := paperPages(t, tab); count != 2 {
			t.Errorf("%s: %d pages", id, count)
		}
	}
}

// paperPages returns the number of A4 pages of the printed page.
func paperPages(t *testing.T, tab *browsertest.Tab) int {
	t.Helper()
	printed, err := chromedp.Call(tab, cdppage.PrintToPDF, cdppage.PrintToPDFParams{})
	browsertest.Must(t, err)
	return bytes.Count(printed.Data, []byte("/Type /Page\n"))
}
