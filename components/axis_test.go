package components_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"attnatlas/components"

	"github.com/a-h/templ"
)

// Sizes in CSS pixels for which axes are labelled: a map, and the smallest cells with labels of
// their own, as in axis.go.
const (
	nominal    = 250
	labelPitch = 11
)

// axisTick is a label of an axis of n cells.
type axisTick struct {
	index int // of its cell
	text  string
	ruler bool
}

// axisTicks returns the labels of a rendered axis of n cells. Every label is at the centre of a
// cell.
func axisTicks(t *testing.T, c templ.Component, class string, n int) (all []axisTick) {
	t.Helper()
	place := regexp.MustCompile(`^(\d+\.\d{3})%$`)
	root, _ := parsed(t, c)
	for _, label := range elements(find(root, "class", class)[0], "text") {
		at := attr(label.Parent, map[string]string{"labels-cols": "x", "labels-rows": "y"}[class])
		percent := place.FindStringSubmatch(at)
		if percent == nil {
			t.Fatalf("%d cells: a label at %q", n, at)
		}
		x, err := strconv.ParseFloat(percent[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		cell := x/100*float64(n) - 0.5
		if off := math.Abs(cell - math.Round(cell)); off > 0.01 || cell < -0.01 || cell > float64(n)-0.99 {
			t.Errorf("%d cells: the label %s at %s is no cell's", n, textOf(label), at)
		}
		all = append(all, axisTick{int(math.Round(cell)), textOf(label), strings.Contains(attr(label, "class"), "ruler")})
	}
	return all
}

// TestTicks: labels have room. The first token has one, and the labels of a ruler are numbers of
// positions.
func TestTicks(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 22, 23, 62, 63, 64, 400, 512} {
		numbers := components.ViewAxes(components.Map{Cols: components.Axis{Count: n}})
		numbered := axisTicks(t, numbers, "labels-cols", n)
		for _, tick := range numbered {
			if tick.text != strconv.Itoa(tick.index+1) {
				t.Errorf("of %d numbers the position %d is called %s", n, tick.index+1, tick.text)
			}
		}
		if (len(numbered) > 0) != (n > 1) {
			t.Errorf("%d numbers have %d labels", n, len(numbered))
		}
		tokens := make([]components.TokenChip, n)
		for i := range tokens {
			tokens[i].Label = "t" + strconv.Itoa(i)
		}
		for _, class := range []string{"labels-cols", "labels-rows"} {
			all := axisTicks(t, components.MapFigure(components.Card{}, tokens), class, n)
			if n > 0 && (len(all) == 0 || all[0].index != 0) {
				t.Errorf("%d tokens: the first has no label", n)
			}
			for i, tick := range all {
				want := "t" + strconv.Itoa(tick.index)
				if tick.ruler {
					want = strconv.Itoa(tick.index + 1)
				}
				if tick.text != want {
					t.Errorf("%d tokens: label %d is %s, want %s", n, i, tick.text, want)
				}
				if i > 1 && nominal/float64(n)*float64(tick.index-all[i-1].index) < labelPitch {
					t.Errorf("%d tokens: labels %d and %d are too close", n, i-1, i)
				}
			}
		}
	}
}
