package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/browsertest"
)

// The helpers of browser tests are those of web/browsertest, under the names that the tests here have for them.

func TestMain(m *testing.M) { browsertest.Main(m) }

const patience = time.Minute

func pages(t *testing.T) *httptest.Server {
	t.Helper()
	return browsertest.Server(t)
}

func browse(t *testing.T, path string) context.Context {
	t.Helper()
	return browsertest.Browse(t, path).Context
}

func visit(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	browsertest.In(ctx, t).Visit(address)
}

func tab(t *testing.T) context.Context {
	t.Helper()
	return browsertest.Open(t).Context
}

func tabFor(t *testing.T, long time.Duration) context.Context {
	t.Helper()
	return browsertest.OpenFor(t, long).Context
}

func must(t testing.TB, err error) {
	t.Helper()
	browsertest.Must(t, err)
}

func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	return browsertest.Ask[T](browsertest.In(ctx, t), expression)
}

func eventually(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	browsertest.In(ctx, t).Eventually(expression)
}

func becomes[T any](t *testing.T, ctx context.Context, expression string, want T) {
	t.Helper()
	browsertest.Becomes(browsertest.In(ctx, t), expression, want)
}

func comes(holds func() bool) bool { return browsertest.Comes(holds) }

func centre(t *testing.T, ctx context.Context, id string, row, col int) (x, y float64) {
	t.Helper()
	return browsertest.In(ctx, t).Cell(id, row, col)
}

func settled(t *testing.T, ctx context.Context) {
	t.Helper()
	browsertest.In(ctx, t).Settled()
}

func fits(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	browsertest.In(ctx, t).Fits(name)
}

func valuesOf(t *testing.T, server, id, name string) (values []float64, cols int) {
	t.Helper()
	return browsertest.Values(t, server, id, name)
}

func violations(t *testing.T, ctx context.Context, axe string) []string {
	t.Helper()
	return browsertest.In(ctx, t).Violations(axe)
}

func rewrite(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	browsertest.In(ctx, t).Rewrite(text)
}

func clickWord(t *testing.T, ctx context.Context, label string) {
	t.Helper()
	browsertest.In(ctx, t).ClickWord(label)
}

func selectOption(t *testing.T, ctx context.Context, id, value string) {
	t.Helper()
	browsertest.In(ctx, t).Choose(id, value)
}

func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	return browsertest.Fetch(t, address)
}

const (
	pairText  = `shown.pair()`
	pinShown  = `shown.pin()`
	textShown = `shown.text()`
)

func readingOf(id string) string { return fmt.Sprintf(`shown.reading('%s')`, id) }

// valueOf asks the API for one cell of a map of the worked example, of the head that its card shows.
func valueOf(t *testing.T, server, id, name string, row, col int) float64 {
	t.Helper()
	values, cols := valuesOf(t, server, id, name)
	return values[row*cols+col]
}

func TestHoverReadsTheValuesOfTheAPI(t *testing.T) {
	ctx := browse(t, "/?norm=log")
	server := pages(t).URL
	x, y := centre(t, ctx, "dense", 2, 5)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	eventually(t, ctx, pairText+` === 'cat3 reads the6'`)
	for id, name := range map[string]string{"dot-product": "weights", "random": "weights", "dense": "weights", "fastformer": "contribution"} {
		want := messages.Number(valueOf(t, server, id, name, 2, 5))
		if name == "contribution" {
			want = "length " + want
		}
		becomes(t, ctx, readingOf(id), want)
	}
	becomes(t, ctx, `document.querySelector('.token.is-reader').textContent + '/' + document.querySelector('.token.is-target').textContent`, "cat/the")
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, 5, 5)))
	eventually(t, ctx, `document.querySelector('#pair .hint')`)
}

