// Package figures answers the requests of a live figure: one map of a text with its labels, and the choices for
// further requests. Its numbers and labels are those of /export/MECHANISM.json; a test compares them. It draws
// nothing, so that the program for browsers needs no code for files and stays small.
package figures

import (
	"context"
	"math"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/axes"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// These are the heads that a Request can name, besides the numbers from 1.
const (
	Mean        = 0  // the mean over all heads
	Distinctive = -1 // the most distinctive
)

// Request names the map that is wanted.
type Request struct {
	Text      string `json:"text"`
	Mechanism string `json:"mechanism"`
	Map       string `json:"map"`   // its name; empty: the mechanism's main map
	Layer     int    `json:"layer"` // from 1; 0: the first
	Head      int    `json:"head"`  // from 1, Mean or Distinctive
	Plane     int    `json:"plane"` // of a map with planes, from 1; 0: the first
	Causal    bool   `json:"causal"`
	engine.Arrangement
}

// Answer is a map, or the reason why there is none.
type Answer struct {
	Error  string   `json:"error,omitempty"`
	Figure *Figure  `json:"figure,omitempty"`
	Where  string   `json:"where"`  // the layer and the head in words
	Layers []string `json:"layers"` // names of the layers
	Heads  int      `json:"heads"`
	Maps   []Choice `json:"maps"`
	Planes []string `json:"planes,omitempty"` // names of the planes; nil: the map has none
}

// Choice is a value that a request may name.
type Choice struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Figure is a map as <attention-map> draws it.
type Figure struct {
	Title  string       `json:"title"`
	Rows   []string     `json:"rows"`
	Cols   []string     `json:"cols"`
	Values [][]*float32 `json:"values"` // null: not computed, or not a number
	// Nothing and Reasons say why values are null, as in figure.JSON: a letter for each cell, and the meaning of each
	// letter.
	Nothing []string          `json:"nothing,omitempty"`
	Reasons map[string]string `json:"reasons,omitempty"`
	Kind    string            `json:"kind"`
	Words   map[string]string `json:"words"`
}

// Inspector is the engine.
type Inspector interface {
	Inspect(ctx context.Context, r engine.Request) (*engine.Report, error)
}

// Of answers a request.
func Of(ctx context.Context, e Inspector, r Request) Answer {
	ask := engine.Request{Text: r.Text, Mechanisms: []string{r.Mechanism}}
	if r.Causal {
		ask.Mask = nn.Causal
	}
	if r.Map == method.Influence {
		ask.Method = method.Measurement{Name: method.Influence, Layer: max(r.Layer, 1)}
	}
	report, err := e.Inspect(ctx, ask)
	if err == nil {
		err = report.Mechanisms[0].Err
	}
	if err != nil {
		return Answer{Error: messages.From(ctx).Say(messages.Of(err))}
	}
	p := picker{Language: messages.From(ctx), Request: r, report: report, res: &report.Mechanisms[0]}
	a, err := p.answer()
	if err != nil {
		a.Error = p.Say(messages.Of(err))
	}
	return a
}

// picker picks the map of a request from a report.
type picker struct {
	*messages.Language
	Request
	report *engine.Report
	res    *engine.Result
	layer  engine.Layer
	shown  []int // as engine.Arrangement.Shown
}

func (p *picker) answer() (a Answer, err error) {
	a.Heads = p.res.Heads
	for _, l := range p.res.Layers {
		a.Layers = append(a.Layers, p.T("unit."+l.Unit(), "number", l.Number))
	}
	if p.layer, err = engine.LayerOf(p.res, p.res.Layers, p.Layer); err != nil {
		return a, err
	}
	a.Maps = p.maps()
	view := p.view()
	m, head, err := p.find(view.Map)
	if err != nil {
		return a, err
	}
	p.shown = p.Shown(p.report, p.res, p.main)
	a.Where = p.where(head)
	if len(m.Axes) > 2 { // a map with planes
		for i := range m.Value.Dim(0) {
			a.Planes = append(a.Planes, p.Say(axes.Label(m.Axes[0], i)))
		}
		m = m.Plane(min(max(p.Plane, 1), len(a.Planes)) - 1)
	}
	a.Figure, err = p.figure(m, view)
	return a, err
}

// view returns the view of the requested map.
func (p *picker) view() attention.View {
	for i, v := range p.res.Entry.Views {
		if v.Map == p.Map || p.Map == "" && i == 0 {
			return v
		}
	}
	if p.Map == method.Influence {
		_, view := method.Of(p.Map)
		return view
	}
	return attention.View{Map: p.Map}
}

// main returns the map by whose similarity tokens are ordered, as an export of the requested map has it.
func (p *picker) main() (trace.Map, error) {
	name := p.Map
	if name != method.Influence {
		name = p.res.Entry.Views[0].Map
	}
	m, _, err := p.find(name)
	return m, err
}

// maps returns the maps that a request may name.
func (p *picker) maps() (all []Choice) {
	for _, v := range p.res.Entry.Views {
		if m, ok := p.layer.Find(v.Map); ok && drawn(m.HeadMean()) {
			all = append(all, Choice{v.Map, v.Map + " " + v.Symbol})
		}
	}
	if len(p.res.Parts) == 0 { // with two stacks, influence is not measured
		all = append(all, Choice{method.Influence, p.Say(messages.New("live.influence"))})
	}
	return all
}

// drawn reports whether a map without heads has one or two axes, or planes of such maps.
func drawn(m trace.Map) bool {
	return len(m.Axes) < 3 || len(m.Axes) == 3 && axes.Repeats(m.Axes[0].Role)
}

// find returns the map with a name, for the requested head, and that head.
func (p *picker) find(name string) (m trace.Map, head int, err error) {
	m, ok := p.layer.Find(name)
	if !ok {
		return m, 0, fault.Errorf(fault.NotFound, "error.no-map", "name", p.res.Name(), "map", messages.Quote(name))
	}
	if head = p.Head; head == Distinctive {
		head = p.res.DistinctiveHead(p.layer)
	}
	m, err = engine.HeadOf(p.res, m, head, nil)
	if err == nil && !drawn(m) {
		err = fault.Errorf(fault.NotFound, "error.no-map", "name", p.res.Name(), "map", messages.Quote(name))
	}
	return m, head, err
}

// where names the layer and the head.
func (p *picker) where(head int) string {
	of := messages.New("head.number", "number", head)
	switch m, _ := p.layer.Find(p.view().Map); {
	case len(m.Axes) > 0 && m.Axes[0].Role != trace.Head:
		of = messages.Message{}
	case head == Mean:
		of = messages.New("head.mean", "count", p.res.Heads)
	}
	where := messages.Join(", ", messages.New("unit."+p.layer.Unit(), "number", p.layer.Number), of)
	if p.shown != nil && len(p.shown) < len(p.report.TokensOf(p.res)) {
		where = messages.Join("; ", where, messages.New("figure.words-alone"))
	}
	if !slices.IsSorted(p.shown) {
		where = messages.Join("; ", where, messages.New("figure.by-similarity"))
	}
	return p.Say(where)
}

// figure returns a map of one or two axes.
func (p *picker) figure(m trace.Map, view attention.View) (*Figure, error) {
	wiring := m.Kind == trace.Category && m.Axes[0].Role == trace.Stage
	if p.shown != nil && view.By == "" && !wiring {
		m, _ = m.Only(p.shown, len(p.report.TokensOf(p.res)))
	}
	rows, cols := 1, m.Value.Dim(-1)
	if m.Value.Rank() == 2 {
		rows = m.Value.Dim(0)
		if wiring { // the words enter at the first places
			m.Axes = []trace.Axis{m.Axes[0], {Role: m.Axes[1].Role, Name: m.Axes[1].Name,
				Labels: tokenizer.Labels(p.report.Tokens)}}
		}
	}
	classes := math.MaxInt
	if view.By != "" {
		by, _, err := p.find(view.By)
		if err != nil {
			return nil, err
		}
		classes = by.Value.Dim(-1)
	}
	f := &Figure{
		Title: p.Say(messages.Join(" · ", p.res.Name(), messages.Text(view.Symbol))),
		Rows:  []string{p.number(0)}, Cols: p.labels(m.Axes[len(m.Axes)-1], cols),
		Kind: m.Kind.String(), Words: p.words(m),
	}
	if len(m.Axes) > 1 { // the row of a map with one axis has no label
		f.Rows = p.labels(m.Axes[0], rows)
	}
	for r := range rows {
		row, letters := make([]*float32, cols), make([]byte, cols)
		for c := range row {
			v := float32(m.Value.Data[r*cols+c])
			if letters[c] = without(m, r, c, v, classes); letters[c] == '.' {
				row[c] = &v
			}
		}
		f.Values, f.Nothing = append(f.Values, row), append(f.Nothing, string(letters))
	}
	f.Reasons = map[string]string{}
	for letter, class := range reasons {
		if strings.Contains(strings.Join(f.Nothing, ""), letter) {
			f.Reasons[letter] = p.T("legend.nothing.cell-" + class)
		}
	}
	if len(f.Reasons) == 0 {
		f.Nothing = nil
	}
	return f, nil
}

// reasons are the letters for cells without a number.
var reasons = map[string]string{"f": "forbidden", "m": "missing", "b": "bad"}

// without returns the letter of the reason why a cell has no number, or a point if it has one.
func without(m trace.Map, row, col int, v float32, classes int) byte {
	class := m.Kind == trace.Category
	switch {
	case m.Reach != nil && m.Axes[0].Role == trace.Query && len(m.Axes) == 2 && !m.Reach(row, col),
		class && v >= 0 && int(v) < len(m.Classes) && m.Classes[int(v)] == "":
		return 'f'
	case class && (v < 0 || int(v) >= classes):
		return 'm'
	case math.IsNaN(float64(v)) || math.IsInf(float64(v), 0):
		return 'b'
	}
	return '.'
}

// labels returns the labels of an axis's positions. Positions without labels have numbers.
func (p *picker) labels(a trace.Axis, n int) []string {
	list := make([]string, n)
	for i := range list {
		if list[i] = p.Say(axes.Label(a, i)); list[i] == "" {
			list[i] = p.number(i)
		}
	}
	return list
}

// number returns the label of a position without a name.
func (p *picker) number(i int) string { return p.Say(axes.Label(trace.Axis{Role: trace.Token}, i)) }

// words returns the texts that <attention-map> shows around the numbers.
func (p *picker) words(m trace.Map) map[string]string {
	words := map[string]string{}
	for _, id := range []string{"table", "keys", "none"} {
		words[id] = p.T("element." + id)
	}
	for _, norm := range []string{"row", "map", "absolute"} {
		words[norm] = p.T("norm." + norm + ".label")
	}
	if len(m.Axes) == 2 {
		words["rows"], words["cols"] = p.Say(axes.Title(m.Axes[0])), p.Say(axes.Title(m.Axes[1]))
	}
	return words
}

// Texts are the prefixes of the messages that this package and the engine use for these mechanisms.
func Texts(mechanisms []string) []string {
	all := []string{"axis.", "checkpoint.", "count.", "element.", "error.", "head.", "list.", "norm.", "unit.",
		"live.influence", "figure.by-similarity", "figure.words-alone", "legend.nothing.cell-forbidden",
		"legend.nothing.cell-missing", "legend.nothing.cell-bad"}
	for _, id := range mechanisms {
		if entry, stack, ok := engine.Find(id); ok {
			all = append(all, entry.Name.IDs()...)
			if stack != nil {
				all = append(all, stack.Name.IDs()...)
			}
		}
	}
	return all
}
