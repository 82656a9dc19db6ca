package cost

import (
	"strconv"

	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/engine/messages"
)

// table returns an empty table of the cost page, with its texts below an id.
func (v *costView) table(id string, intro ...string) CostTable {
	return CostTable{ID: "cost-" + id, Title: v.l.T("cost." + id + ".heading"), Intro: intro,
		Head: v.l.Lines(messages.New("cost." + id + ".columns"))}
}

func (v *costView) row(id string, cells ...costCell) tableRow {
	return tableRow{ID: id, Name: v.name(id), Chosen: id == v.c.entry.ID, Cells: cells}
}

func cell(text string) costCell { return costCell{Text: text} }

// countCell returns a cell with a count and its formula.
func countCell(c costs.Count) costCell {
	if c.Formula == "" {
		return cell(messages.Grouped(c.Value))
	}
	return costCell{Text: "= " + messages.Grouped(c.Value), Formula: c.Formula}
}

// chosen returns the table of the selected mechanism, with its options.
func (v *costView) chosen() CostTable {
	row := costs.Of(v.c.entry, v.c.asked.Sizes, v.c.asked.Options, v.m.points)
	t := v.table("chosen", v.l.T("cost.chosen.intro", "name", v.name(row.ID), "options", v.optionsText()))
	for _, n := range []int{v.c.asked.Length, 2 * v.c.asked.Length, 4 * v.c.asked.Length} {
		if n > costs.MostLength {
			break
		}
		s := v.c.asked.Sizes
		s.Length, s.Positions = n, max(n, s.Positions)
		row := costs.Of(v.c.entry, s, v.c.asked.Options, nil)
		r := v.row(row.ID, cell(messages.Grouped(n)), countCell(row.Parameters), cell(untrained(row)),
			countCell(row.Operations))
		r.Chosen = n == v.c.asked.Length
		t.Rows = append(t.Rows, r)
	}
	return t
}

// untrained returns the number of stored but untrained parameters.
func untrained(r costs.MechanismCost) string {
	if r.Untrained == 0 {
		return "–"
	}
	return messages.Grouped(r.Untrained)
}

// optionsText returns the selected options for readers.
func (v *costView) optionsText() any {
	if len(v.c.asked.Options) == 0 {
		return messages.New("cost.usual")
	}
	return messages.List(costs.OptionsOf(v.c.asked.Options))
}

// counted returns the table of all mechanisms at the sizes of the form.
func (v *costView) counted() CostTable {
	s := v.c.asked.Sizes
	t := v.table("all", v.l.T("cost.all.intro", "length", s.Length, "width", s.Width, "heads", s.Heads, "positions",
		s.Positions))
	for i, r := range v.rows {
		time, bytes, grows := "–", "–", "–"
		if r.At != nil {
			time, bytes = milliseconds(r.At.Seconds), kilobytes(int64(r.At.Bytes)+int64(r.At.Parameters))
		}
		if r.Measured != nil {
			grows = exponent(*r.Measured)
		}
		t.Rows = append(t.Rows, v.row(r.ID, cell(time), cell(bytes), cell(grows), cell(exponent(r.Counted)),
			costCell{Formula: attention.Catalog[i].Cost, Words: true}, cell(messages.Grouped(r.Operations.Value)),
			cell(messages.Grouped(r.Parameters.Value)), v.from(r.Fewer), v.from(r.Faster)))
	}
	return t
}

// from returns a cell with the length from which a statement holds.
func (v *costView) from(n *int) costCell {
	switch {
	case n == nil:
		return cell("–")
	case *n == 0:
		return cell(v.l.T("cost.never"))
	}
	return cell(messages.Grouped(*n))
}

// kept returns the table of KV caches and recurrent states.
func (v *costView) kept() CostTable {
	t := v.table("kept", v.l.Paragraphs(messages.New("cost.kept.intro"))...)
	for i, r := range v.rows {
		e := &attention.Catalog[i]
		if r.State == nil {
			t.Rows = append(t.Rows, v.row(r.ID, costCell{Text: v.l.T("cost.kept.none"), Words: true}, cell("–"), cell("–"),
				costCell{Text: v.l.Say(e.Masks.NoCausal), Words: true}))
			continue
		}
		more := v.c.asked.Sizes
		more.Length = 4096
		late, _ := e.Kept(more.Config(nil), more.Length)
		now, note := *r.State, ""
		if !e.Masks.NoCausal.IsZero() {
			note = v.l.T("cost.kept.not-causal")
		}
		t.Rows = append(t.Rows, v.row(r.ID, costCell{Formula: now.Formula, Words: true}, cell(kilobytes(numberBytes*now.Value)),
			cell(kilobytes(numberBytes*int64(late))), costCell{Text: note, Words: true}))
	}
	return t
}

