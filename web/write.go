package web

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/trace"
)

// Writer writes a text from a text, word by word. What it returns is read-only.
type Writer interface {
	Write(ctx context.Context, r engine.WriteRequest) (*engine.Written, error)
}

// keyStep is the step of writing that a page looks at, from 1.
const keyStep = "step"

// defaultSource is what the encoder–decoder rewrites for a visitor without a text.
const defaultSource = "The old woman gave the boy a small red apple."

// writeState is the complete state of the page of the encoder–decoder. It shares text,
// layer, head, colours and theme with every page; what else a State has, it has not.
type writeState struct {
	State     // layer 0: the last, in which cross-attention has found its words
	Step  int // from 1; 0: the first
}

// writeKeys are the parameters of the page. Those of the wall that have no effect here
// are accepted, so that its links may carry them.
var writeKeys = append([]string{keyStep}, stateKeys...)

// decodeWrite reads a state; what is wrong has its default and is reported.
func decodeWrite(v url.Values) (writeState, []ParamError) {
	shared, bad := decodeState(v)
	d := decoder{values: v}
	s := writeState{State: DefaultState(), Step: d.number(keyStep, 0)}
	s.Text, s.Layer, s.Head = shared.Text, shared.Layer, shared.Head
	s.Norm, s.Cmap, s.Theme = shared.Norm, shared.Cmap, shared.Theme
	if !v.Has(keyText) {
		s.Text = defaultSource
	}
	return s, append(bad, d.bad...)
}

// encodeWrite is the inverse of decodeWrite, without what has its default.
func encodeWrite(s writeState) url.Values {
	v := Encode(s.State)
	v.Del(keyText)
	if s.Text != defaultSource {
		v.Set(keyText, s.Text)
	}
	if s.Step > 0 {
		v.Set(keyStep, strconv.Itoa(s.Step))
	}
	return v
}

func writeURL(s writeState) string {
	return address(mechanismPath(encoder.EncoderDecoder.ID), encodeWrite(s))
}

// writeMaps are the kinds of maps, the one that the page is about first.
var writeMaps = []writeMap{
	{"cross", "cross-attention", "A", "how much the step that writes the row’s word reads the column’s word of the text", "writes", "is read"},
	{"decoder", "decoder self-attention", "A", "how much the step that writes the row’s word reads what was written before; what comes later is forbidden", "writes", "is read"},
	{"encoder", "encoder self-attention", "A", "how much the row’s word of the text reads the column’s", "reads", "is read"},
	{encoderRollout, "encoder rollout", "R", "how much of the row’s word comes from the column’s after this layer of the encoder, if weights and residual connections were all that counts", "word", "from"},
}

// encoderRollout is what the rollout is called beside maps of two stacks.
const encoderRollout = "encoder-rollout"

// writeMap is one of them in words.
type writeMap struct{ name, title, symbol, caption, rows, cols string }

func (m writeMap) layers(w *engine.Written) []engine.Layer {
	switch m.name {
	case "cross":
		return w.Cross
	case "decoder":
		return w.Decoder
	}
	return w.Encoder
}

// array is what the map is called among those of its layer.
func (m writeMap) array() string {
	if m.name == encoderRollout {
		return engine.Rollout
	}
	return "weights"
}

// writes says whether the map's rows are steps of writing.
func (m writeMap) writes() bool { return m.name == "cross" || m.name == "decoder" }

// pick is the map of a state's layer and head with the labels that pages and figures
// have: the visitor's own spelling of the text.
func (m writeMap) pick(w *engine.Written, s State) (trace.Map, int, error) {
	layers := m.layers(w)
	number := s.Layer
	if number == 0 {
		number = len(layers)
	}
	if number > len(layers) {
		return trace.Map{}, 0, engine.Errorf(engine.NotFound, "There is no layer %d; the %s has %s.", number, m.title, components.Count(len(layers), "layer"))
	}
	t, ok := layers[number-1].Find(m.array())
	if !ok {
		return trace.Map{}, 0, engine.Errorf(engine.Internal, "%s shows no %s", m.title, m.array())
	}
	if s.Head > w.Heads {
		return trace.Map{}, 0, engine.Errorf(engine.NotFound, "There is no head %d; the model has %s.", s.Head, components.Count(w.Heads, "head"))
	}
	if s.Head == MeanHead {
		return m.relabel(t.HeadMean(), w), number, nil
	}
	one, err := t.Head(s.Head - 1)
	if err != nil {
		return trace.Map{}, 0, err
	}
	return m.relabel(one, w), number, nil
}

