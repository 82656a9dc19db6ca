package wall_test

import (
	"fmt"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"
)

// shelf opens a card's other maps in a tab.
func shelf(t *testing.T, tab *browsertest.Tab, server, id string) *page {
	t.Helper()
	tab.Visit(server + "/?theme=light&m=" + id)
	if browsertest.Ask[int](tab, `document.querySelectorAll('.view canvas').length`) != 0 {
		t.Error("maps that nobody has asked for are drawn")
	}
	tab.Trigger("#more-" + id + " summary")
	tab.Eventually(fmt.Sprintf(`document.querySelector('#more-%[1]s:not([data-folded]) .sheet')
		&& [...document.querySelectorAll('#more-%[1]s .sheet')].every((s) => s.tabIndex === 0)`, id))
	return newPage(t, tab)
}

// TestMoreMapsReadTheValuesOfTheAPI: the other maps, once opened, show the values of the API under the mouse.
func TestMoreMapsReadTheValuesOfTheAPI(t *testing.T) {
	server, tab := browsertest.Untrained(t).URL, browsertest.Open(t)
	for _, c := range []struct {
		id, name       string
		row, col, cell int
		want           func(v float64) string
	}{
		{"linformer", "weights", 2, 5, 2*16 + 5, func(v float64) string { return "cat · slot 6: " + messages.Number(v) }},
		{"linformer", "E", 3, 7, 3*16 + 7, func(v float64) string { return "sat · slot 8: " + messages.Number(v) }},
		{"reformer", "buckets", 1, 4, 19 + 4, func(v float64) string { return fmt.Sprintf("round 2 · on: bucket %v", v) }},
		{"reformer", "weights by round", 1, 6, 19 + 6, func(v float64) string { return "The → mat: " + messages.Number(v) }},
		{"residual-shuffle-exchange", "activity", 3, 9, 3*32 + 9,
			func(v float64) string { return "stage 4 · place 10: " + messages.Number(v) }},
	} {
		p := shelf(t, tab, server, c.id)
		p.point(c.id, c.name, c.row, c.col)
		values := p.values(server, c.id, c.name)
		p.says(c.id, c.name, c.want(values[c.cell]))
	}
}

// TestPlanesOfAStack: selecting another round shows its numbers, and the link leads to its figure.
func TestPlanesOfAStack(t *testing.T) {
	server := browsertest.Untrained(t).URL
	p := shelf(t, browsertest.Open(t), server, "reformer")
	values := p.values(server, "reformer", "weights by round")
	p.do(`document.querySelectorAll('#view-reformer-weights-by-round .plane')[1].click()`)
	p.point("reformer", "weights by round", 1, 6)
	p.says("reformer", "weights by round", "The → mat: "+messages.Number(values[19*19+19+6]))
	p.tab.Eventually(`document.querySelector('#view-reformer-weights-by-round .view-export').href.includes('plane=2')`) // the figure of round 2
}

// TestWiringTracesAWord: a word reaches twice as many slots after each stage of the first half. The wires on its way
// are lit, in front of the others.
func TestWiringTracesAWord(t *testing.T) {
	p := shelf(t, browsertest.Open(t), browsertest.Untrained(t).URL, "residual-shuffle-exchange")
	const id = "residual-shuffle-exchange"
	p.point(id, "wiring", 2, 0)
	p.says(id, "wiring", "cat can be at 2, 4, 8, 16, 32, 32, 32, 32, 32 positions after the switches of stage 1, 2, …")
	browsertest.Becomes(p.tab, `[...document.querySelectorAll('#view-`+id+
		`-wiring .stage')].map((s) => s.querySelectorAll('.wires .on').length)`,
		[]int{2, 4, 8, 16, 32, 32, 32, 32, 32}) // lit wires by stage
	p.tab.Eventually(`[...document.querySelectorAll('.token.is-target')].map((c) => c.textContent).join() === 'cat'`)
	p.do(`document.getElementById('view-` + id + `-wiring').querySelector('.sheet').focus()`)
	p.key("ArrowDown")
	p.says(id, "wiring", "sat can be")
}

// TestOpenMapsStayOpen: another layer, head or text shows the same maps again.
func TestOpenMapsStayOpen(t *testing.T) {
	p := shelf(t, browsertest.Open(t), browsertest.Untrained(t).URL, "linformer")
	p.tab.Choose("c-head", "2")
	p.tab.Eventually(`location.search.includes('head=2')
		&& [...document.querySelectorAll('#more-linformer[open] .sheet')].filter((s) => s.querySelector('canvas')).length === 4`)
	p.tab.Eventually(`document.querySelector('#more-linformer').dataset.src.includes('head=2')`) // its numbers
}