// TestWithoutScripts: everything is in the first HTML, maps are images, and the
// form works.
func TestWithoutScripts(t *testing.T) {
	ctx := tab(t)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/?theme=light")))
	const maps = 4 + 2 // α and β
	loaded := fmt.Sprintf(`document.querySelectorAll('.card img:not(.heads-strip *)').length === %d &&
		[...document.querySelectorAll('.card img:not(.heads-strip *)')].every((i) => i.complete && i.naturalWidth > 0 && i.offsetWidth > 50 && i.alt)`, maps)
	eventually(t, ctx, loaded)
	if got := ask[int](t, ctx, `document.querySelectorAll('canvas').length`); got != 0 {
		t.Errorf("%d canvases without scripts", got)
	}
	if got := ask[string](t, ctx, `(() => { const m = document.getElementById('more-dense'); m.open = true; return m.querySelector('a').checkVisibility() && m.querySelector('a').pathname; })()`); got != "/m/dense" {
		t.Errorf("without scripts other maps are at %q", got)
	}
	ask[bool](t, ctx, `Boolean(document.getElementById('c-text').value = 'Where is <b>my</b> flight & card?')`)
	button := ask[[]float64](t, ctx, `(() => { const b = document.querySelector('form button[type=submit], form button:not([type])').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(button[0], button[1])))
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((chip) => chip.textContent === 'flight')`)
	if got := ask[string](t, ctx, `new URL(location.href).searchParams.get('text')`); got != "Where is <b>my</b> flight & card?" {
		t.Errorf("the address has the text %q", got)
	}
	eventually(t, ctx, loaded)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((chip) => chip.textContent === 'tired')`)
}

func TestPinAndKeys(t *testing.T) {
	ctx := browse(t, "/")
	settled(t, ctx)
	height := ask[float64](t, ctx, `document.getElementById('readout').offsetHeight`)
	x, y := centre(t, ctx, "random", 3, 1)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(x, y)))
	eventually(t, ctx, `location.search.includes('pin=4.2')`)
	eventually(t, ctx, `document.getElementById('readout').dataset.pinned === 'true'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.End)))
	eventually(t, ctx, `location.search.includes('pin=5.19')`)
	eventually(t, ctx, pairText+`.startsWith('on5 reads [SEP]19')`)
	becomes(t, ctx, `document.getElementById('readout').offsetHeight`, height)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("n")))
	eventually(t, ctx, `location.search.includes('norm=log') && location.search.includes('pin=5.19')`)
	eventually(t, ctx, `document.activeElement.id === 'map-random'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.Escape)))
	eventually(t, ctx, `!location.search.includes('pin')`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("?")))
	eventually(t, ctx, `document.getElementById('help').open`)
}

func TestControlsAndBack(t *testing.T) {
	ctx := browse(t, "/")
	choose := func(id, value string) {
		ask[bool](t, ctx, fmt.Sprintf(`(() => { const s = document.getElementById('%s'); s.value = '%s'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`, id, value))
	}
	choose("c-mask", "causal")
	eventually(t, ctx, `document.querySelector('#card-fastformer .refusal')`)
	eventually(t, ctx, `document.querySelector('#card-dense .nothing .forbidden')`)
	x, y := centre(t, ctx, "dense", 2, 5)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	eventually(t, ctx, readingOf("dense")+` === 'masked out'`)
	choose("c-theme", "dark")
	eventually(t, ctx, `document.documentElement.dataset.theme === 'dark' && location.search.includes('theme=dark')`)
	must(t, chromedp.Do(ctx, chromedp.NavigateBack()))
	eventually(t, ctx, `document.documentElement.dataset.theme === 'auto' && document.getElementById('c-theme').value === 'auto'`)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `document.querySelector('#map-fastformer canvas') && document.getElementById('c-mask').value === 'none'`)
}

func TestTypingRendersAndKeepsTheCaret(t *testing.T) {
	ctx := browse(t, "/")
	before := ask[int](t, ctx, `history.length`)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS("#c-text"))))
	ask[bool](t, ctx, `document.getElementById('c-text').setSelectionRange(4, 4) || true`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), "old & 1+1=2 # ")))
	eventually(t, ctx, `new URL(location.href).searchParams.get('text')?.includes('old')`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), "big ")))
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((chip) => chip.textContent === 'big')`)
	want := "The old & 1+1=2 # big " + address.DefaultText[4:]
	becomes(t, ctx, `document.getElementById('c-text').value`, want)
	becomes(t, ctx, textShown, want)
	becomes(t, ctx, `document.activeElement.id`, "c-text")
	if after := ask[int](t, ctx, `history.length`); after != before+1 {
		t.Errorf("typing made %d steps of history, want 1", after-before)
	}
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `document.getElementById('c-text').value === `+fmt.Sprintf("%q", address.DefaultText))
}

