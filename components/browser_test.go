package components

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A browser opens the fixtures and uses the page with mouse and keys.

// chromium is started once for all tests.
var chromium struct {
	once   sync.Once
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

var errNoChromium = errors.New("SKIPPED, NOT CHECKED: there is no Chromium; install it (apt-get install chromium)")

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.cancel != nil {
		chromium.cancel()
	}
	os.Exit(code)
}

func startChromium() {
	chromium.err = errNoChromium
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			chromium.err = nil
		}
	}
	if chromium.err != nil {
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	chromium.ctx, _ = chromedp.NewContext(allocator)
	chromium.cancel = cancel
	chromium.err = chromedp.Do(chromium.ctx)
}

// browse opens a page in a tab of its own and waits for the scripts.
func browse(t *testing.T, path string) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	switch chromium.once.Do(startChromium); {
	case errors.Is(chromium.err, errNoChromium):
		t.Skip(chromium.err)
	case chromium.err != nil:
		t.Fatal(chromium.err)
	}
	server := httptest.NewServer(storybook())
	t.Cleanup(server.Close)
	ctx, cancel := chromedp.NewContext(chromium.ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 60*time.Second)
	t.Cleanup(cancel)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(1440, 1000)))
	must(t, chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("exception in the page: %+v", e.ExceptionDetails)
		case *runtime.EventConsoleAPICalled:
			t.Logf("console: %v", e.Type)
		}
	}))
	must(t, chromedp.Do(ctx, chromedp.Navigate(server.URL+path)))
	eventually(t, ctx, `document.documentElement.dataset.ready === 'true' || !document.querySelector('.wall')`)
	return ctx
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// eventually waits until an expression is true.
func eventually(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for range 100 {
		if ask[bool](t, ctx, "Boolean("+expression+")") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("never true: %s; message: %s; pair: %s; address: %s", expression,
		ask[string](t, ctx, `document.getElementById('message').textContent`),
		ask[string](t, ctx, `document.getElementById('pair').textContent`), ask[string](t, ctx, `location.href`))
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

func TestHoverReadsTrueValues(t *testing.T) {
	ctx := browse(t, "/?norm=log")
	f := newFixture(url.Values{})
	x, y := centre(t, ctx, "dense", 2, 5)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y)))
	eventually(t, ctx, pairText+` === 'cat3 reads the6'`)
	for _, id := range []string{"dot-product", "random", "dense", "fastformer"} {
		want := Number(float64(f.weights(id).Value.At(2, 5)))
		if got := ask[string](t, ctx, readingOf(id)); got != want {
			t.Errorf("%s reads %q, the value is %q", id, got, want)
		}
	}
	if got := ask[string](t, ctx, `document.querySelector('.token.is-reader').textContent + '/' + document.querySelector('.token.is-target').textContent`); got != "cat/the" {
		t.Errorf("the strip marks %q", got)
	}
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, 5, 5)))
	eventually(t, ctx, `document.querySelector('#pair .hint')`)
}