// shared returns the table of architectures that reuse the weights of a layer.
func (v *costView) shared() CostTable {
	t := v.table("shared", v.l.T("cost.shared.intro"))
	for _, s := range v.s.ladder() {
		t.Rows = append(t.Rows, v.row(s.ID, cell(v.l.T("cost.shared.of", "own", s.Own, "runs", s.Runs)),
			cell(messages.Grouped(s.Layers)), cell(messages.Grouped(s.Unshared)),
			cell(messages.Grouped(s.Words)), cell(messages.Grouped(s.All))))
	}
	return t
}

// numberBytes is the number of bytes of a number.
const numberBytes = 4

// claimed returns the claims of introductions, next to counted and measured values.
func (v *costView) claimed() CostTable {
	t := v.table("claims", v.l.Paragraphs(messages.New("cost.claims.intro"))...)
	for _, c := range costs.Judge(v.m.points) {
		figure := func(x float64) string {
			if c.Time {
				return "N^" + exponent(x)
			}
			return messages.Grouped(int(x))
		}
		measured, why := "–", ""
		if c.Measured != nil {
			measured = figure(*c.Measured)
		}
		if c.Note != "" {
			why = v.l.T("cost.note." + c.Note)
		}
		kind := "cost.claims.parameters"
		if c.Time {
			kind = "cost.claims.time"
		}
		row := v.row(c.Mechanism, costCell{Text: v.l.T("cost.source." + c.Source), Words: true},
			costCell{Text: v.l.T(kind), Words: true},
			costCell{Formula: c.Formula, Words: true}, cell(figure(c.Claimed)), cell(figure(c.Counted)), cell(measured),
			costCell{Text: why, Words: true})
		for _, o := range costs.OptionsOf(c.Options) {
			row.Name += ", " + o
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// roofed returns the table that compares the measurements at the form's length with the roofline of
// the machine.
func (v *costView) roofed() CostTable {
	if v.m.roof == nil {
		return CostTable{}
	}
	roof := *v.m.roof
	t := v.table("roof", v.l.T("cost.roof.machine", "operations", strconv.FormatFloat(roof.Operations/1e9, 'f', 0, 64),
		"bandwidth", strconv.FormatFloat(roof.Bandwidth/1e9, 'f', 0, 64)))
	t.Intro = append(t.Intro, v.l.Paragraphs(messages.New("cost.roof.intro"))...)
	plot := v.roofPlot(roof)
	for i, r := range v.rows {
		if r.At == nil {
			continue
		}
		at := roof.Below(&attention.Catalog[i], *r.At, measuredConfig(r.At.Length))
		t.Rows = append(t.Rows, v.row(r.ID, cell(strconv.FormatFloat(at.Intensity, 'f', 1, 64)),
			cell(strconv.FormatFloat(at.Rate/1e9, 'f', 1, 64)), cell(messages.WholePercent(at.Share))))
	}
	t.Plot = &plot
	return t
}

// measuredConfig returns the configuration of the measured mixers.
func measuredConfig(n int) attention.Config {
	u := costs.Usual()
	return attention.Config{Width: u.Width, Heads: u.Heads, Length: n}
}

// exponent formats an exponent with two decimals.
func exponent(g float64) string { return strconv.FormatFloat(g, 'f', 2, 64) }

// milliseconds formats seconds as milliseconds, with three significant digits.
func milliseconds(s float64) string { return threeDigits(1e3*s) + " ms" }

// threeDigits formats a number with three significant digits.
func threeDigits(x float64) string {
	decimals := 0
	for limit := 100.0; x < limit && decimals < 4; limit /= 10 {
		decimals++
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// kilobytes formats bytes in a suitable unit.
func kilobytes(bytes int64) string {
	x, unit := float64(bytes), "B"
	for _, next := range []string{"kB", "MB", "GB"} {
		if x < 1000 {
			break
		}
		x, unit = x/1000, next
	}
	if unit == "B" {
		return strconv.FormatInt(bytes, 10) + " B"
	}
	return threeDigits(x) + " " + unit
}
