package engine

import (
	"context"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Names of the maps of attribution methods. The first of each is the method's own; the others
// are what else belongs to it, where it is defined.
const (
	// ValueZeroing is how far the layer's output at i turns when the value of j is set to 0, as
	// shares of its row (see metrics.Zeroing). The others are the same for the residual stream
	// after mixing and for the mixer's result alone, and the product of the maps through the
	// layers.
	ValueZeroing         = "value-zeroing"
	ValueZeroingResidual = "value-zeroing residual"
	ValueZeroingMixer    = "value-zeroing mixer"
	ValueZeroingRollout  = "value-zeroing rollout"
	// Norm is ‖Σ_h A_hij f_h(x_j)‖, the length of what position j puts into the mixer's result
	// at i (see metrics.Norms). The others are the same of each head, of the values alone, with the
	// residual stream, behind the LayerNorm that may follow, and how much comes from others than
	// the word itself.
	Norm         = "norm"
	NormHead     = "head norm"
	NormValue    = "value norm"
	NormResidual = "residual norm"
	NormAfter    = "normalised norm"
	NormMixing   = "mixing ratio"
	// Flow is how much can flow from input j to position i after the layer, as shares of its
	// row (see metrics.Flow).
	Flow = "flow"
)

// MostFlow is the longest text whose attention flow is computed: each of its pairs is a problem of
// its own.
const MostFlow = 32

// observes is up to which layer the calls of mixers are needed.
func (r Request) observes() int { return max(r.Zeroing, r.Norms) }

// attributes says whether an attribution method is asked for.
func (r Request) attributes() bool { return max(r.Zeroing, r.Norms, r.Flow) > 0 }

// attribute adds the maps of the attribution methods that are asked for.
func (e *Engine) attribute(ctx context.Context, m *model, calls []encoder.Mixing, r Request, res *Result) error {
	res.Layers = slices.Clone(res.Layers) // which a part may have, too
	soon, cancel := inTime(ctx)
	defer cancel()
	turn := lease{ctx: soon, slots: e.slots}
	err := func() error {
		defer turn.end()
		for _, method := range []func() error{
			func() error { return res.zero(m, calls, r.Zeroing, turn.next) },
			func() error { return res.norms(calls, r.Norms, turn.next) },
			func() error { return res.flow(r.Flow, causal(m, r), turn.next) },
		} {
			if err := method(); err != nil {
				return err
			}
		}
		return nil
	}()
	if err != nil && soon.Err() != nil && ctx.Err() == nil {
		return Errorf(Busy, "error.method.not-in-time")
	}
	return err
}

// causal says that no word of the model reads what comes later.
func causal(m *model, r Request) bool {
	return r.Mask == nn.Causal || m.config().Objective == encoder.NextWord
}

// callOf is the call of a layer's mixer. A layer that the model does not have has none, and no error.
func (res *Result) callOf(calls []encoder.Mixing, layer int) (*encoder.Mixing, error) {
	switch {
	case layer < 1 || layer > len(res.Layers):
		return nil, nil
	case layer > len(calls):
		return nil, Errorf(Unsupported, "error.method.no-mixer", "layer", layer)
	}
	return &calls[layer-1], nil
}

// zero adds value zeroing to the layers up to one.
func (res *Result) zero(m *model, calls []encoder.Mixing, last int, turn func() error) error {
	call, err := res.callOf(calls, last)
	if err != nil || call == nil {
		return err
	}
	if why := res.Entry.NoValues; !why.IsZero() {
		return &Error{Kind: Unsupported, Msg: why}
	}
	n := call.X.Dim(1)
	if most := affordable(n, func(n int) float64 { return float64(last) * zeroingWork(res.Entry, m.config().Mixer(), n) }); n > most {
		return Errorf(Unsupported, "error.method.too-much", "tokens", n, "most", most, "over", n-most)
	}
	var maps []*tensor.T
	put := func(l int, name, tex string, value *tensor.T) {
		res.add(l, calls[l].Mask, trace.Map{Name: name, Tex: tex, Kind: trace.Probability, Value: value, Axes: pairOf("output", "without")})
	}
	for l := range last {
		z, err := metrics.ValueZeroing(calls[l], turn)
		if err != nil {
			return err
		}
		main := z.Block
		if main == nil {
			main = z.Residual
		}
		maps = append(maps, metrics.Shares(main))
		put(l, ValueZeroing, `Z_{ij} = D_{ij}/\sum_k D_{ik} \quad D_{ij} = 1 - \cos(y_i, y_i^{\neg j})`, maps[l])
		if z.Residual != nil {
			put(l, ValueZeroingResidual, `D_{ij}/\sum_k D_{ik} \quad D_{ij} = 1 - \cos(x_i + m_i, x_i + m_i^{\neg j})`, metrics.Shares(z.Residual))
		}
		put(l, ValueZeroingMixer, `D_{ij}/\sum_k D_{ik} \quad D_{ij} = 1 - \cos(m_i, m_i^{\neg j})`, metrics.Shares(z.Mixer))
	}
	for l, through := range metrics.Through(maps) {
		put(l, ValueZeroingRollout, `R_l = Z_l R_{l-1}`, through)
	}
	return nil
}

// norms adds the lengths of what a layer's mixer adds up.
func (res *Result) norms(calls []encoder.Mixing, layer int, turn func() error) error {
	call, err := res.callOf(calls, layer)
	if err != nil || call == nil {
		return err
	}
	if why := res.Entry.NoSum; !why.IsZero() {
		return &Error{Kind: Unsupported, Msg: why}
	}
	if err := turn(); err != nil {
		return err
	}
	v := metrics.NormsOf(*call)
	put := func(name, tex string, kind trace.Kind, value *tensor.T, axes ...trace.Axis) {
		if value != nil {
			res.add(layer-1, call.Mask, trace.Map{Name: name, Tex: tex, Kind: kind, Value: value, Axes: axes})
		}
	}
	pairs, heads := pairOf("output", "source"), trace.Axis{Role: trace.Head}
	put(Norm, `\lVert \sum_h A_{hij} f_h(x_j) \rVert`, trace.Length, v.Sum, pairs...)
	put(NormHead, `\lVert A_{hij} f_h(x_j) \rVert`, trace.Length, v.Head, append([]trace.Axis{heads}, pairs...)...)
	put(NormValue, `\lVert f_h(x_j) \rVert`, trace.Length, v.Value, heads, trace.Axis{Role: trace.Token})
	put(NormResidual, `\lVert \sum_h A_{hij} f_h(x_j) + \delta_{ij} x_i \rVert`, trace.Length, v.Residual, pairs...)
	put(NormAfter, `\lVert \gamma \circ (t_{ij} - \bar t_{ij})/\sigma_i \rVert`, trace.Length, v.Normalised, pairs...)
	put(NormMixing, `\lVert \sum_{j \ne i} t_{ij} \rVert/(\lVert \sum_{j \ne i} t_{ij} \rVert + \lVert t_{ii} \rVert)`, trace.Gate, v.Mixing, trace.Axis{Role: trace.Token})
	return nil
}

// flow adds attention flow after a layer.
func (res *Result) flow(layer int, causal bool, turn func() error) error {
	if layer < 1 || layer > len(res.Layers) {
		return nil
	}
	if why := res.Entry.NoRollout; !why.IsZero() {
		return &Error{Kind: Unsupported, Msg: messages.New("error.method.flow", "why", why)}
	}
	maps, err := weightMaps(res.Layers[:layer])
	if err != nil {
		return err
	}
	if n := maps[0].Value.Dim(-1); n > MostFlow {
		return Errorf(Unsupported, "error.method.flow-length", "most", MostFlow, "tokens", n, "over", n-MostFlow)
	}
	raw, err := metrics.Flow(maps, layer-1, turn)
	if err != nil {
		return err
	}
	mask := nn.Mask{}
	if causal {
		mask.Kind = nn.Causal
	}
	res.add(layer-1, mask, trace.Map{Name: Flow, Tex: `f_{ij}/\sum_k f_{ik} \quad f_{ij} = \max \text{flow}(i \to j) \text{ through } \tilde A_l, …, \tilde A_1`, Kind: trace.Probability,
		Value: metrics.Shares(raw), Axes: pairOf("word", "comes from")})
	res.Saturated = metrics.Saturated(raw, reachOf(mask))
	return nil
}

// add adds a map to a layer, from 0; pairs that the mask forbids are out of its reach.
func (res *Result) add(layer int, mask nn.Mask, m trace.Map) {
	if _, pairs := m.Has(trace.Query); pairs {
		m.Reach = reachOf(mask)
	}
	l := &res.Layers[layer]
	l.Maps = append(slices.Clip(l.Maps), m)
}

// reachOf is the reach of a mask of one text; nil: all.
func reachOf(mask nn.Mask) func(q, k int) bool {
	if mask.Open() {
		return nil
	}
	return func(q, k int) bool { return mask.Allows(0, q, k) }
}

// pairOf are the axes of a map of pairs of words.
func pairOf(row, column string) []trace.Axis {
	return []trace.Axis{{Role: trace.Query, Name: row}, {Role: trace.Key, Name: column}}
}

// affordable is the largest number of tokens, at most n, whose measurement is not too much work.
func affordable(n int, work func(n int) float64) int {
	for n > 1 && work(n) > mostWork {
		n--
	}
	return n
}

// zeroingWork is about how many operations value zeroing of a layer takes: every value is left
// out once, which the rest of the layer makes an output of.
func zeroingWork(entry *attention.Entry, c attention.Config, n int) float64 {
	rows, d := float64(n)*float64(n), float64(c.Width)
	work := rows * (feedForward*d*d + 2*float64(c.Heads)*d)
	if !entry.NoSum.IsZero() {
		work += float64(n) * float64(entry.FLOPs(c, n))
	}
	return work
}

// normsWork is that of norms: each pair of words and head is a vector.
func normsWork(c attention.Config, n int) float64 {
	return 8 * float64(n) * float64(n) * float64(c.Heads) * float64(c.Width)
}

// flowWork is that of attention flow through some layers, of problems that look at every
// connection a few times.
func flowWork(layers, n int) float64 {
	pairs := float64(n) * float64(n)
	if n > MostFlow {
		return 0
	}
	return 200 * pairs * pairs * float64(layers)
}
