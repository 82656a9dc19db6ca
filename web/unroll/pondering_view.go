package unroll

import (
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/engine/unroll"
	"attnatlas/web/address"

	"github.com/a-h/templ"
)

// ponderingPage builds the view of the adaptive computation page.
type ponderingPage struct {
	pondered
	unroller
}

// ponderingView returns the page that shows when each token halts.
func (s *pages) ponderingView(l *messages.Language, x pondered) (pageView, error) {
	p := &ponderingPage{x, newUnroller(l, x.state, x.found.Tokens)}
	name := l.Say(s.Find(x.id).Name)
	v := pageView{
		Page:    s.Head(l, "pondering", name+" · "+l.T("pondering.title"), l.T("pondering.summary"), x.state).With(files...),
		Kind:    "pondering",
		Heading: l.T("pondering.heading", "name", name), JSON: address.One("/api/v1/pondering", x.state.Word(), x.id, nil),
		Lead: l.T("pondering.lead", "threshold", messages.Number(x.found.Threshold), "steps", x.found.Steps, "most",
			x.found.Most),
		Back: components.Link{Label: l.T("explain.back", "name", name), URL: address.Mechanism(x.state, x.id)},
		Form: SettingsForm{Action: ponderingPath, Text: x.state.Text,
			Hidden: hiddenOf(p.urlOf(x.state), address.Text, address.PinKey)},
		Words: p.words(p.urlOf),
	}
	if x.found.Maps != nil {
		v.Choices = p.layersAndHeads(0, x.found.Maps[0].Value.Dim(0), p.urlOf)[1:]
	}
	var steps []func() (Frame, error)
	for t := range x.found.Steps {
		steps = append(steps, func() (Frame, error) { return p.step(t) })
	}
	frames, err := p.frames(append(steps, p.sum, p.cost)...)
	v.Frames = frames
	return v, err
}

// urlOf returns the URL of the same page in another state.
func (p *ponderingPage) urlOf(st address.State) string {
	return address.One(ponderingPath, st.Word(), p.id, nil)
}

// toldAs formats a number.
func toldAs(v tensor.Elem) string { return messages.Number(float64(v)) }

// followed returns the selected token.
func (p *ponderingPage) followed() unroll.PonderedWord { return p.found.Words[p.Word-1] }

// chip returns a token in a step: grey if it has halted.
func (p *ponderingPage) chip(word, t int) Chip {
	s, st := p.found.Words[word].List[t], p.state
	st.Pin = address.Pin{Row: word + 1}
	c := Chip{
		Label: p.label(word), Hue: -1, Marked: word == p.Word-1,
		Title: p.Language.T("pondering.chip", "word", p.label(word), "p", toldAs(s.P), "sum", toldAs(s.Sum)),
	}
	if len(p.labels) <= engine.MostExplained { // URLs of longer texts are long; use the words above
		c.URL = p.urlOf(st)
	}
	switch messages.Key(s.Does) {
	case "goes-on":
		c.Class = toldAs(s.Sum)
	case "halts":
		c.Class, c.Stops = p.Language.T("pondering.halts"), true
	default:
		c.Class, c.Faint = p.Language.T("pondering.halted"), true
	}
	return c
}

// step shows one recurrent step of all tokens.
func (p *ponderingPage) step(t int) (Frame, error) {
	var chips []Chip
	counts := map[string]int{}
	for i, w := range p.found.Words {
		chips = append(chips, p.chip(i, t))
		counts[messages.Key(w.List[t].Does)]++
	}
	s := p.followed().List[t]
	told := p.Language.T("pondering.told."+messages.Key(s.Does), "word", p.label(p.Word-1), "before", toldAs(s.Before),
		"p", toldAs(s.P),
		"threshold", messages.Number(p.found.Threshold), "weight", toldAs(s.Weight), "steps", p.followed().Steps)
	body := []templ.Component{Chips(chips), Captioned([]string{told}, templ.NopComponent)}
	if p.found.Maps != nil {
		m, err := p.reads(t)
		if err != nil {
			return Frame{}, err
		}
		body = append(body, Sketches([]NamedMap{m}))
	}
	f := p.frame("pondering", "step", Stacked(body...), "step", t+1, "thinking", counts["goes-on"], "stopping",
		counts["halts"], "halted", counts["has-halted"])
	f.ID = "frame-step-" + strconv.Itoa(t+1)
	return f, nil
}

// reads returns the map of a step, without the rows of halted tokens.
func (p *ponderingPage) reads(t int) (NamedMap, error) {
	one, err := p.found.Maps[t].Head(p.state.Head - 1)
	if err != nil {
		return NamedMap{}, err
	}
	before := one
	one.Reach = func(q, k int) bool { return t < p.found.Words[q].Steps && before.Reaches(q, k) }
	m, err := p.Drawn(one)
	named := NamedMap{Name: p.Language.T("pondering.map.step", "step", t+1, "head", p.state.Head), Map: m}
	named.Map.Caption = named.Name
	return named, err
}

// sum shows the table of the selected token.
func (p *ponderingPage) sum() (Frame, error) {
	w, word := p.followed(), p.label(p.Word-1)
	var rows [][]string
	used := tensor.Elem(0)
	for t, s := range w.List {
		rows = append(rows, []string{strconv.Itoa(t + 1), toldAs(s.Before), toldAs(s.P),
			p.Language.T("pondering.does." + messages.Key(s.Does)), toldAs(s.Sum), toldAs(s.Weight), toldAs(s.Left)})
		used = s.Sum
	}
	told := p.Language.T("pondering.told.sum", "word", word, "steps", w.Steps, "remainder", toldAs(w.Remainder))
	if !w.Halted {
		told = p.Language.T("pondering.told.never", "word", word, "threshold", messages.Number(p.found.Threshold), "steps",
			w.Steps, "sum", toldAs(used))
	}
	table := TableOf(p.Language.T("pondering.table", "word", word),
		p.Language.Lines(messages.New("pondering.columns")), rows)
	return p.frame("pondering", "sum", Captioned([]string{told}, table)), nil
}

// cost shows the ponder cost, and the cumulative probabilities of all tokens.
func (p *ponderingPage) cost() (Frame, error) {
	n, mean := len(p.found.Words), 0.0
	sums := tensor.New(p.found.Steps, n)
	axis := trace.Axis{Role: trace.Ponder}
	for t := range p.found.Steps {
		axis.Labels = append(axis.Labels, "step "+strconv.Itoa(t+1))
		for i, w := range p.found.Words {
			sums.Data[t*n+i] = w.List[t].Sum
		}
	}
	for _, w := range p.found.Words {
		mean += (float64(w.Steps) + float64(w.Remainder)) / float64(n)
	}
	m, err := p.Drawn(trace.Map{Name: "cumulated halting", Kind: trace.Gate, Value: sums,
		Axes: []trace.Axis{axis, {Role: trace.Token, Text: true, Labels: p.labels}}})
	m.Caption = p.Language.T("pondering.map.sums")
	told := p.Language.T("pondering.price", "price", messages.Number(p.found.Price), "mean", messages.Number(mean), "cost",
		messages.Number(p.found.Cost))
	return p.frame("pondering", "cost", Captioned([]string{told}, Sketches([]NamedMap{{Name: m.Caption, Map: m}}))), err
}
