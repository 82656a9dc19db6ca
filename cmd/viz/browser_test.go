package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// A browser opens the real pages — the embedded weights, the engine's numbers —
// and uses them with mouse and keys.

// chromium is started once for all tests.
var chromium struct {
	once   sync.Once
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.cancel != nil {
		chromium.cancel()
	}
	atEnd.do()
	os.Exit(code)
}

func startChromium() {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	if path := os.Getenv("VIZ_CHROMIUM"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	chromium.ctx, _ = chromedp.NewContext(allocator)
	chromium.cancel = cancel
	chromium.err = chromedp.Do(chromium.ctx)
}

// pages serves what viz serve serves.
func pages(t *testing.T) *httptest.Server {
	t.Helper()
	return shipped.get(t, func() *httptest.Server { return serving(t, weights{}) })
}

var shipped shared[*httptest.Server]

// browse opens a page in a tab of its own and waits for the scripts.
func browse(t *testing.T, path string) context.Context {
	t.Helper()
	ctx := tab(t)
	visit(t, ctx, pages(t).URL+path)
	return ctx
}

// visit opens a page in a tab that may have shown others, which is faster than a new one.
func visit(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	must(t, chromedp.Do(ctx, chromedp.Navigate(address)))
	eventually(t, ctx, `document.documentElement.dataset.ready === 'true' || !document.querySelector('.wall')`)
}

// tab opens an empty tab, in which an exception fails the test. The test then runs beside
// others that have one.
func tab(t *testing.T) context.Context {
	t.Helper()
	return tabFor(t, 10*time.Minute)
}

// tabFor opens one that a test has for so long.
func tabFor(t *testing.T, long time.Duration) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("go test -short leaves the browser tests out")
	}
	t.Parallel()
	chromium.once.Do(startChromium)
	if chromium.err != nil {
		t.Fatalf("the browser tests need Chromium or Chrome (make test installs it or says how; go test -short leaves them out): %v", chromium.err)
	}
	own := freeTab(t)
	ctx, cancel := context.WithTimeout(own, long)
	t.Cleanup(func() {
		cancel()
		leave(t, own)
	})
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(1440, 1000)))
	must(t, chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*runtime.EventExceptionThrown); ok {
			t.Errorf("exception in the page: %+v", e.ExceptionDetails)
		}
	}))
	return ctx
}

// freeTabs are those that tests have left: in a new one, fonts and scripts are read again,
// which takes longer than most tests.
var freeTabs = make(chan context.Context, 16)

func freeTab(t *testing.T) context.Context {
	t.Helper()
	select {
	case ctx := <-freeTabs:
		return ctx
	default:
		ctx, _ := chromedp.NewContext(chromium.ctx) // ends with Chromium
		must(t, chromedp.Do(ctx))                   // without a deadline, which would be the tab's
		return ctx
	}
}

// leave gives a tab back as if it were new; one in which something went wrong is closed.
func leave(t *testing.T, ctx context.Context) {
	if !t.Failed() && renew(ctx) == nil {
		select {
		case freeTabs <- ctx:
			return
		default: // there are enough
		}
	}
	chromedp.Cancel(ctx)
}

