package wall_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestPointsAreCells: the point under the pointer is a pair of words, which every map shows. A pinned cell is
// marked among the points, at its two values.
func TestPointsAreCells(t *testing.T) {
	server := browsertest.Server(t).URL
	tab := browsertest.Browse(t, "/?show=influence&m=dense&pin=10.7") // "was" and "mat"
	tab.Eventually(`document.querySelector('#card-dense .scatter-at')`)
	place := func(name string) int {
		values, cols := browsertest.Values(t, server, "dense", name)
		return int(math.Round(200 * values[9*cols+6] / slices.Max(values)))
	}
	want := []int{place("weights"), 200 - place("influence")}
	if got := browsertest.Ask[[]int](tab, `['cx', 'cy'].map((key) => Number(document.querySelector('#card-dense .scatter-at').getAttribute(key)))`); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the pair is marked at %v, its values are at %v", got, want)
	}
	tab.Do(chromedp.KeyEvent("\u001b"))
	tab.Eventually(`!document.querySelector('.scatter-at')`)
	tab.Settled()
	// the pair of "was" and [CLS] has a point of its own
	spot := browsertest.Ask[[]float64](tab, `scatter.point('dense', 9 * 19)`)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, spot[0], spot[1]))
	tab.Eventually(pairText + ` === 'was10 is influenced by [CLS]1' && document.querySelector('.scatter-at')`)
	tab.Do(chromedp.MouseClickXY(spot[0], spot[1]))
	tab.Eventually(`new URL(location.href).searchParams.get('pin') === '10.1'`)
}

// TestScattersOfManyCards: with many cards, the scatter plot of each is in its folded part.
func TestScattersOfManyCards(t *testing.T) {
	tab := browsertest.Browse(t, "/?show=influence&m=dot-product,random,dense,fastformer,linear,longformer,bigbird,linformer,reformer")
	tab.Eventually(`document.querySelectorAll('.map[data-map="influence"] canvas').length > 0
		&& !document.querySelector('.measuring')`)
	tab.Trigger("#background-dense summary")
	tab.Eventually(`document.querySelector('#background-dense .scatter-points')?.dataset.cells
		&& document.querySelectorAll('.scatter').length === 1`)
}
