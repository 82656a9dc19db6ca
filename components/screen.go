package components

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// changes reports whether a control changes the computation.
func (s Select) changes() bool { return s.Changes && len(s.Options) > 0 }

// displayed states, next to the folded controls, the current layer and whether cells are excluded.
func (w Wall) displayed(ctx context.Context) string {
	var said []string
	for _, s := range w.Controls.Selects {
		if s.Name == "layer" && s.chosen().Label != "" {
			said = append(said, T(ctx, "screen.displayed", "layer", s.chosen().Label))
		}
	}
	if w.Controls.Filter.On {
		said = append(said, T(ctx, "filter.on"))
	}
	return strings.Join(said, " · ")
}

// chosen returns the selected option, or the zero SelectOption.
func (s Select) chosen() SelectOption {
	if i := slices.IndexFunc(s.Options, func(o SelectOption) bool { return o.Selected }); i >= 0 {
		return s.Options[i]
	}
	return SelectOption{}
}

// bare returns a card for a page that describes the mechanism elsewhere.
func (c Card) bare() Card {
	c.Formula, c.Composition = "", Composition{}
	return c
}

// mostColumns is the most maps without labels side by side on a wide screen.
const mostColumns = 9

// rows and columns arrange all cards on one screen, in rows of nearly equal length.
func (w Wall) rows() string { return strconv.Itoa(rowsOfCards(len(w.Cards))) }

func (w Wall) columns() string {
	rows := rowsOfCards(len(w.Cards))
	return strconv.Itoa((len(w.Cards) + rows - 1) / rows)
}

func rowsOfCards(n int) int { return max(1, (n+mostColumns-1)/mostColumns) }