// renew takes back what tests do to a tab.
func renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
	_, err2 := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	err3 := chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, 0, 0), chromedp.Navigate("about:blank"))
	_, err4 := chromedp.Call(ctx, cdppage.ResetNavigationHistory, cdp.Empty{})
	return errors.Join(err, err2, err3, err4)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := evaluate[T](ctx, expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

func evaluate[T any](ctx context.Context, expression string) (T, error) {
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
}

// patience is how long a test waits for what must come: other programs may keep the
// processor busy. Nothing is waited for longer than it takes to come.
const patience = time.Minute

// eventually waits until an expression is true. While one page follows another there may
// be nothing that could answer.
func eventually(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	var failed error
	if comes(func() bool {
		var is bool
		is, failed = evaluate[bool](ctx, "Boolean("+expression+")")
		return is
	}) {
		return
	}
	t.Fatalf("never true: %s; %v; message: %s; pair: %s; address: %s", expression, failed,
		ask[string](t, ctx, `document.getElementById('message')?.textContent ?? ''`),
		ask[string](t, ctx, `document.getElementById('pair')?.textContent ?? ''`), ask[string](t, ctx, `location.href`))
}

// becomes waits until an expression has a value: scripts may still be on their way to it.
func becomes[T any](t *testing.T, ctx context.Context, expression string, want T) {
	t.Helper()
	var got T
	var failed error
	if !comes(func() bool {
		got, failed = evaluate[T](ctx, expression)
		return failed == nil && reflect.DeepEqual(got, want)
	}) {
		t.Errorf("%s: %#v (%v), never %#v", expression, got, failed, want)
	}
}

// comes asks again and again, at first soon.
func comes(holds func() bool) bool {
	pause := 5 * time.Millisecond
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause) {
		if holds() {
			return true
		}
		pause = min(2*pause, 100*time.Millisecond)
	}
	return false
}

// centre is the middle of a cell of a card's map, in the window.
func centre(t *testing.T, ctx context.Context, id string, row, col int) (x, y float64) {
	t.Helper()
	p := ask[[]float64](t, ctx, fmt.Sprintf(`(() => { const m = document.getElementById('map-%s'), b = m.getBoundingClientRect();
		return [b.left + (%d + .5) * b.width / m.dataset.cols, b.top + (%d + .5) * b.height / m.dataset.rows]; })()`, id, col, row))
	return p[0], p[1]
}

const pairText = `document.getElementById('pair').innerText.replace(/\s+/g, ' ').trim()`

func readingOf(id string) string {
	return fmt.Sprintf(`document.querySelector('#readings [data-mechanism="%s"] dd').firstChild.textContent`, id)
}

// valueOf asks the API for one cell of a map of the worked example, of the head that its card shows.
func valueOf(t *testing.T, server, id, name string, row, col int) float64 {
	t.Helper()
	values, cols := valuesOf(t, server, id, name)
	return values[row*cols+col]
}

// valuesOf asks the API for all cells of such a map, row by row, and how many a row has.
func valuesOf(t *testing.T, server, id, name string) (values []float64, cols int) {
	t.Helper()
	response, err := http.Get(server + "/api/v1/attend?layer=1&head=auto&m=" + id + "&map=" + name + "&text=" + url.QueryEscape(address.DefaultText))
	must(t, err)
	defer response.Body.Close()
	var answer struct {
		Mechanisms []struct {
			Layers []struct {
				Maps []struct {
					Shape  []int
					Values []float64
				}
			}
		}
	}
	must(t, json.NewDecoder(response.Body).Decode(&answer))
	m := answer.Mechanisms[0].Layers[0].Maps[0]
	return m.Values, m.Shape[len(m.Shape)-1]
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
	eventually(t, ctx, readingOf("dense")+` === 'forbidden by mask'`)
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

// settled waits until a page has its fonts and images, which are asked for when it is laid out, and has been drawn since.
func settled(t *testing.T, ctx context.Context) {
	t.Helper()
	const drawn = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`
	ask[bool](t, ctx, drawn)
	eventually(t, ctx, `document.fonts.status === 'loaded' && [...document.images].every((i) => i.complete || i.loading === 'lazy')`)
	ask[bool](t, ctx, drawn)
}

// fits asks that a page is not wider than its window, once it is settled.
func fits(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	settled(t, ctx)
	if over := ask[[]int](t, ctx, `[document.documentElement.scrollWidth, innerWidth]`); over[0] > over[1] {
		t.Errorf("%s: the page is %d pixels wide, and the window %d", name, over[0], over[1])
	}
}

// nasty is a text that a page must not believe.
const nasty = `<script>alert(1)</script> "quoted" & 'x' <img src=x onerror=alert(1)> القط 小猫 😀 </textarea>`
