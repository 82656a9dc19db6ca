package wall_test

import (
	"fmt"
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
	at := browsertest.Ask[[]float64](p.tab, fmt.Sprintf(`(async () => {
		const v = document.getElementById('%s'), s = v.querySelector('.sheet');
		s.scrollIntoView({ block: 'center' });
		let b, before = 0;
		for (let rests = 0; rests < 3; rests = b.top === before ? rests + 1 : 0) { // the page may scroll for a while
			before = b?.top;
			await new Promise(requestAnimationFrame);
			b = s.getBoundingClientRect();
		}
		return [b.left + (%d + .5) * b.width / v.dataset.cols, b.top + (%d + .5) * b.height / v.dataset.rows];
	})()`, viewOf(id, name), col, row))
	p.tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
}

// open opens a page of a server and waits for its scripts.
func open(t *testing.T, address string) *browsertest.Tab {
	t.Helper()
	tab := browsertest.Open(t)
	tab.Do(chromedp.Navigate(address))
	tab.Eventually(`document.documentElement.dataset.ready === 'true'`)
	return tab
}
