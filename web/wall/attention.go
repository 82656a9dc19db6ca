package wall

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// Attender returns the attention of a model layer by layer.
type Attender interface {
	Attend(ctx context.Context, id, text string, ids []int, begin func(engine.Attended) error,
		layer func(int, *tensor.T) error) error
}

// serveAttention answers POST /api/v1/attention.
func (s *Views) serveAttention(w http.ResponseWriter, r *http.Request) error {
	q, err := readAttention(r)
	if err != nil {
		return err
	}
	attender, ok := s.Explainer.(Attender)
	if !ok {
		return fault.Errorf(fault.Unsupported, "attention.without", "id", q.Model)
	}
	like := engine.Request{Text: q.Text, Mechanisms: []string{q.Model}}
	if q.IDs != nil {
		like.Text = strings.Repeat("a ", min(len(q.IDs), engine.MaxTextBytes/2)) // takes the same memory
	}
	g := &growing{ctx: r.Context(), question: q}
	work := func() error { return attender.Attend(r.Context(), q.Model, q.Text, q.IDs, g.begin, g.add) }
	if q.Stream { // not in the queue of long computations, where a client that reads slowly would delay the others
		return work()
	}
	if err := site.InTurn(r.Context(), s.Long, s.Cost(like).Operations, site.LongOperations, work); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	if q.Format != "npz" {
		site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
		return site.SendJSON(w, g.answer)
	}
	body, err := g.answer.NPZ(q.Half)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-npz")
	return site.ResponseOf(r.Context()).Take(body)
}

// growing is an answer that gets layer after layer.
type growing struct {
	ctx      context.Context
	question *api.AttentionQuestion
	answer   api.Attention
	lines    *site.Parts // sends each layer at once; nil: the layers are kept
	line     []byte
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
	g.answer = g.question.Begin(of)
	return site.Claim(g.ctx, bytes+of.Bytes())
}

// add keeps the requested part of a layer, or sends it. A stream begins with the first layer, so that the errors of a
// model have their own status.
func (g *growing) add(number int, weights *tensor.T) error {
	if g.question.Stream && g.lines == nil {
		g.lines = site.ResponseOf(g.ctx).Stream()
		if err := json.NewEncoder(g.lines).Encode(g.answer); err != nil {
			return err
		}
	}
	if err := g.ctx.Err(); err != nil || !g.question.Wants(number) {
		return err
	}
	layer := g.answer.Layer(number, weights, g.question.Top)
	if g.lines == nil {
		g.answer.Layers = append(g.answer.Layers, layer)
		return nil
	}
	var err error
	if g.line, err = layer.AppendJSON(g.line[:0]); err != nil {
		return err
	}
	g.line = append(g.line, '\n')
	_, err = g.lines.Write(g.line)
	return err
}

// readAttention reads the body of a request.
func readAttention(r *http.Request) (*api.AttentionQuestion, error) {
	q := &api.AttentionQuestion{}
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
	case (q.Text == "") == (len(q.IDs) == 0):
		return nil, fault.Errorf(fault.Invalid, "attention.input")
	case q.Format != "" && q.Format != "json" && q.Format != "npz":
		return nil, fault.Errorf(fault.Invalid, "attention.format", "format", messages.Quote(q.Format))
	case q.Stream && q.Format == "npz":
		return nil, fault.Errorf(fault.Invalid, "attention.stream")
	case len(q.Text) > 0:
		return q, address.CheckText(q.Text)
	}
	return q, nil
}

// checkAttention rejects layers, heads and rows that do not exist.
func checkAttention(q *api.AttentionQuestion, of engine.Attended) error {
	for _, list := range []struct {
		field   string
		numbers []int
		most    int
	}{{"layers", q.Layers, of.Layers}, {"heads", q.Heads, of.Heads}, {"rows", q.Rows, len(of.Tokens)}} {
		if len(list.numbers) > list.most {
			return fault.Errorf(fault.Invalid, "attention.many", "field", list.field, "count", len(list.numbers),
				"most", list.most)
		}
		for _, n := range list.numbers {
			if n < 1 || n > list.most {
				return fault.Errorf(fault.Invalid, "attention.range", "field", list.field, "number", n, "most", list.most)
			}
		}
	}
	if q.Top < 0 || q.Top > len(of.Tokens) {
		return fault.Errorf(fault.Invalid, "attention.top", "number", q.Top, "most", len(of.Tokens))
	}
	return nil
}
