// Package write lets models of next-token prediction continue a text.
package write

import (
	"embed"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/predict"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("write", own)

// pages serves the pages of continued texts.
type pages struct{ *site.Server }

// Pages returns the page of a text that a model continues.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	keys := []string{address.Text, address.Mechanisms, address.Layer, address.Head, address.Step}
	numbers := &site.Data{
		ID: "continue", API: true, Beside: Path + ".json", Answer: s.serveJSON, Usual: usual,
		Takes: address.Takes{Own: askedTable, State: keys}, Out: Continue{},
	}
	return []site.Page{{Path: Path, Aim: site.Look, Title: "continue.title", Summary: "continue.summary",
		Serve: s.Asked(numbers, s.serve), Of: s.of, Data: numbers}}
}

// usual returns the default model, GPT-2, and sets the example as the text of an address without one.
func usual(_ *site.Server, r *http.Request, v url.Values) (string, error) {
	if !v.Has(address.Mechanisms) {
		v.Set(address.Mechanisms, encoder.GPT2.ID)
	}
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		example(site.Language(r), v)
	}
	return v.Get(address.Mechanisms), nil
}

// of returns the id of the label of a model's link to the page. It is empty if the model does not continue texts.
func (s *pages) of(m *site.Mechanism) string {
	if e, ok := s.Engine.(site.Continuer); ok && e.Continues(m.ID) {
		return "continue.link"
	}
	return ""
}

// continued holds a continuation with its request.
type continued struct {
	state       address.State
	asked       Asked
	layer, head int // from 1; head 0 is the mean
	*predict.Continuation
}

// ask lets the engine continue the text, once there is memory and it is the request's turn.
func (s *pages) ask(r *http.Request, q address.Query) (c continued, err error) {
	c.state = q.State
	c.state.Mechanisms = c.state.Mechanisms[:1:1]
	c.asked, _ = askedTable.Decode(q.Values)
	id := c.state.Mechanisms[0]
	if err := address.CheckText(c.state.Text); err != nil {
		return c, err
	}
	e, ok := s.Engine.(site.Continuer)
	if !ok {
		return c, fault.Errorf(fault.Unsupported, "continue.no-server")
	}
	if c.layer, err = s.layer(id, c.state.Layer); err != nil {
		return c, err
	}
	request := predict.Continue{
		Text: c.state.Text, Words: c.asked.Words, Temperature: c.asked.Temperature, TopK: c.asked.TopK, Seed: c.asked.Seed,
		Taken: c.asked.Taken, Layer: c.layer,
	}
	cost := e.ContinueCost(id, request)
	if err := site.Claim(r.Context(), cost.Bytes); err != nil {
		return c, err
	}
	err = site.InTurn(r.Context(), s.Long, cost.Operations, site.LongOperations, func() (err error) {
		c.Continuation, err = e.Continue(r.Context(), id, request)
		return err
	})
	if err != nil {
		return c, err
	}
	return c, c.choose()
}

// layer returns the layer whose weights are shown: the last one if none is named.
func (s *pages) layer(id string, layer int) (int, error) {
	m := s.Model(id)
	switch {
	case m == nil: // the engine gives the reason
		return layer, nil
	case layer == 0:
		return writingLayers(m), nil
	case layer > writingLayers(m):
		return 0, fault.Errorf(fault.NotFound, "continue.error.layer", "layer", layer, "layers", writingLayers(m))
	}
	return layer, nil
}

// writingLayers returns the number of layers that write. In an encoder–decoder, these are the decoder's.
func writingLayers(m *engine.ModelInfo) int {
	if n, err := strconv.Atoi(m.Options[encoder.DecoderLayersOption]); err == nil {
		return n
	}
	return m.Layers
}

// piece returns the written token that the page describes, or the candidates for the next one. It is nil if there
// is neither.
func (c *continued) piece() *predict.WrittenPiece {
	if n := c.state.Step; n > 0 && n <= len(c.Written) {
		return &c.Written[n-1]
	}
	if c.Next == nil && len(c.Written) > 0 {
		return &c.Written[len(c.Written)-1]
	}
	return c.Next
}

// choose finds the head whose weights are shown. By default it is the head that attends most to a single token,
// not counting the first token, an attention sink, and the last.
func (c *continued) choose() error {
	if n := len(c.Written); c.state.Step > n {
		return fault.Errorf(fault.NotFound, "continue.error.step", "step", c.state.Step, "steps", n)
	}
	p := c.piece()
	if p == nil || len(p.Weights) == 0 {
		return nil
	}
	w, most := p.Weights[0], -1.0
	heads, n := w.Dim(0), w.Dim(1)
	if c.head = c.state.Head; c.head > heads {
		return fault.Errorf(fault.NotFound, "continue.error.head", "head", c.head, "heads", heads)
	}
	if c.head == exhibit.Mean {
		c.head = 0
		return nil
	}
	for h := 0; h < heads && c.state.Head == exhibit.Auto; h++ {
		for j := 1; j < n-1; j++ {
			if v := float64(w.At(h, j)); v > most {
				c.head, most = h+1, v
			}
		}
	}
	c.head = max(c.head, 1)
	return nil
}

// row returns the weights of a head, from 1, of the chosen layer, or of their mean.
func row(p *predict.WrittenPiece, head int) []float64 {
	if p == nil || len(p.Weights) == 0 {
		return nil
	}
	w := p.Weights[0]
	heads := w.Dim(0)
	all := make([]float64, w.Dim(1))
	for j := range all {
		if head > 0 {
			all[j] = float64(w.At(head-1, j))
			continue
		}
		for h := range heads {
			all[j] += float64(w.At(h, j)) / float64(heads)
		}
	}
	return all
}

// serveJSON answers with the numbers of the page.
func (s *pages) serveJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	c, err := s.ask(r, q)
	if err != nil {
		return err
	}
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	a := newContinue(c.state.Mechanisms[0], c.state.Text, c.Continuation)
	a.Words, a.Temperature, a.TopK, a.Seed, a.Layer = c.asked.Words, c.asked.Temperature, c.asked.TopK,
		c.asked.Seed, c.layer
	return site.SendJSON(w, a)
}
