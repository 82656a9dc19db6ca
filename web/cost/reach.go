package cost

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// Defaults of the receptive field page: numbers of positions and layers.
const (
	usualHeard  = 48
	usualLayers = 6
)

// reached is a request to the receptive field page with its result.
type reached struct {
	costed
	layers  int
	hearing costs.Hearing
}

// reach reads a request and computes the receptive fields. With an error, the page shows the error
// and the defaults.
func (s *pages) reach(r *http.Request, q address.Query) (x reached, err error) {
	x.layers = usualLayers
	plain := costs.Usual()
	usual := costs.Sizes{Length: usualHeard, Width: plain.Width, Heads: plain.Heads}
	x.costed = costedOf(s.StateOf(r), q, decode(q.Values, reachTable, usual), usual, attention.Longformer.ID)
	switch n, layers := x.asked.Length, x.asked.Layers; {
	case n > costs.MostHeard:
		x.fail(fault.Errorf(fault.Invalid, "reach.error.length", "length", n, "most", costs.MostHeard))
		x.asked.Length = usualHeard
	case layers > costs.MostLayers:
		x.fail(fault.Errorf(fault.Invalid, "reach.error.layers", "layers", layers, "most", costs.MostLayers))
	case layers > 0:
		x.layers = layers
	}
	mask := nn.Mask{Kind: x.state.Mask}
	if why := x.entry.Masks.NoCausal; mask.Kind == nn.Causal && !why.IsZero() {
		x.fail(fault.Errorf(fault.Unsupported, "reach.error.mask", "why", why))
		mask = nn.Mask{}
	}
	err = s.listen(r.Context(), &x, mask)
	if err != nil && site.StatusOf(err) < http.StatusInternalServerError {
		x.fail(fault.Errorf(fault.Invalid, "cost.error.is", "why", messages.Of(err)))
		x.asked.Options = nil
		err = s.listen(r.Context(), &x, mask)
	}
	return x, err
}

// url returns the URL of the page with other settings, or of its numbers for another path.
func (x reached) url(path string, about asked) string {
	about.Layers = x.layers
	return about.url(path, reachTable, x.state, x.usual)
}

// listen computes the receptive fields. Long computations wait for their turn.
func (s *pages) listen(ctx context.Context, x *reached, mask nn.Mask) error {
	layers := costs.Layers{Of: x.entry, Count: x.layers, Length: x.asked.Length, Options: x.asked.Options, Mask: mask}
	return site.InTurn(ctx, s.Long, layers.Operations(), site.LongInfluence, func() (err error) {
		x.hearing, err = layers.Listen(ctx)
		return err
	})
}

// serveReach answers GET /reach.
func (s *pages) serveReach(w http.ResponseWriter, r *http.Request) error {
	q, err := s.Read(r, s.reachData())
	if err != nil {
		return err
	}
	x, err := s.reach(r, q)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if x.bad != nil {
		status = site.StatusOf(x.bad)
	}
	return s.Render(w, r, status, Reach(s.reachView(site.Language(r), x)))
}

// serveReachJSON answers GET /api/v1/reach, with the parameters of the page.
func (s *pages) serveReachJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	x, err := s.reach(r, q)
	if err == nil {
		err = x.bad
	}
	if err != nil {
		return err
	}
	return site.SendJSON(w, x.hearing)
}

// reachView returns the view of the receptive field page.
func (s *pages) reachView(l *messages.Language, x reached) ReachView {
	v := &costView{s: s, l: l, c: x.costed}
	name, h := v.name(x.entry.ID), x.hearing
	page := ReachView{
		Page: s.Head(l, "reach", l.T("reach.title"), l.T("reach.summary"), x.state).With(files...),
		JSON: x.url("/api/v1/reach", x.asked),
		Form: v.form(), Words: h.Length, Label: l.T("reach.label", "name", name, "length", h.Length, "layers", len(h.Layers)),
	}
	page.Form.Action = reachPath
	page.Form.Sizes = []components.Slider{
		{ID: "reach-n", Key: lengthKey, Label: l.T("cost.size.n"), Help: l.T("reach.n-help"), Value: strconv.Itoa(h.Length),
			From: 2, To: costs.MostHeard, Step: 1},
		{ID: "reach-layers", Key: layersKey, Label: l.T("reach.layers"), Help: l.T("reach.layers-help"),
			Value: strconv.Itoa(x.layers), From: 1, To: costs.MostLayers, Step: 1},
	}
	if x.bad != nil {
		page.Problem = site.FullStop(l.Say(site.MessageOf(x.bad)))
	}
	id := "reach.says-all"
	if !h.All() {
		id = "reach.says"
	}
	last := h.Layers[len(h.Layers)-1]
	page.Says = l.T(id, "name", name, "layers", len(h.Layers), "heard", last.Heard, "all", h.Length*h.Length)
	for i, layer := range h.Layers {
		share := func(pairs int) string {
			return messages.Percent(float64(pairs) / float64(h.Length*h.Length))
		}
		page.Rows = append(page.Rows, []string{strconv.Itoa(i + 1), messages.Grouped(layer.Direct), share(layer.Direct),
			messages.Grouped(layer.Heard), share(layer.Heard)})
		page.Levels = append(page.Levels, runsOf(h, i+1))
	}
	page.Legend = v.legend(func(id string) string {
		other := x.asked
		if other.Mechanism = id; id != x.entry.ID {
			other.Options = nil
		}
		return x.url(reachPath, other)
	})
	page.Form.Hidden = slices.DeleteFunc(page.Form.Hidden,
		func(f components.Field) bool { return f.Name == address.Layer })
	return page
}

// runsOf returns the cells that join the receptive field after a layer, as runs in rows.
func runsOf(h costs.Hearing, layer int) (runs []CellRun) {
	n := h.Length
	for at := 0; at < n*n; at++ {
		if h.First[at] != layer {
			continue
		}
		from := at
		for at+1 < (from/n+1)*n && h.First[at+1] == layer {
			at++
		}
		runs = append(runs, CellRun{Row: from / n, From: from % n, Count: at - from + 1})
	}
	return runs
}
