package wall

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// Attender returns the attention of a model layer by layer.
type Attender interface {
	Attend(ctx context.Context, in engine.AttendInput, to engine.AttendOutput) error
}

// serveAttention answers POST /api/v1/attention.
func (s *Views) serveAttention(w http.ResponseWriter, r *http.Request) error {
	q, err := readAttention(r)
	if err != nil {
		return err
	}
	attender, ok := s.Engine.(Attender)
	if !ok {
		return fault.Errorf(fault.Unsupported, "attention.without", "id", q.Model)
	}
	g := &growing{ctx: r.Context(), question: q}
	to := engine.AttendOutput{Begin: g.begin, Layer: g.add}
	if !q.Stream { // the client of a stream can read slowly, and would delay the queue of long computations
		to.InTurn = func(run func() error) error {
			return site.InTurn(r.Context(), s.Long, g.of.Operations, site.LongOperations, run)
		}
	}
	in := engine.AttendInput{ID: q.Model, Text: q.Text, IDs: q.IDs, Types: q.Types, DecoderText: q.DecoderText,
		DecoderIDs: q.DecoderIDs}
	if err := attender.Attend(r.Context(), in, to); err != nil {
		return err
	}
	if g.file != nil {
		if err := g.file.Close(); err != nil || q.Stream {
			return err
		}
		w.Header().Set("Content-Type", fileTypes[q.Format])
		w.Header().Set("Cache-Control", "no-store")
		return site.ResponseOf(r.Context()).Take(g.whole.Bytes())
	}
	if q.Stream {
		return nil
	}
	w.Header().Set("Cache-Control", "no-store")
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return site.SendJSON(w, g.answer)
}

// fileTypes are the content types of formats other than JSON.
var fileTypes = map[string]string{"npz": "application/x-npz", "npy": "application/x-npy"}

// growing is an answer that gets layer after layer.
type growing struct {
	ctx      context.Context
	question *AttentionQuestion
	of       engine.Attended
	answer   Attention
	parts    *site.Parts    // sends each layer at once; nil: the layers are kept
	file     *attentionFile // of an answer that is not JSON
	whole    bytes.Buffer   // the file, if it is kept
	line     []byte
	begun    bool
}

// begin claims the memory of the answer.
func (g *growing) begin(of engine.Attended) error {
	if err := checkAttention(g.question, of); err != nil {
		return err
	}
	bytes := g.question.Bytes(of)
	if bytes > site.MostDataBytes {
		return fault.Errorf(fault.TooLarge, "attention.large", "megabytes", bytes>>20, "most", site.MostDataBytes>>20)
	}
	g.of, g.answer = of, g.question.Begin(of)
	return site.Claim(g.ctx, bytes+of.Bytes())
}

// start begins the answer with its first layer, so that the errors of a model have their own status.
func (g *growing) start() (err error) {
	kind, to := cmp.Or(fileTypes[g.question.Format], site.Lines), io.Writer(&g.whole)
	if g.question.Stream {
		g.parts = site.ResponseOf(g.ctx).Stream(kind)
		to = g.parts
	}
	switch {
	case kind != site.Lines:
		g.file, err = g.question.open(to, g.of)
	case g.parts != nil:
		err = json.NewEncoder(g.parts).Encode(g.answer)
	}
	return err
}

// add keeps the requested part of a layer, or sends it.
func (g *growing) add(of engine.AttendedLayer) error {
	if !g.begun {
		g.begun = true
		if err := g.start(); err != nil {
			return err
		}
	}
	if err := g.ctx.Err(); err != nil || !g.question.Wants(of) {
		return err
	}
	layer := g.question.Layer(of)
	switch {
	case g.file != nil:
		return g.file.Add(layer)
	case g.parts == nil:
		g.answer.Add(layer)
		return nil
	}
	var err error
	if g.line, err = layer.AppendJSON(g.line[:0]); err != nil {
		return err
	}
	g.line = append(g.line, '\n')
	_, err = g.parts.Write(g.line)
	return err
}

// readAttention reads the body of a request.
func readAttention(r *http.Request) (*AttentionQuestion, error) {
	q := &AttentionQuestion{}
	body := json.NewDecoder(r.Body)
	body.DisallowUnknownFields()
	err := body.Decode(q)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, fault.Errorf(fault.TooLarge, "error.too-many-bytes", "bytes", site.MostAsked, "most", site.MostAsked)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &site.StatusError{Status: http.StatusRequestTimeout, Msg: messages.New("error.slow-body")}
	case err != nil:
		return nil, fault.Errorf(fault.Invalid, "attention.body", "cause", err.Error())
	case q.Model == "":
		return nil, fault.Errorf(fault.Invalid, "attention.model")
	case (q.Text == "") == (q.IDs == nil):
		return nil, fault.Errorf(fault.Invalid, "attention.input")
	case q.IDs == nil && q.Types != nil:
		return nil, fault.Errorf(fault.Invalid, "attention.types", "mark", tokenizer.PairMark)
	case q.DecoderText != "" && q.DecoderIDs != nil:
		return nil, fault.Errorf(fault.Invalid, "attention.decoder-input")
	case q.Format != "" && q.Format != "json" && fileTypes[q.Format] == "":
		return nil, fault.Errorf(fault.Invalid, "attention.format", "format", messages.Quote(q.Format))
	case q.Format == "npy" && q.Top != 0:
		return nil, fault.Errorf(fault.Invalid, "attention.array")
	}
	for _, text := range []string{q.Text, q.DecoderText} {
		if text == "" {
			continue
		}
		if err := address.CheckText(text); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// checkAttention rejects lists, layers, heads and rows that do not exist.
func checkAttention(q *AttentionQuestion, of engine.Attended) error {
	var names []string
	for _, part := range of.Parts {
		names = append(names, part.Name)
	}
	for _, name := range q.Attentions {
		if !slices.Contains(names, name) || name == "" {
			return fault.Errorf(fault.Invalid, "attention.list", "list", messages.Quote(name))
		}
	}
	parts := q.Parts(of)
	for _, part := range parts {
		if err := checkNumbers(q, part); err != nil {
			return err
		}
	}
	if q.Format == "npy" && len(parts) > 1 {
		return fault.Errorf(fault.Invalid, "attention.array")
	}
	return nil
}

// checkNumbers rejects layers, heads and rows that a part does not have.
func checkNumbers(q *AttentionQuestion, part engine.AttendedPart) error {
	in := ""
	if part.Name != "" {
		in = " (" + part.Name + ")"
	}
	for _, list := range []struct {
		field   string
		numbers []int
		most    int
	}{{"layers", q.Layers, part.Layers}, {"heads", q.Heads, part.Heads}, {"rows", q.Rows, part.Rows}} {
		if len(list.numbers) > list.most {
			return fault.Errorf(fault.Invalid, "attention.many", "field", list.field, "count", len(list.numbers),
				"most", list.most, "in", in)
		}
		for _, n := range list.numbers {
			if n < 1 || n > list.most {
				return fault.Errorf(fault.Invalid, "attention.range", "field", list.field, "number", n, "most", list.most,
					"in", in)
			}
		}
	}
	if q.Top < 0 || q.Top > part.Keys {
		return fault.Errorf(fault.Invalid, "attention.top", "number", q.Top, "most", part.Keys, "in", in)
	}
	return nil
}
