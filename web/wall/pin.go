package wall

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// mostRead is the number of words that the reading of a row names.
const mostRead = 2

// reading is the sentence in the bar about one mechanism, with the amount to sort it by.
type reading struct {
	components.Reading
	amount float64 // in its unit; NaN: none
	few    bool    // smaller is better
}

// pin reads the pinned place on every card.
func (p *View) pin() *components.Pin {
	if p.State.Pin == (address.Pin{}) || p.Layers == 0 {
		return nil
	}
	row, col := p.State.Pin.Row-1, p.State.Pin.Col-1
	tokens := p.Sel.Report.Tokens
	pin := &components.Pin{Row: row, Col: col, RowText: tokens[row].Label()}
	if col >= 0 {
		pin.ColText = tokens[col].Label()
	} else {
		pin.Verb = p.T("reading.most." + p.State.Show.String())
	}
	var list []reading
	for i := range p.Sel.Report.Mechanisms {
		list = append(list, p.readingOf(&p.Sel.Report.Mechanisms[i], row, col))
	}
	pin.Readings = sorted(list)
	return pin
}

// readingOf reads the mechanism's own tokens that overlap the pinned tokens of the text, and returns the strongest
// reading.
func (p *View) readingOf(m *engine.Result, row, col int) reading {
	spans := p.Sel.Report.Aligned(m)
	if spans == nil {
		return p.reading(m.ID, row, col)
	}
	best := reading{components.Reading{Mechanism: m.ID, Name: p.Name(m.ID), Value: "–"}, math.NaN(), false}
	cols := tokenizer.Span{First: -1} // the row
	if col >= 0 {
		cols = spans[col]
	}
	for own := spans[row].First; own < spans[row].Last; own++ {
		for c := cols.First; c < cols.Last; c++ {
			if r := p.reading(m.ID, own, c); math.IsNaN(best.amount) || r.amount > best.amount {
				best = r
			}
		}
	}
	return best
}

// reading reads a cell of a mechanism, or a row if the column is below 0.
func (p *View) reading(id string, row, col int) reading {
	r := reading{components.Reading{Mechanism: id, Name: p.Name(id), Value: "–"}, math.NaN(), false}
	x, err := p.Sel.Exhibit(id, "", 0)
	if err != nil {
		return r
	}
	r.Unit, r.few = x.Unit(), x.Counts()
	if col >= 0 {
		said := x.Reading(row, col)
		r.Value, r.Exact, r.amount = p.Say(said.Text), said.Exact, said.Amount
		if said.Aside {
			r.Aside = p.T("reading.aside.cell")
		}
		if said.Exact != "" {
			r.Of = p.Say(x.Of())
		}
		return r
	}
	r.Value = p.T("reading.row.nothing")
	for i, read := range x.Most(row, mostRead) {
		if i == 0 {
			r.Value, r.amount = "", read.Amount
		}
		r.Words = append(r.Words, components.ReadWord{Label: p.Sel.Report.TokensOf(x.Result)[read.Col].Label(),
			Value: p.Say(read.Says), Exact: read.Exact})
	}
	if words, share := x.Aside(row); words != "" {
		r.Aside = p.T("reading.aside.row", "words", words, "share", messages.Number(share))
	}
	r.Meets = r.few && len(r.Words) > 0
	return r
}

// sorted groups readings by unit, in the order in which the units first occur, and sorts each group by amount.
// Readings without an amount are last. The length of a bar is relative to the largest amount of its unit.
func sorted(list []reading) []components.Reading {
	var units []string
	top := map[string]float64{}
	for _, r := range list {
		if math.IsNaN(r.amount) {
			continue
		}
		if !slices.Contains(units, r.Unit) {
			units = append(units, r.Unit)
		}
		top[r.Unit] = max(top[r.Unit], r.amount)
	}
	place := func(r reading) int {
		if math.IsNaN(r.amount) {
			return len(units)
		}
		return slices.Index(units, r.Unit)
	}
	slices.SortStableFunc(list, func(a, b reading) int {
		if a.few {
			return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.amount, b.amount))
		}
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.amount, a.amount))
	})
	all := make([]components.Reading, len(list))
	for i, r := range list {
		all[i] = r.Reading
		if !r.few && top[r.Unit] > 0 && !math.IsNaN(r.amount) {
			all[i].Share = r.amount / top[r.Unit]
		}
	}
	return all
}

// OnCards lets each card show its reading of the pinned place.
func (p *View) OnCards(w *components.Wall) {
	if w.Pin == nil {
		return
	}
	for i := range w.Cards {
		for _, r := range w.Pin.Readings {
			if r.Mechanism == w.Cards[i].ID {
				w.Cards[i].Reading = r
			}
		}
	}
}
