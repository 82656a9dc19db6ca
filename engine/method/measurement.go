package method

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Measurement asks for a method. The zero Measurement asks for none.
type Measurement struct {
	Name string // of a method of the Catalog
	// Layer is the layer to measure, from 1. A model without it measures nothing, and a method of all layers
	// takes no notice of it.
	Layer int
	// Exact asks for all that would be estimated where it takes long.
	Exact bool
}

// Method is the one that is asked for; nil: none, or one that there is not.
func (m Measurement) Method() *Method { return Find(m.Name) }

// Long says that it takes much longer than a forward pass.
func (m Measurement) Long() bool {
	method := m.Method()
	return method != nil && method.Work != nil
}

// Calls is how many layers' mixers have to be noted in the forward pass.
func (m Measurement) Calls() int {
	if method := m.Method(); method != nil && method.Mixers {
		return m.Layer
	}
	return 0
}

// Job is a measurement of a text of N tokens with mixers of a configuration.
type Job struct {
	Measurement
	Entry  *attention.Entry
	Config attention.Config
	N      int
}

// mostWork is what a measurement may cost, in operations.
const mostWork = 2000e9

// tooMuch is the error, with the text of an id, of a job of too much work.
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

// Subject is a forward pass that is measured.
type Subject struct {
	Job
	Causal bool             // no word reads what comes later
	Calls  []encoder.Mixing // of mixers, by layer, as many as Measurement.Calls says, or as there are
	Depth  int              // the number of layers
	// Weights are the attention weights [H,N,N] of the first layers, without heads that are cut.
	Weights func(layers int) ([]trace.Map, error)
	// Turn waits until it is this measurement's turn, some milliseconds of work after the last. Its error ends the
	// measurement.
	Turn func() error
	// Share does so many parts at the same time. Each has a turn of its own.
	Share func(parts int, do func(part int, turn func() error) error) error
}

// hasCall says, with the text of an id, that the layer has no mixer of its own; nil: it has.
func (s *Subject) hasCall(id string) error {
	if s.Layer > len(s.Calls) {
		return messages.Errorf(id, "layer", s.Layer)
	}
	return nil
}

// call is that of the layer's mixer.
func (s *Subject) call() encoder.Mixing { return s.Calls[s.Layer-1] }

// mask is that of maps of a pass whose mixers are not looked at.
func (s *Subject) mask() nn.Mask {
	if s.Causal {
		return nn.Mask{Kind: nn.Causal}
	}
	return nn.Mask{}
}

// Finding is what a method found.
type Finding struct {
	Maps     []LayerMap
	Estimate Estimate
	Remark   string // the key below "note" of what to know of them; empty: nothing
}

// LayerMap is a map of a layer, from 1.
type LayerMap struct {
	Layer int
	Map   trace.Map
}

// Estimate says how a map was estimated: from so many of the directions of every output, with this
// standard error as a share of the value (median over all pairs). The zero one was not: it is exact.
type Estimate struct {
	Directions, Of int
	Error          float64
}

// add adds a map of a layer, from 1; pairs that the mask forbids are out of its reach.
func (f *Finding) add(layer int, mask nn.Mask, m trace.Map) {
	if _, pairs := m.Has(trace.Query); pairs {
		m.Reach = reachOf(mask)
	}
	f.Maps = append(f.Maps, LayerMap{layer, m})
}

// reachOf is the reach of a mask of one text; nil: all.
func reachOf(mask nn.Mask) func(q, k int) bool {
	if mask.Open() {
		return nil
	}
	return func(q, k int) bool { return mask.Allows(0, q, k) }
}

// pairs are the axes of a map of pairs of words.
func pairs(row, column string) []trace.Axis {
	return []trace.Axis{{Role: trace.Query, Name: row}, {Role: trace.Key, Name: column}}
}

// shareFacts are the facts of methods whose rows are shares, or can be made so.
var shareFacts = []string{"method-distance", "method-diagonal"}

// abnar is the paper of rollout and flow.
var abnar = attention.Paper{
	Authors: "Abnar, Zuidema", Year: 2020, Title: "Quantifying Attention Flow in Transformers", Venue: "ACL",
	ArXiv: "2005.00928", Equations: "sec. 3",
}
