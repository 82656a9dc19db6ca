// Package browsertest opens pages in a browser and uses them with mouse and keys: the real pages, with the embedded
// weights and the engine's numbers. Each package of tests starts one Chromium and one server, at the first test that
// needs them, and ends both in its TestMain:
//
//	func TestMain(m *testing.M) { browsertest.Main(m) }
//
// A page's browser tests stand next to the page, in a package whose name ends in _test, because this package
// imports all pages. Questions that they ask repeatedly are in their testdata/*.js, see Ask.
package browsertest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Main runs the tests of a package, shuts down what they share, and exits.
func Main(m *testing.M) {
	code := m.Run()
	if chromium.cancel != nil { // a killed browser leaves files behind
		ctx, cancel := context.WithTimeout(chromium.ctx, 10*time.Second)
		_ = chromedp.Cancel(ctx)
		cancel()
		chromium.cancel()
	}
	atEnd.do()
	os.Exit(code)
}

// chromium is started once for all tests of a package.
var chromium struct {
	once   sync.Once
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

// shells are names of Chromium without windows, which needs less than two thirds of the processor time. chromedp finds
// the others.
var shells = []string{"chromium-headless-shell", "chrome-headless-shell"}

func startChromium() {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("font-render-hinting", "none")) // shells would round the widths of letters
	path := os.Getenv("VIZ_CHROMIUM")
	for _, name := range shells {
		if path == "" {
			path, _ = exec.LookPath(name)
		}
	}
	if path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	chromium.ctx, _ = chromedp.NewContext(allocator)
	chromium.cancel = cancel
	chromium.err = chromedp.Do(chromium.ctx)
}

// Tab is a tab of the browser, and the context of chromedp's actions in it. The test fails if its page throws an
// exception, or if a method of Tab fails.
type Tab struct {
	context.Context
	t *testing.T
}

// patience is the longest time that a test waits for a result, because other programs may keep the processor busy.
// A wait ends as soon as the result is there.
const patience = time.Minute

// longest is the time limit of a test with a tab.
const longest = 10 * time.Minute

// Browse opens a page of the shared server in a tab of its own and waits for its scripts.
func Browse(t *testing.T, path string) *Tab {
	t.Helper()
	tab := Open(t)
	tab.Visit(Server(t).URL + path)
	return tab
}

// Open opens an empty tab of 1440 × 1000 pixels. The test then runs in parallel with others that have a tab. go
// test -short skips it.
func Open(t *testing.T) *Tab {
	t.Helper()
	return OpenFor(t, longest)
}

// OpenFor opens a tab with a time limit.
func OpenFor(t *testing.T, long time.Duration) *Tab {
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
	tab := &Tab{ctx, t}
	tab.Do(chromedp.EmulateViewport(1440, 1000))
	Must(t, chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*runtime.EventExceptionThrown); ok {
			t.Errorf("exception in the page: %+v", e.ExceptionDetails)
		}
	}))
	return tab
}

// In returns the tab of a context of chromedp.
func In(ctx context.Context, t *testing.T) *Tab { return &Tab{ctx, t} }

// freeTabs are the tabs that tests have left. A new tab loads fonts and scripts again, which takes longer than
// most tests.
var freeTabs = make(chan context.Context, 16)

func freeTab(t *testing.T) context.Context {
	t.Helper()
	select {
	case ctx := <-freeTabs:
		return ctx
	default:
		ctx, _ := chromedp.NewContext(chromium.ctx) // ends with Chromium
		Must(t, chromedp.Do(ctx))                   // without a deadline, which would apply to the tab
		return ctx
	}
}

// leave returns a tab to freeTabs as if it were new. It closes a tab in which something failed.
func leave(t *testing.T, ctx context.Context) {
	if !t.Failed() && renew(ctx) == nil {
		select {
		case freeTabs <- ctx:
			return
		default: // there are enough free tabs
		}
	}
	_ = chromedp.Cancel(ctx) // Chromium ends with the tests
}

// renew resets what tests change in a tab.
func renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: false})
	_, err2 := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	err3 := chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, 0, 0), chromedp.Navigate("about:blank"))
	_, err4 := chromedp.Call(ctx, cdppage.ResetNavigationHistory, cdp.Empty{})
	return errors.Join(err, err2, err3, err4)
}

// Must fails the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
