package browsertest

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Ask evaluates an expression in a tab's page, and awaits its value if it is a promise. It also works in a page
// whose scripts are disabled. The expression can use the definitions in questions.js and in the package's files
// testdata/*.js, which the page does not see.
func Ask[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	value, err := Evaluate[T](tab, expression)
	if err != nil {
		tab.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// Evaluate is Ask for moments when no page may answer, such as while one page replaces another.
func Evaluate[T any](ctx context.Context, expression string) (value T, err error) {
	scripts, err := questions()
	if err != nil {
		return value, err
	}
	// the value of a block is the value of its last expression
	return chromedp.Run(ctx, chromedp.Evaluate[T]("{"+scripts+"\n"+expression+"\n}",
		func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
}

//go:embed questions.js
var common string

// questions returns the scripts that define what tests ask: the common ones and those of this package.
var questions = sync.OnceValues(func() (string, error) {
	own, err := filepath.Glob("testdata/*.js")
	all := []string{common}
	for _, file := range own {
		script, failed := os.ReadFile(file)
		all, err = append(all, string(script)), errors.Join(err, failed)
	}
	return strings.Join(all, "\n"), err
})

// Eventually waits until an expression is true. An error counts as false, because no page may answer while one
// replaces another.
func (b *Tab) Eventually(expression string) {
	b.t.Helper()
	var failed error
	if Comes(func() bool {
		var is bool
		is, failed = Evaluate[bool](b, "Boolean("+expression+")")
		return is
	}) {
		return
	}
	b.t.Fatalf("never true: %s; %v; message: %s; pair: %s; address: %s", expression, failed,
		Ask[string](b, `document.getElementById('message')?.textContent ?? ''`),
		Ask[string](b, `document.getElementById('pair')?.textContent ?? ''`), Ask[string](b, `location.href`))
}

// Becomes waits until an expression has a value, which scripts may still have to compute.
func Becomes[T any](tab *Tab, expression string, want T) {
	tab.t.Helper()
	var got T
	var failed error
	if !Comes(func() bool {
		got, failed = Evaluate[T](tab, expression)
		return failed == nil && reflect.DeepEqual(got, want)
	}) {
		tab.t.Errorf("%s: %#v (%v), never %#v", expression, got, failed, want)
	}
}

// Comes reports whether a condition becomes true within a minute. It checks at increasing intervals.
func Comes(holds func() bool) bool {
	pause := 5 * time.Millisecond
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause) {
		if holds() {
			return true
		}
		pause = min(2*pause, 100*time.Millisecond)
	}
	return false
}

// Awaited waits until a channel receives.
func Awaited(t *testing.T, told <-chan struct{}) {
	t.Helper()
	select {
	case <-told:
	case <-time.After(patience):
		t.Fatal("it never comes")
	}
}

// Settled waits until the page has loaded its fonts and images, and has been drawn since. The layout of the page
// requests them.
func (b *Tab) Settled() {
	b.t.Helper()
	Ask[bool](b, `drawn()`)
	b.Eventually(`document.fonts.status === 'loaded' && [...document.images].every((i) => i.complete || i.loading === 'lazy')`)
	Ask[bool](b, `drawn()`)
}

// Fits checks that the page, once settled, is not wider than its window.
func (b *Tab) Fits(name string) {
	b.t.Helper()
	b.Settled()
	if over := Ask[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); over[0] > over[1] {
		b.t.Errorf("%s: the page is %d pixels wide, and the window %d", name, over[0], over[1])
	}
}

// Violations returns the violations of WCAG 2.2 AA that axe-core (Deque Systems, MPL 2.0) finds in the page. The script
// is injected through the debugger, so the page's content security policy stays in force. make test installs axe-core
// and names it in VIZ_AXE. Without it there are no violations, and the log says so; in CI the test fails.
func (b *Tab) Violations() []string {
	b.t.Helper()
	axe, err := os.ReadFile(os.Getenv("VIZ_AXE"))
	if err != nil && os.Getenv("CI") == "" {
		b.t.Log("NOT CHECKED: make test installs axe-core (with npm) and sets VIZ_AXE to it")
		return nil
	}
	Must(b.t, err)
	Ask[bool](b, string(axe)+`; true`)
	return Ask[[]string](b, `violations()`)
}
