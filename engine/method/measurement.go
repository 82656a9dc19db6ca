package method

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/citation"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Measurement names a method and the layer to measure. The zero Measurement requests no method.
type Measurement struct {
	Name string // name of a method in the Catalog
	// Layer is the layer to measure, from 1. In a model without this layer nothing is measured. Methods
	// for all layers ignore it.
	Layer int
	// Exact requests exact values where long measurements would otherwise be estimated.
	Exact bool
}

// Method returns the requested method, or nil if none is requested or the name is unknown.
func (m Measurement) Method() *Method { return Find(m.Name) }

// Long reports whether the measurement takes much longer than a forward pass.
func (m Measurement) Long() bool {
	method := m.Method()
	return method != nil && method.Work != nil
}

// Calls returns the number of layers whose mixer calls the forward pass must record.
func (m Measurement) Calls() int {
	if method := m.Method(); method != nil && method.Mixers {
		return m.Layer
	}
	return 0
}

// Job is a measurement of a text of N tokens with mixers of the given configuration.
type Job struct {
	Measurement
	Entry  *attention.Entry
	Config attention.Config
	N      int
}

// mostWork is the most operations that a measurement can take.
const mostWork = 2000e9

// tooMuch returns the error, with the text of the id, for a job that takes too many operations.
func (j Job) tooMuch(id string, work func(Job) float64) error {
	most := j
	for most.N > 1 && work(most) > mostWork {
		most.N--
	}
	if most.N == j.N {
		return nil
	}
	return messages.Errorf(id, "tokens", j.N, "most", most.N, "over", j.N-most.N)
}

// Subject is the forward pass to measure.
type Subject struct {
	Job
	Causal bool             // no token attends to a later one
	Calls  []encoder.Mixing // mixer calls by layer: Measurement.Calls of them, or fewer if the model has fewer
	Depth  int              // the number of layers
	// Weights returns the attention weights [H,N,N] of the first layers, without ablated heads.
	Weights func(layers int) ([]trace.Map, error)
	// Turn waits for this measurement's turn; call it after some milliseconds of work. Its error ends
	// the measurement.
	Turn func() error
	// Share runs the parts in parallel. Each part has its own turn.
	Share func(parts int, do func(part int, turn func() error) error) error
}

// hasCall returns an error with the text of the id if the layer has no mixer of its own, and nil
// otherwise.
func (s *Subject) hasCall(id string) error {
	if s.Layer > len(s.Calls) {
		return messages.Errorf(id, "layer", s.Layer)
	}
	return nil
}

// call returns the mixer call of the layer.
func (s *Subject) call() encoder.Mixing { return s.Calls[s.Layer-1] }

// mask returns the attention mask for maps of a forward pass whose mixer calls are not recorded.
func (s *Subject) mask() nn.Mask {
	if s.Causal {
		return nn.Mask{Kind: nn.Causal}
	}
	return nn.Mask{}
}

// Finding is the result of a method.
type Finding struct {
	Maps     []LayerMap
	Estimate Estimate
	Remark   string // key below "note" of a remark on the maps; empty: none
}

// LayerMap is a map with its layer, counted from 1.
type LayerMap struct {
	Layer int
	Map   trace.Map
}

// Estimate states how a map was estimated: from Directions of the Of directions of every output.
// Error is the standard error divided by the value (median over all pairs). The zero Estimate means
// that the map is exact.
type Estimate struct {
	Directions, Of int
	Error          float64
}

// add adds a map of a layer, from 1. Pairs that the mask excludes are outside the map's reach.
func (f *Finding) add(layer int, mask nn.Mask, m trace.Map) {
	if _, pairs := m.Has(trace.Query); pairs {
		m.Reach = reachOf(mask)
	}
	f.Maps = append(f.Maps, LayerMap{layer, m})
}

// reachOf returns the pairs that a mask allows in a single text, or nil if it allows all.
func reachOf(mask nn.Mask) func(q, k int) bool {
	if mask.Open() {
		return nil
	}
	return func(q, k int) bool { return mask.Allows(0, q, k) }
}

// pairs returns the axes of a map of pairs of tokens.
func pairs(row, column string) []trace.Axis {
	return []trace.Axis{{Role: trace.Query, Name: row}, {Role: trace.Key, Name: column}}
}

// shareFacts are the ids of the facts for methods whose rows sum to 1 or can be normalised to 1.
var shareFacts = []string{"method-distance", "method-diagonal"}

// abnar is the paper that defines rollout and flow.
var abnar = citation.Paper{
	Authors: "Abnar, Zuidema", Year: 2020, Title: "Quantifying Attention Flow in Transformers", Venue: "ACL",
	ArXiv: "2005.00928", Equations: "sec. 3",
}
