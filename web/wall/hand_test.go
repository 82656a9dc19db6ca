package wall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// page is a tab with the maps of a card open.
type page struct {
	t   *testing.T
	tab *browsertest.Tab
}

func newPage(t *testing.T, tab *browsertest.Tab) *page { return &page{t, tab} }

// do runs a statement.
func (p *page) do(statement string) {
	p.t.Helper()
	browsertest.Ask[bool](p.tab, `(() => { `+statement+`; return true; })()`)
}

func viewOf(id, name string) string {
	return "view-" + id + "-" + strings.ReplaceAll(name, " ", "-")
}

// point moves the mouse over a cell of a view; the rows of a wiring are positions.
func (p *page) point(id, name string, row, col int) {
	p.t.Helper()
	at := browsertest.Ask[[]float64](p.tab, fmt.Sprintf(`view.cell(%q, %d, %d)`, viewOf(id, name), row, col))
	p.tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
}

// key presses a key in the element with the focus.
func (p *page) key(name string) {
	p.t.Helper()
	p.do(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '` + name + `', bubbles: true }))`)
}

// says waits until the line below a view is one of the sentences, or begins with it.
func (p *page) says(id, name string, sentences ...string) {
	p.t.Helper()
	got := ""
	said := func(want string) bool { return strings.HasPrefix(got, want) }
	if !browsertest.Comes(func() bool {
		got = browsertest.Ask[string](p.tab, fmt.Sprintf(`view.says(%q)`, viewOf(id, name)))
		return slices.ContainsFunc(sentences, said)
	}) {
		p.t.Errorf("%s %s says %q, want %q", id, name, got, sentences)
	}
}

// values returns all numbers of a map of the worked example, as the page requests them.
func (p *page) values(server, id, name string) []float64 {
	p.t.Helper()
	values, _ := browsertest.Values(p.t, server, id, name)
	return values
}

// open opens a page of a server and waits for its scripts.
func open(t *testing.T, address string) *browsertest.Tab {
	t.Helper()
	tab := browsertest.Open(t)
	tab.Do(chromedp.Navigate(address))
	tab.Eventually(`document.documentElement.dataset.ready === 'true'`)
	return tab
}
