package unroll

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/engine/unroll"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// reversingPage is a request to the reversible layers page with its result, from which it builds
// the view.
type reversingPage struct {
	unroller
	id    string
	found *unroll.Reversing
}

// serveReversingJSON answers GET /api/v1/reversing.
func (s *pages) serveReversingJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.reversing(r, q)
	if err != nil {
		return err
	}
	return site.SendJSON(w, x.found)
}

// serveReversing answers GET /reversing.
func (s *pages) serveReversing(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.reversing(r, q)
	if err != nil {
		return err
	}
	view, err := s.reversingView(x)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, Unrolled(view))
}

// reversing reads the request and runs the engine.
func (s *pages) reversing(r *http.Request, q address.Query) (x *reversingPage, err error) {
	reverser, ok := s.Engine.(site.Reverser)
	if !ok {
		return nil, fault.Errorf(fault.Unsupported, "reversing.nobody")
	}
	if _, err := engine.Explainable(s.Vocab, q.State.Text); err != nil { // before memory is claimed for its maps
		return nil, err
	}
	st, err := s.apart(r.Context(), q.State)
	if err != nil {
		return nil, err
	}
	x = &reversingPage{id: st.Mechanisms[0]}
	if err = s.WithRoom(r.Context(), st.Request(), func() (err error) {
		x.found, err = reverser.Reversing(r.Context(), st.Request(), st.Layer)
		return err
	}); err != nil {
		return nil, err
	}
	if n := len(x.found.Tokens); st.Pin.Row > n {
		return nil, fault.Errorf(fault.NotFound, "steps.no-word", "word", st.Pin.Row, "words", n)
	}
	x.unroller = newUnroller(site.Language(r), st, x.found.Tokens)
	return x, nil
}

// reversingView returns the page that recomputes layers from their outputs.
func (s *pages) reversingView(p *reversingPage) (pageView, error) {
	name := p.Language.Say(s.Find(p.id).Name)
	v := pageView{
		Page: s.Head(p.Language, "reversing", name+" · "+p.Language.T("reversing.title"), p.Language.T("reversing.summary"),
			p.State).With(files...), Kind: "reversing",
		Heading: p.Language.T("reversing.heading", "name", name), Lead: p.Language.T("reversing.lead"),
		JSON: address.One("/api/v1/reversing", p.State.Word(), p.id, nil),
		Back: components.Link{Label: p.Language.T("explain.back", "name", name), URL: address.Mechanism(p.State, p.id)},
		Form: SettingsForm{Action: reversingPath, Text: p.State.Text,
			Hidden: hiddenOf(p.urlOf(p.State), address.Text, address.PinKey)},
		Words:   p.words(p.urlOf),
		Choices: p.layersAndHeads(len(p.found.Layers), 0, p.urlOf)[:1],
	}
	frames, err := p.frames(p.errors, p.differences, p.memory)
	v.Frames = frames
	return v, err
}

// urlOf returns the URL of the same page in another state.
func (p *reversingPage) urlOf(st address.State) string {
	return address.One(reversingPath, st.Word(), p.id, nil)
}

// errors shows the differences of every layer in the order of recomputation, the last layer first.
func (p *reversingPage) errors() (Frame, error) {
	var rows [][]string
	for i, l := range slices.Backward(p.found.Layers) {
		row := []string{strconv.Itoa(i + 1)}
		for _, v := range []float64{l.Max1, l.Median1, l.Max2, l.Median2, l.Spacing} {
			row = append(row, messages.Number(v))
		}
		rows = append(rows, row)
	}
	return p.frame("reversing", "errors", TableOf(p.Language.T("reversing.table"),
		p.Language.Lines(messages.New("reversing.columns")), rows)), nil
}

// differences shows the differences of the layer's streams, token by token.
func (p *reversingPage) differences() (Frame, error) {
	var list []NamedMap
	sketch := p.Drawer
	sketch.State.Norm = figure.PerMap
	layer := p.found.Layers[p.found.Layer-1]
	for i, stream := range []struct {
		rows         [][]tensor.Elem
		most, median float64
	}{{p.found.Stream1, layer.Max1, layer.Median1}, {p.found.Stream2, layer.Max2, layer.Median2}} {
		m, err := sketch.Drawn(p.ofWords(stream.rows, trace.Axis{Role: trace.Channel}))
		if err != nil {
			return Frame{}, err
		}
		named := NamedMap{
			Name: p.Language.T("reversing.stream", "layer", p.found.Layer, "stream", i+1), Map: m,
			Say: p.Language.T("reversing.scale", "most", messages.Number(stream.most), "median", messages.Number(stream.median)),
		}
		named.Map.Caption = named.Name + ": " + named.Say
		list = append(list, named)
	}
	return p.frame("reversing", "differences", Sketches(list), "layer", p.found.Layer), nil
}

// memory shows the memory that training needs.
func (p *reversingPage) memory() (Frame, error) {
	kib := func(bytes int) string {
		return p.Language.T("reversing.kib", "number", fmt.Sprintf("%.1f", float64(bytes)/1024))
	}
	var rows [][]string
	for i, l := range p.found.Layers {
		rows = append(rows, []string{strconv.Itoa(i + 1), kib(l.Reversible), kib(l.Stored), kib(l.Stored - l.Reversible)})
	}
	last := p.found.Layers[len(p.found.Layers)-1]
	saved := last.Stored - last.Reversible
	table := TableOf(p.Language.T("reversing.memory-table"),
		p.Language.Lines(messages.New("reversing.memory-columns")), rows)
	return p.frame("reversing", "memory", table, "layers", len(p.found.Layers), "saved", kib(saved), "share",
		messages.WholePercent(float64(saved)/float64(last.Stored))), nil
}
