package desk

import (
	"math"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
	"attnatlas/web/unroll"
)

// agreed is the largest distance at which two computations count as equal.
const agreed = 1e-6

// running fills in the playground for running sums, up to the selected word.
func (p *deskPage) running(v *pageView, name string) error {
	s, word := p.Learned.Running, p.labels[p.word-1]
	v.Heading, v.Lead, v.Definition = p.l.T("desk.running.heading", "name", name), p.l.T("desk.running.lead", "name",
		name), p.l.T("desk.running.definition")
	v.Form.Legend = p.l.T("desk.text")
	p.reading(v)
	apart, id := metrics.RelativeDifference(s.Read, s.Mapped), "desk.running.agree"
	model := metrics.RelativeDifference(s.Read, s.Model)
	if max(apart, model) > agreed {
		id = "desk.running.disagree"
	}
	v.Says = append(v.Says,
		p.l.T(id, "apart", messages.Number(apart), "own", messages.Number(p.distanceOfReadings(p.word-1)), "word", word,
			"model", messages.Number(model)),
		p.l.T("desk.running.size", "width", s.Read.Dim(1), "words", len(p.labels)))
	v.Row.Says = p.l.T("desk.running.row", "word", word)
	for i, y := range s.Read.Sub(p.word - 1).Data[:min(unroll.MostCells, s.Read.Dim(1))] {
		v.Row.Cells = append(v.Row.Cells, rowCell{
			Word: p.l.T("desk.running.feature", "number", i+1), Changed: messages.Number(float64(y)),
			Learned: messages.Number(float64(s.Mapped.Sub(p.word - 1).Data[i])),
		})
	}
	v.Table = p.sumsTable()
	if err := p.sumsMaps(v, word); err != nil {
		return err
	}
	return p.film(v)
}

// reading states which sums a word reads, and links to the other mask.
func (p *deskPage) reading(v *pageView) {
	id := "desk.running.whole"
	if p.Learned.Running.Causal {
		id = "desk.running.causal"
	}
	v.Says = append(v.Says, p.l.T(id))
	for _, way := range []struct {
		mask nn.MaskKind
		id   string
	}{{nn.NoMask, "desk.running.to-whole"}, {nn.Causal, "desk.running.to-causal"}} {
		st := p.state
		st.Mask = way.mask
		v.Readings = append(v.Readings, unroll.ChoiceLink{Link: components.Link{Label: p.l.T(way.id),
			URL: p.url(st, p.asked)}, Chosen: way.mask == p.state.Mask})
	}
}

// distanceOfReadings returns the distance between the two results for a word, from 0, divided by
// the largest result.
func (p *deskPage) distanceOfReadings(i int) float64 {
	s := p.Learned.Running
	far := 0.0
	for c, y := range s.Read.Sub(i).Data {
		far = max(far, math.Abs(float64(y-s.Mapped.Sub(i).Data[c])))
	}
	return far / max(largestOf(s.Read), math.SmallestNonzeroFloat32)
}

func largestOf(t *tensor.T) (most float64) {
	for _, v := range t.Data {
		most = max(most, math.Abs(float64(v)))
	}
	return most
}

// square returns a map of features by features.
func square(value *tensor.T) trace.Map {
	return trace.Map{Name: "state", Kind: trace.Activation, Value: value, Axes: []trace.Axis{
		{Role: trace.Channel, Name: "feature of the key"}, {Role: trace.Channel, Name: "feature of the value"},
	}}
}

// sumsMaps adds the maps of S after the word, of its summand, of the implied attention weights, and
// of z.
func (p *deskPage) sumsMaps(v *pageView, word string) error {
	s, i := p.Learned.Running, p.word-1
	weights, err := weightsOf(p.Learned, p.state.Layer, p.head)
	if err != nil {
		return err
	}
	keys := trace.Map{Name: "keys", Kind: trace.Activation, Value: s.Keys.Sub(i),
		Axes: []trace.Axis{{Role: trace.Channel, Name: "feature of the key"}}}
	for _, m := range []struct {
		title string
		of    trace.Map
		most  float64
	}{
		{p.l.T("desk.running.state", "word", word), square(s.State.Sub(i)), largestOf(s.State)},
		{p.l.T("desk.running.added", "word", word), square(s.Added.Sub(i)), largestOf(s.Added)},
		{p.l.T("desk.running.map"), weights, 0},
		{p.l.T("desk.running.sum", "word", word), keys, largestOf(s.Keys)},
	} {
		drawn, err := unroll.Drawer{Language: p.l, State: p.state, Word: p.word, Most: m.most}.Drawn(m.of)
		if err != nil {
			return err
		}
		drawn.Caption = p.l.T("desk.running.caption", "title", m.title, "layer", p.state.Layer, "head", p.head,
			"least", messages.Number(unroll.Extreme(m.of, math.Min)), "largest", messages.Number(unroll.Extreme(m.of, math.Max)))
		v.Maps = append(v.Maps, NamedMap{Title: m.title, Map: drawn})
	}
	return nil
}

// at returns the URL of the sums after a word, from 1, or "" if there is no such word.
func (p *deskPage) at(word int) string {
	if word < 1 || word > len(p.labels) {
		return ""
	}
	st := p.state
	st.Pin = address.Pin{Row: word}
	return p.url(st, p.asked)
}

// film adds the states after every word.
func (p *deskPage) film(v *pageView) error {
	s, word := p.Learned.Running, p.labels[p.word-1]
	v.Film = Film{
		Title: p.l.T("desk.running.title"), Number: p.l.T("desk.running.number", "number", p.word, "count", len(p.labels),
			"word", word),
		Previous: p.at(p.word - 1), Next: p.at(p.word + 1),
	}
	draw := unroll.Drawer{Language: p.l, State: p.state, Most: largestOf(s.State)}
	for i, label := range p.labels {
		drawn, err := draw.Drawn(square(s.State.Sub(i)))
		if err != nil {
			return err
		}
		hint := p.l.T("desk.running.frame", "word", label)
		v.Film.Frames = append(v.Film.Frames, FilmFrame{
			ChoiceLink: unroll.ChoiceLink{Link: components.Link{Label: label, Hint: hint, URL: p.at(i + 1)},
				Chosen: i+1 == p.word}, Image: drawn.Image,
		})
	}
	return nil
}

// sumsTable returns the table of the words' summands.
func (p *deskPage) sumsTable() NamedTable {
	s := p.Learned.Running
	table := NamedTable{Title: p.l.T("desk.running.table"), Intro: p.l.T("desk.running.table-intro"),
		Head: p.l.Lines(messages.New("desk.running.columns"))}
	for i, label := range p.labels {
		row := tableLine{Link: components.Link{Label: label, URL: p.at(i + 1)}, Current: i+1 == p.word}
		for _, v := range []float64{length(s.Added.Sub(i)), length(s.State.Sub(i)), p.distanceOfReadings(i)} {
			row.Cells = append(row.Cells, Value{Text: messages.Number(v)})
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// length is the square root of the sum of squares.
func length(t *tensor.T) float64 {
	sum := 0.0
	for _, v := range t.Data {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum)
}
