package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// page is a tab with the maps of a card open.
type page struct {
	t   *testing.T
	ctx context.Context
}

func newPage(t *testing.T, ctx context.Context) *page { return &page{t, ctx} }

// do runs a statement.
func (p *page) do(statement string) {
	p.t.Helper()
	ask[bool](p.t, p.ctx, `(() => { `+statement+`; return true; })()`)
}

func viewOf(id, name string) string {
	return "view-" + id + "-" + strings.ReplaceAll(name, " ", "-")
}

// point moves the mouse over a cell of a view. The rows of a wiring are slots.
func (p *page) point(id, name string, row, col int) {
	p.t.Helper()
	at := ask[[]float64](p.t, p.ctx, fmt.Sprintf(`(async () => {
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
	must(p.t, chromedp.Do(p.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])))
}

// key presses a key in the element with the focus.
func (p *page) key(name string) {
	p.t.Helper()
	p.do(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '` + name + `', bubbles: true }))`)
}

// says waits until the line below a view is one of the sentences, or begins with it.
func (p *page) says(id, name string, sentences ...string) {
	p.t.Helper()
	line := fmt.Sprintf(`document.querySelector('#%s .view-read').textContent.trim()`, viewOf(id, name))
	got := ""
	said := func(want string) bool { return strings.HasPrefix(got, want) }
	if !comes(func() bool {
		got = ask[string](p.t, p.ctx, line)
		return slices.ContainsFunc(sentences, said)
	}) {
		p.t.Errorf("%s %s says %q, want %q", id, name, got, sentences)
	}
}

// values returns all numbers of a map of the worked example, as the page requests them.
func (p *page) values(server, id, name string) []float64 {
	p.t.Helper()
	values, _ := valuesOf(p.t, server, id, name)
	return values
}