func TestPinAndKeys(t *testing.T) {
	ctx := browse(t, "/")
	height := ask[float64](t, ctx, `document.getElementById('readout').offsetHeight`)
	x, y := centre(t, ctx, "random", 3, 1)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(x, y)))
	eventually(t, ctx, `location.search.includes('pin=4.2')`)
	eventually(t, ctx, `document.getElementById('readout').dataset.pinned === 'true'`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.End)))
	eventually(t, ctx, `location.search.includes('pin=5.19')`)
	eventually(t, ctx, pairText+`.startsWith('on5 reads [SEP]19')`)
	if got := ask[float64](t, ctx, `document.getElementById('readout').offsetHeight`); got != height {
		t.Errorf("the read-out was %v high and is %v", height, got)
	}
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
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), "old & 1+1=2 # "), chromedp.Sleep(300*time.Millisecond), chromedp.SendKeys(chromedp.CSS("#c-text"), "x")))
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((chip) => chip.textContent === 'xcat')`)
	eventually(t, ctx, `!document.getElementById('controls').hasAttribute('aria-busy')`)
	want := ask[string](t, ctx, `document.getElementById('c-text').value`)
	if got := ask[string](t, ctx, `new URL(location.href).searchParams.get('text')`); got != want || !strings.Contains(got, "& 1+1=2 #") {
		t.Errorf("the address has the text %q, the box %q", got, want)
	}
	if got := ask[string](t, ctx, `document.activeElement.id`); got != "c-text" {
		t.Errorf("the focus went to %q", got)
	}
	if after := ask[int](t, ctx, `history.length`); after != before+1 {
		t.Errorf("typing made %d steps of history, want 1", after-before)
	}
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `document.getElementById('c-text').value === `+fmt.Sprintf("%q", fixtureText))
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

// The canvas has the colours that the figure has: the same cell, the same bytes.
func TestCanvasEqualsImage(t *testing.T) {
	ctx := browse(t, "/?theme=light&norm=map")
	differ := ask[int](t, ctx, `(async () => {
		const map = document.getElementById('map-dot-product'), canvas = map.querySelector('canvas.under');
		const image = await createImageBitmap(await (await fetch('/export/dot-product.png?theme=light&norm=map')).blob());
		const n = Number(map.dataset.cols), small = new OffscreenCanvas(n, n), a = small.getContext('2d');
		a.drawImage(image, 0, 0);
		const want = a.getImageData(0, 0, n, n).data, b = canvas.getContext('2d');
		let differ = image.width === n ? 0 : 1e6;
		for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) {
			const got = b.getImageData(Math.floor((c + .5) * canvas.width / n), Math.floor((r + .5) * canvas.height / n), 1, 1).data;
			for (let k = 0; k < 3; k++) if (got[k] !== want[4 * (r * n + c) + k]) differ++;
		}
		return differ;
	})()`)
	if differ != 0 {
		t.Errorf("%d colour components differ between canvas and image", differ)
	}
}

// Screenshots, when SCREENSHOTS names a directory to keep them in.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		t.Skip("set SCREENSHOTS to a directory to keep pictures of the fixtures")
	}
	for name, path := range map[string]string{"light": "/?theme=light&pin=9.4", "dark": "/?theme=dark&pin=9.4&mask=causal"} {
		ctx := browse(t, path)
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644))
	}
}

// axe-core (Deque Systems, MPL 2.0) looks for violations of WCAG 2.2 AA. It
// comes through the debugger, so the page's content security policy stays.
func TestAccessibility(t *testing.T) {
	axe, err := os.ReadFile("testdata/axe-core-4.14.1.min.js")
	must(t, err)
	for i, path := range []string{
		"/?theme=light", "/?theme=dark&pin=3.4", "/?theme=light&mask=causal&norm=uniform", "/?theme=dark&text=",
		"/?theme=light&text=" + url.QueryEscape(nasty), "/about", "/nothing",
	} {
		widths := []int64{1440, 390}
		if i > 1 {
			widths = widths[:1]
		}
		for _, width := range widths {
			ctx := browse(t, path)
			must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)))
			ask[bool](t, ctx, `document.querySelector('.as-table:not([hidden])')?.click() || true`)
			if width > 1000 { // elsewhere an open menu covers what is under it
				ask[bool](t, ctx, `document.querySelectorAll('details').forEach((d) => { d.open = true; }) || true`)
			}
			ask[bool](t, ctx, string(axe)+`; true`)
			for _, v := range ask[[]string](t, ctx, `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) =>
				v.id + ': ' + v.help + ' — ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' ' + n.any.map((a) => a.message).join('; ')).join(' | ')))`) {
				t.Errorf("%s at %d pixels: %s", path, width, v)
			}
			must(t, chromedp.Cancel(ctx))
		}
	}
}
