package unroll

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
	explainpage "attnatlas/web/explain"
	"attnatlas/web/site"
)

// stepsPage builds the view of the steps page.
type stepsPage struct {
	stepped
	unroller
	s *pages
}

// stepsView returns the view of the steps page.
func (s *pages) stepsView(l *messages.Language, x stepped) (StepsView, error) {
	p := &stepsPage{x, unroller{Drawer{Language: l, State: x.state, Word: x.word}, tokenizer.Labels(x.found.Tokens)}, s}
	name := l.Say(s.Find(x.asked.ID).Name)
	v := StepsView{
		Page: s.Head(l, "steps", name+" · "+l.T("steps.title"), l.T("steps.summary"), x.state).With(files...),
		ID:   x.asked.ID, Name: name, Lead: l.T("steps.lead", "name", name, "layer", x.found.Layers[x.found.Layer-1]),
		Back:    components.Link{Label: l.T("explain.back", "name", name), URL: address.Mechanism(x.state, x.asked.ID)},
		DataURL: through{ID: x.asked.ID}.url("/api/v1/steps", x.state),
		AskURL:  p.ask(1, 0), Current: x.at, Row: x.word - 1,
	}
	p.choices(&v)
	for i := range x.found.List {
		step, err := p.step(i)
		if err != nil {
			return v, err
		}
		v.Steps = append(v.Steps, step)
	}
	return v, nil
}

// url returns the URL of the same page in another state.
func (p *stepsPage) url(st address.State, asked through) string {
	return asked.url(address.StepsPath, st)
}

// ask returns the URL that traces a number.
func (p *stepsPage) ask(array, place int) string {
	return explainpage.Asked{ID: p.asked.ID, Array: array, Place: place,
		Word: p.state.Pin.Row}.URL(address.ExplainPath, p.state)
}

// choices adds the links to tokens, layers, heads and planes.
func (p *stepsPage) choices(v *StepsView) {
	choice := func(label string, chosen bool, st address.State, asked through) ChoiceLink {
		return ChoiceLink{Link: components.Link{Label: label, URL: p.url(st, asked)}, Chosen: chosen}
	}
	v.Words = p.words(func(st address.State) string { return p.url(st, p.asked) })
	for i, name := range p.found.Layers {
		st := p.state
		st.Layer = i + 1
		asked := p.asked
		asked.Step = ""
		label := strconv.Itoa(i + 1)
		if stack, number, ok := strings.Cut(name, " layer "); ok { // of an encoder–decoder
			label = stack + " " + number
			if !strings.HasPrefix(p.found.Layers[p.found.Layer-1], stack) {
				st.Pin = address.Pin{} // it has other tokens
			}
		}
		v.Layers = append(v.Layers, choice(label, i+1 == p.found.Layer, st, asked))
	}
	apart := false
	for i, s := range p.found.List {
		_, heads := s.Map.Has(trace.Head)
		_, side := s.Map.Has(trace.HeadChannel)
		apart = apart || heads || side
		if view := p.found.View(i, p.head, 1); view.Planes > 0 && v.Stack == "" {
			v.Stack = site.Capital(p.Language.Say(figure.Title(view.Stack)))
		}
	}
	for i := range p.found.Heads {
		if st := p.state; apart {
			st.Head = i + 1
			v.Heads = append(v.Heads, choice(strconv.Itoa(i+1), i+1 == p.head, st, p.asked))
		}
	}
	for i := range p.planes {
		asked := p.asked
		asked.Plane = i + 1
		v.Planes = append(v.Planes, choice(strconv.Itoa(i+1), i+1 == max(p.asked.Plane, 1), p.state, asked))
	}
}

// step is one step of the page.
func (p *stepsPage) step(i int) (StepView, error) {
	s := p.found.List[i]
	view := p.found.View(i, p.head, p.asked.Plane)
	asked := p.asked
	asked.Step = s.Key
	v := StepView{
		Key: s.Key, Section: p.section(i), Name: s.Key,
		Number: p.Language.T("steps.number", "number", i+1, "count", len(p.found.List)), Tex: s.Map.Tex,
		Say: exhibit.StepSentence(p.Language, s), Shape: p.shape(s, view), Array: s.Array,
	}
	v.URL = p.url(p.state, asked) + "#step-" + messages.Key(s.Key)
	if s.Line > 0 {
		v.Source = components.Link{Label: fmt.Sprintf("%s:%d", path.Base(p.s.Find(p.asked.ID).Source.Path), s.Line),
			Hint: p.Language.T("program.line", "line", s.Line),
			URL:  fmt.Sprintf("%s#line-%d", address.Source(p.state, p.asked.ID), s.Line)}
	}
	v.From, v.Stride = view.Place(0, 0), view.Place(1, 0)-view.Place(0, 0)
	if s.Columns != nil {
		v.Columns, v.From = strings.Join(strings.Fields(strings.Trim(fmt.Sprint(s.Columns), "[]")), ","), 0
	}
	var err error
	if v.Map, err = p.Drawn(view.Map); err != nil {
		return v, err
	}
	axes := view.Map.Axes
	if v.Reads = p.follows(axes[len(axes)-1]); !p.follows(axes[0]) {
		v.Map.Marked = 0
	}
	v.Row, v.Cells = p.row(s, view)
	v.Map.Caption = p.Language.T("steps.map-of", "name", s.Key, "shape", v.Shape, "least",
		messages.Number(Extreme(view.Map, math.Min)), "largest", messages.Number(Extreme(view.Map, math.Max)))
	return v, nil
}

