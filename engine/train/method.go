package train

import (
	"maps"
	"math"
	"slices"
)

// Method describes the training of a model independently of its mechanism: the hyperparameters of the optimiser, and
// the batches of each phase.
type Method struct {
	AdamW  `toml:"adamw"`
	Muon   Muon    `toml:"muon" json:"muon,omitzero"`
	Phases []Phase `toml:"phase" json:"phases"` // in ascending order of From
	// Round is the fraction of the steps after which some arrays are rounded and fixed, while the
	// others are trained further. These are the arrays that a bundled model stores in bytes. The
	// bundled model is then exactly the trained one. 0 means never.
	Round float64 `toml:"round" json:"round,omitempty"`
}

// AdamW holds the hyperparameters of the optimiser (Loshchilov and Hutter 2019, arXiv:1711.05101,
// algorithm 2) with a linear warm-up and a cosine schedule.
type AdamW struct {
	Rate   float64 `toml:"rate" json:"rate"` // peak learning rate
	Beta1  float64 `toml:"beta1" json:"beta1"`
	Beta2  float64 `toml:"beta2" json:"beta2"`
	Eps    float64 `toml:"epsilon" json:"epsilon"`
	Decay  float64 `toml:"decay" json:"decay"`   // weight decay, for parameters with Param.Decay
	Clip   float64 `toml:"clip" json:"clip"`     // largest norm of all gradients together
	Warmup int     `toml:"warmup" json:"warmup"` // steps of linear growth
	Floor  float64 `toml:"floor" json:"floor"`   // the cosine ends at this fraction of Rate
}

// Phase is a part of a training run.
type Phase struct {
	From    float64 `toml:"from" json:"from"`       // fraction of the steps that come before it
	Lengths []int   `toml:"lengths" json:"lengths"` // lengths of rows of running text, in tokens; each step draws one
	// Texts are the shares of the data sets in rows of masked words, and Next their shares in rows of next words. Nil
	// means the shares of the corpus.
	Texts map[string]float64 `toml:"texts" json:"texts,omitempty"`
	Next  map[string]float64 `toml:"next" json:"next,omitempty"`
	// Mask is the share of the words that are masked; 0 means 15 %. Words more frequent than Seldom are masked less
	// often; 0 means that all words are masked equally often.
	Mask    float64 `toml:"mask" json:"mask,omitempty"`
	Seldom  float64 `toml:"seldom" json:"seldom,omitempty"`
	Classes bool    `toml:"classes" json:"classes"` // trains the classifiers of texts in addition to the words
	Pairs   bool    `toml:"pairs" json:"pairs"`     // trains the classifiers of pairs of texts in addition to the words
}

// unknownSet returns a data set that the phase names and that does not exist.
func (p Phase) unknownSet() (set string, unknown bool) {
	for _, shares := range []map[string]float64{p.Texts, p.Next} {
		for _, set := range slices.Sorted(maps.Keys(shares)) {
			if !slices.ContainsFunc(sources, func(s source) bool { return s.name == set }) {
				return set, true
			}
		}
	}
	return "", false
}

// DefaultMethod returns the method of the bundled models.
func DefaultMethod() Method { return Shipped().Method }

// RateAt returns the learning rate of a step (from 0) of steps.
func (a AdamW) RateAt(step, steps int) float64 {
	if step < a.Warmup {
		return a.Rate * float64(step+1) / float64(a.Warmup)
	}
	t := float64(step-a.Warmup) / float64(max(steps-a.Warmup, 1))
	return a.Rate * (a.Floor + (1-a.Floor)*(1+math.Cos(math.Pi*t))/2)
}

// phaseAt returns the phase of a step.
func phaseAt(phases []Phase, step, steps int) Phase {
	var now Phase
	for _, p := range phases {
		if float64(step) >= p.From*float64(steps) {
			now = p
		}
	}
	return now
}

// fitting returns the phases without row lengths above the longest.
func fitting(phases []Phase, longest int) []Phase {
	phases = slices.Clone(phases)
	for i, p := range phases {
		phases[i].Lengths = slices.DeleteFunc(slices.Clone(p.Lengths), func(n int) bool { return n > longest })
		if len(phases[i].Lengths) == 0 {
			phases[i].Lengths = []int{longest}
		}
	}
	return phases
}
