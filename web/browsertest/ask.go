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

// Ask evaluates an expression in a tab's page, also in one whose scripts do not run; of a promise it is what comes. The
// expression may use what questions.js and the files testdata/*.js of the package define, of which the page sees
// nothing.
func Ask[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	value, err := Evaluate[T](tab, expression)
	if err != nil {
		tab.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// Evaluate is Ask where nothing may answer: while one page follows another.
func Evaluate[T any](ctx context.Context, expression string) (value T, err error) {
	scripts, err := questions()
	if err != nil {
		return value, err
	}
	// the value of a block is that of its last expression
	return chromedp.Run(ctx, chromedp.Evaluate[T]("{"+scripts+"\n"+expression+"\n}",
		func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
}

//go:embed questions.js
var common string

// questions are the scripts that define what tests ask: those of all packages and of this one.
var questions = sync.OnceValues(func() (string, error) {
	own, err := filepath.Glob("testdata/*.js")
	all := []string{common}
	for _, file := range own {
		script, failed := os.ReadFile(file)
		all, err = append(all, string(script)), errors.Join(err, failed)
	}
	return strings.Join(all, "\n"), err
})

// Eventually waits until an expression is true. While one page follows another there may
// be nothing that could answer.
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

// Becomes waits until an expression has a value: scripts may still be on their way to it.
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

// Comes says whether something becomes true within a minute. It asks again and again, at first soon.
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

// Awaited waits until something is told.
func Awaited(t *testing.T, told <-chan struct{}) {
	t.Helper()
	select {
	case <-told:
	case <-time.After(patience):
		t.Fatal("it never comes")
	}
}

// Settled waits until the page has its fonts and images, which are asked for when it is laid out, and has been drawn
// since.
func (b *Tab) Settled() {
	b.t.Helper()
	Ask[bool](b, `drawn()`)
	b.Eventually(`document.fonts.status === 'loaded' && [...document.images].every((i) => i.complete || i.loading === 'lazy')`)
	Ask[bool](b, `drawn()`)
}

// Fits asks that the page is not wider than its window, once it is settled.
func (b *Tab) Fits(name string) {
	b.t.Helper()
	b.Settled()
	if over := Ask[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); over[0] > over[1] {
		b.t.Errorf("%s: the page is %d pixels wide, and the window %d", name, over[0], over[1])
	}
}

// Axe is axe-core (Deque Systems, MPL 2.0), which make test installs and names in VIZ_AXE; where it is missing the test
// is left out.
func Axe(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile(os.Getenv("VIZ_AXE"))
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("NOT CHECKED: make test installs axe-core (with npm) and sets VIZ_AXE to it")
	}
	Must(t, err)
	return string(axe)
}

// Violations are those of WCAG 2.2 AA that axe-core finds in the page. It
// comes through the debugger, so the page's content security policy stays.
func (b *Tab) Violations(axe string) []string {
	b.t.Helper()
	Ask[bool](b, axe+`; true`)
	return Ask[[]string](b, `violations()`)
}