// section returns the heading before step i, if a part of the model begins there.
func (p *stepsPage) section(i int) string {
	list := p.found.List
	switch layer := p.found.Layers[p.found.Layer-1]; {
	case i == 0 && list[0].Part == "":
		return p.Language.T("steps.before")
	case i > 0 && list[i].Part == list[i-1].Part:
		return ""
	case list[i].Part != "":
		return site.Capital(list[i].Part)
	case p.found.Layer < p.found.Last:
		return p.Language.T("steps.between", "layer", site.Capital(layer))
	}
	return p.Language.T("steps.behind")
}

// follows reports whether the positions of an axis are the tokens that can be selected. A decoder
// has two texts.
func (p *stepsPage) follows(a trace.Axis) bool { return a.Text && slices.Equal(a.Labels, p.labels) }

// shape returns the shape of a step in words.
func (p *stepsPage) shape(s explain.PassStep, view explain.StepView) string {
	shape := exhibit.ShapeInWords(p.Language, view, p.found.Heads)
	if _, apart := s.Map.Has(trace.Head); apart && len(s.Map.Axes) > 1 && s.Map.Axes[0].Role == trace.Head {
		shape += " " + p.Language.T("steps.of-head", "head", p.head)
	}
	if view.Planes > 0 {
		shape += ", " + p.position(view.Stack, view.Plane-1)
	}
	return shape
}

// Extreme returns the extreme value of a map, such as the largest with math.Max.
func Extreme(m trace.Map, of func(a, b float64) float64) float64 {
	found := float64(m.Value.Data[0])
	for _, v := range m.Value.Data {
		found = of(found, float64(v))
	}
	return found
}

// MostCells is the most cells of a row that are described in words.
const MostCells = 5

// row returns the cells farthest from 0 in the row of the selected token, or in the whole map if
// its rows are not tokens.
func (p *stepsPage) row(s explain.PassStep, view explain.StepView) (label string, cells []wordCell) {
	m := view.Map
	if m.Kind == trace.Category { // class numbers have no order
		return "", nil
	}
	cols := m.Value.Dim(-1)
	rows := m.Value.Len() / cols
	from, to := 0, rows
	label = p.Language.T("steps.whole")
	if len(m.Axes) == 2 && (p.follows(m.Axes[0]) || rows == 1 && m.Axes[0].Labels != nil) {
		if rows > 1 {
			from, to = p.word-1, p.word
		}
		label = p.Language.T("steps.row", "word", m.Axes[0].Labels[from])
	}
	order := make([]int, 0, (to-from)*cols)
	for i := from * cols; i < to*cols; i++ {
		if m.Reaches(i/cols, i%cols) {
			order = append(order, i)
		}
	}
	size := func(i int) float64 { return math.Abs(float64(m.Value.Data[i])) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	for _, i := range order[:min(len(order), MostCells)] {
		r, c := i/cols, i%cols
		value := messages.Number(float64(m.Value.Data[i]))
		cell := wordCell{Column: p.name(m.Axes[len(m.Axes)-1], c), Value: value}
		if to-from > 1 {
			cell.Column = p.name(m.Axes[0], r) + ", " + cell.Column
		}
		if s.Array > 0 {
			cell.URL, cell.Hint = p.ask(s.Array, view.Place(r, c)), p.Language.T("steps.ask", "value", value)
		}
		cells = append(cells, cell)
	}
	return label, cells
}

// name returns a position in words: "feature 7", or the token itself.
func (p *stepsPage) name(a trace.Axis, i int) string {
	switch label := p.position(a, i); {
	case figure.Numbered(a):
		return p.Language.Say(figure.Title(a)) + " " + label
	case a.Text || a.Name == "word piece":
		return p.Language.T("steps.quoted", "word", label)
	default:
		return label
	}
}
