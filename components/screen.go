package components

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// changes reports whether a control is there to change what is computed.
func (s Select) changes() bool { return s.Changes && len(s.Options) > 0 }

// displayed says beside the folded controls which layer is shown, and whether cells are excluded.
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

// chosen is the option that is chosen; the zero one where there is none.
func (s Select) chosen() SelectOption {
	if i := slices.IndexFunc(s.Options, func(o SelectOption) bool { return o.Selected }); i >= 0 {
		return s.Options[i]
	}
	return SelectOption{}
}

// bare is a card on a page that has said elsewhere what the mechanism computes.
func (c Card) bare() Card {
	c.Formula, c.Composition = "", Composition{}
	return c
}

// mostColumns is how many maps without labels stand beside each other on a wide screen.
const mostColumns = 9

// rows and columns arrange all cards in sight of each other, in rows of nearly as many.
func (w Wall) rows() string { return strconv.Itoa(rowsOfCards(len(w.Cards))) }

func (w Wall) columns() string {
	rows := rowsOfCards(len(w.Cards))
	return strconv.Itoa((len(w.Cards) + rows - 1) / rows)
}

func rowsOfCards(n int) int { return max(1, (n+mostColumns-1)/mostColumns) }
