package wall_test

import (
	"fmt"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

const (
	pairText  = `shown.pair()`
	pinShown  = `shown.pin()`
	textShown = `shown.text()`
)

func readingOf(id string) string { return fmt.Sprintf(`shown.reading('%s')`, id) }

func TestHoverReadsTheValuesOfTheAPI(t *testing.T) {
	tab := browsertest.Browse(t, "/?layer=1&norm=log")
	server := browsertest.Server(t).URL
	x, y := tab.Cell("dense", 2, 5)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(pairText + ` === 'cat3 attends to the6'`)
	for id, name := range map[string]string{"dot-product": "weights", "random": "weights", "dense": "weights",
		"fastformer": "contribution"} {
		want := messages.Number(browsertest.Value(t, server, browsertest.MapCell{ID: id, Map: name, Row: 2, Col: 5}))
		if name == "contribution" {
			want = "length " + want
		}
		browsertest.Becomes(tab, readingOf(id), want)
	}
	browsertest.Becomes(tab, `document.querySelector('.token.is-reader').textContent + '/' + document.querySelector('.token.is-target').textContent`, "cat/the")
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	tab.Eventually(`document.getElementById('readout').dataset.says === 'false'`)
}

// TestWithoutScripts: everything is in the first HTML, maps are images, and the form works.
func TestWithoutScripts(t *testing.T) {
	tab := browsertest.Open(t)
	tab.WithoutScripts()
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/?theme=light"))
	const maps = 4 + 2 // α and β
	loaded := fmt.Sprintf(`document.querySelectorAll('.card img:not(.heads-strip *)').length === %d &&
		[...document.querySelectorAll('.card img:not(.heads-strip *)')].every((i) => i.complete && i.naturalWidth > 0 && i.offsetWidth > 50 && i.alt)`, maps)
	tab.Eventually(loaded)
	if got := browsertest.Ask[int](tab, `document.querySelectorAll('canvas').length`); got != 0 {
		t.Errorf("%d canvases without scripts", got)
	}
	if got := browsertest.Ask[string](tab, `(() => { const m = document.getElementById('more-dense'); m.open = true; return m.querySelector('a').checkVisibility() && m.querySelector('a').pathname; })()`); got != "/m/dense" {
		t.Errorf("without scripts other maps are at %q", got)
	}
	browsertest.Ask[bool](tab, `Boolean(document.getElementById('c-text').value = 'Where is <b>my</b> flight & card?')`)
	button := browsertest.Ask[[]float64](tab, `(() => { const b = document.querySelector('form button[type=submit], form button:not([type])').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	tab.Do(chromedp.MouseClickXY(button[0], button[1]))
	tab.Eventually(`[...document.querySelectorAll('.token')].some((chip) => chip.textContent === 'flight')`)
	if got := browsertest.Ask[string](tab, `new URL(location.href).searchParams.get('text')`); got != "Where is <b>my</b> flight & card?" {
		t.Errorf("the address has the text %q", got)
	}
	tab.Eventually(loaded)
	tab.Back(1)
	tab.Eventually(`[...document.querySelectorAll('.token')].some((chip) => chip.textContent === 'tired')`)
}

func TestPinAndKeys(t *testing.T) {
	tab := browsertest.Browse(t, "/")
	tab.Settled()
	height := browsertest.Ask[float64](tab, `document.getElementById('readout').offsetHeight`)
	x, y := tab.Cell("random", 3, 1)
	tab.Do(chromedp.MouseClickXY(x, y))
	tab.Eventually(`location.search.includes('pin=4.2')`)
	tab.Eventually(`document.getElementById('readout').dataset.pinned === 'true'`)
	tab.Do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.End))
	tab.Eventually(`location.search.includes('pin=5.19')`)
	tab.Eventually(pairText + `.startsWith('on5 attends to [SEP]19')`)
	browsertest.Becomes(tab, `document.getElementById('readout').offsetHeight`, height)
	tab.Do(chromedp.KeyEvent("n"))
	tab.Eventually(`location.search.includes('norm=log') && location.search.includes('pin=5.19')`)
	tab.Eventually(`document.activeElement.id === 'map-random'`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	tab.Eventually(`!location.search.includes('pin')`)
	tab.Do(chromedp.KeyEvent("?"))
	tab.Eventually(`document.getElementById('help').open`)
}

func TestControlsAndBack(t *testing.T) {
	tab := browsertest.Browse(t, "/")
	choose := func(id, value string) {
		tab.Choose(id, value)
	}
	choose("c-mask", "causal")
	tab.Eventually(`document.querySelector('#card-fastformer .refusal')`)
	tab.Eventually(`document.querySelector('#card-dense .nothing .forbidden')`)
	x, y := tab.Cell("dense", 2, 5)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(readingOf("dense") + ` === 'masked out'`)
	choose("c-theme", "dark")
	tab.Eventually(`document.documentElement.dataset.theme === 'dark' && location.search.includes('theme=dark')`)
	tab.Do(chromedp.NavigateBack())
	tab.Eventually(`document.documentElement.dataset.theme === 'auto'
		&& document.getElementById('c-theme').value === 'auto'`)
	tab.Back(1)
	tab.Eventually(`document.querySelector('#map-fastformer canvas')
		&& document.getElementById('c-mask').value === 'none'`)
}

func TestTypingRendersAndKeepsTheCaret(t *testing.T) {
	tab := browsertest.Browse(t, "/")
	before := browsertest.Ask[int](tab, `history.length`)
	tab.Do(chromedp.Focus(chromedp.CSS("#c-text")))
	browsertest.Ask[bool](tab, `document.getElementById('c-text').setSelectionRange(4, 4) || true`)
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-text"), "old & 1+1=2 # "))
	tab.Eventually(`new URL(location.href).searchParams.get('text')?.includes('old')`)
	tab.Do(chromedp.SendKeys(chromedp.CSS("#c-text"), "big "))
	tab.Eventually(`[...document.querySelectorAll('.token')].some((chip) => chip.textContent === 'big')`)
	want := "The old & 1+1=2 # big " + address.DefaultText[4:]
	browsertest.Becomes(tab, `document.getElementById('c-text').value`, want)
	browsertest.Becomes(tab, textShown, want)
	browsertest.Becomes(tab, `document.activeElement.id`, "c-text")
	if after := browsertest.Ask[int](tab, `history.length`); after != before+1 {
		t.Errorf("typing made %d steps of history, want 1", after-before)
	}
	tab.Back(1)
	tab.Eventually(`document.getElementById('c-text').value === ` + fmt.Sprintf("%q", address.DefaultText))
}

// TestTypingBeforeTheAnswer: a letter that is typed before the page for the previous letter arrives removes no
// entry of the history.
func TestTypingBeforeTheAnswer(t *testing.T) {
	tab := browsertest.Browse(t, "/")
	before := browsertest.Ask[int](tab, `history.length`)
	browsertest.Ask[bool](tab, `(() => { const usual = window.fetch; window.fetch = (_, { signal }) => new Promise((_, reject) => {
		window.held = true;
		signal.addEventListener('abort', () => { window.fetch = usual; reject(signal.reason); });
	}); return true; })()`)
	write := func(text string) {
		tab.Slide("c-text", text)
	}
	write("a")
	tab.Eventually(`window.held`)
	write("ab")
	browsertest.Becomes(tab, textShown, "ab")
	browsertest.Becomes(tab, `history.length`, before+1)
	tab.Rewrite("abc")
	browsertest.Becomes(tab, `history.length`, before+1)
	tab.Back(1)
	tab.Eventually(`document.getElementById('c-text').value === ` + fmt.Sprintf("%q", address.DefaultText))
}

func TestTableOfARow(t *testing.T) {
	tab := browsertest.Browse(t, "/?pin=3.4")
	tab.Trigger("#card-dense .as-table")
	tab.Eventually(`document.querySelectorAll('#table-dense tbody tr').length === 19`)
	values := browsertest.Ask[[]string](tab, `[...document.querySelectorAll('#table-dense tbody tr td:last-child')].map((td) => td.title)`)
	for i := 1; i < len(values); i++ {
		var a, b float64
		fmt.Sscan(values[i-1], &a)
		fmt.Sscan(values[i], &b)
		if a < b {
			t.Errorf("row %d of the table is larger than the one before it: %v, %v", i, values[i-1], values[i])
		}
	}
}