// relabel names rows and columns as they are shown: the pieces of the text by their
// labels, written pieces with invisible ones made visible.
func (m writeMap) relabel(t trace.Map, w *engine.Written) trace.Map {
	t.Axes = slices.Clone(t.Axes)
	n := len(t.Axes)
	source := sourceLabels(w)
	if t.Axes[n-1].Labels = source; m.name == "decoder" {
		t.Axes[n-1].Labels = append([]string{"[CLS]"}, writtenLabels(w)[:len(w.Steps)-1]...)
	}
	if t.Axes[n-2].Labels = source; m.writes() {
		t.Axes[n-2].Labels = writtenLabels(w)
	}
	return t
}

func sourceLabels(w *engine.Written) []string { return Labels(&engine.Report{Tokens: w.Source}) }

func writtenLabels(w *engine.Written) []string {
	labels := make([]string, len(w.Steps))
	for i, s := range w.Steps {
		labels[i] = pieceLabel(s.Piece)
	}
	return labels
}

// writePage is what the page is made of.
type writePage struct {
	state   writeState
	written *engine.Written // nil when nothing could be written
	errs    []error
}

// write answers GET /m/encoder-decoder. Whatever is wrong with the URL, the page stands.
func (s *Server) write(w http.ResponseWriter, r *http.Request) error {
	v, bad := parseQuery(r.URL.RawQuery)
	state, wrong := decodeWrite(v)
	p := &writePage{state: state}
	for _, b := range slices.Concat(bad, wrong, unknownParams(v, writeKeys)) {
		p.errs = append(p.errs, b)
	}
	if err := s.fillWrite(r.Context(), p); err != nil {
		return err
	}
	var page bytes.Buffer
	if err := components.WritingPage(s.writingView(p)).Render(r.Context(), &page); err != nil {
		return err
	}
	status := http.StatusOK
	if len(p.errs) > 0 {
		w.Header().Set("Cache-Control", "no-store")
		status = statusOf(p.errs[0])
	}
	writeHTML(w, status, page.Bytes())
	return nil
}

// canWrite says whether there is a model that writes.
func (s *Server) canWrite() bool { return s.writer != nil && s.trained(encoder.EncoderDecoder.ID) }

// fillWrite asks the engine. Its error is one that leaves no page to show.
func (s *Server) fillWrite(ctx context.Context, p *writePage) error {
	if !s.canWrite() {
		return nil
	}
	written, err := s.rewritten(ctx, p.state.Text)
	switch {
	case err == nil:
		p.written = written
		p.resolve()
	case statusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.errs = append([]error{err}, p.errs...)
	}
	return nil
}

// rewritten is what the model writes of a text.
func (s *Server) rewritten(ctx context.Context, text string) (*engine.Written, error) {
	if err := checkText(text); err != nil {
		return nil, err
	}
	if s.writer == nil {
		return nil, engine.Errorf(engine.NotFound, "There is no trained model of %q yet.", encoder.EncoderDecoder.ID)
	}
	return s.writer.Write(ctx, engine.WriteRequest{Text: text})
}

// resolve replaces a layer, a head and a step that there is not.
func (p *writePage) resolve() {
	for _, m := range writeMaps {
		if _, _, err := m.pick(p.written, p.state.State); err != nil {
			p.errs = append(p.errs, err)
			p.state.Layer, p.state.Head = 0, MeanHead
		}
	}
	if n := len(p.written.Steps); p.state.Step > n {
		p.errs = append(p.errs, engine.Errorf(engine.NotFound, "There is no step %d; the model wrote in %s.", p.state.Step, components.Count(n, "step")))
		p.state.Step = 0
	}
}