// TestTypingBeforeTheAnswer: a letter that is faster than the page of the one before it takes no step of the history away.
func TestTypingBeforeTheAnswer(t *testing.T) {
	ctx := browse(t, "/")
	before := ask[int](t, ctx, `history.length`)
	ask[bool](t, ctx, `(() => { const usual = window.fetch; window.fetch = (_, { signal }) => new Promise((_, reject) => {
		window.held = true;
		signal.addEventListener('abort', () => { window.fetch = usual; reject(signal.reason); });
	}); return true; })()`)
	write := func(text string) {
		ask[bool](t, ctx, fmt.Sprintf(`(() => { const b = document.getElementById('c-text'); b.value = %q; b.dispatchEvent(new InputEvent('input', { bubbles: true })); return true; })()`, text))
	}
	write("a")
	eventually(t, ctx, `window.held`)
	write("ab")
	becomes(t, ctx, textShown, "ab")
	becomes(t, ctx, `history.length`, before+1)
	rewrite(t, ctx, "abc")
	becomes(t, ctx, `history.length`, before+1)
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `document.getElementById('c-text').value === `+fmt.Sprintf("%q", address.DefaultText))
}

func TestTableOfARow(t *testing.T) {
	ctx := browse(t, "/?pin=3.4")
	ask[bool](t, ctx, `document.querySelector('#card-dense .as-table').click() || true`)
	eventually(t, ctx, `document.querySelectorAll('#table-dense tbody tr').length === 19`)
	values := ask[[]string](t, ctx, `[...document.querySelectorAll('#table-dense tbody tr td:last-child')].map((td) => td.title)`)
	for i := 1; i < len(values); i++ {
		var a, b float64
		fmt.Sscan(values[i-1], &a)
		fmt.Sscan(values[i], &b)
		if a < b {
			t.Errorf("row %d of the table is larger than the one before it: %v, %v", i, values[i-1], values[i])
		}
	}
}

// TestScreenshots keeps pictures of the pages in artefacts/ for people to look at,
// and asks that nothing is wider than the window.
func TestScreenshots(t *testing.T) {
	dir := filepath.Join(root, "artefacts")
	must(t, os.MkdirAll(dir, 0o755))
	long := url.QueryEscape(strings.Repeat("the old man and the sea ", 10))
	ctx := tab(t)
	for name, path := range map[string]string{
		"light": "/?theme=light", "dark": "/?theme=dark&pin=9.4", "causal": "/?theme=dark&mask=causal", "long": "/?theme=light&text=" + long,
		"refused": "/?theme=light&text=" + long + long, "hostile": "/?theme=light&text=" + url.QueryEscape(nasty), "about": "/about?theme=light",
		"results": "/results?theme=light", "results-dark": "/results?theme=dark",
		"mechanism": "/m/fastformer?theme=light", "mechanism-dark": "/m/dot-product?theme=dark&layer=2&head=3", "mechanism-untrained": "/m/mixture-rdv?theme=light",
		"mechanism-hostile": "/m/random?theme=dark&text=" + url.QueryEscape(nasty), "mechanism-refused": "/m/fastformer?theme=light&mask=causal", "mechanisms": "/m?theme=dark",
		"masked": "/?theme=light&text=" + url.QueryEscape("The cat sat on the [MASK] and looked at the [MASK].") + "&was=mat&was=moon",
		"pair":   "/?theme=dark&text=" + url.QueryEscape("The cat sat on the mat. ||| It was tired."), "writing": "/m/encoder-decoder?theme=light&step=3",
	} {
		for _, width := range []int64{1440, 390} {
			must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)))
			if width == 1440 {
				visit(t, ctx, pages(t).URL+path)
			}
			fits(t, ctx, name)
			picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(90))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.jpg", name, width)), picture, 0o644))
		}
	}
}

// nasty is a text that a page must not believe.
const nasty = `<script>alert(1)</script> "quoted" & 'x' <img src=x onerror=alert(1)> القط 小猫 😀 </textarea>`
