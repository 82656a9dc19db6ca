package verify

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// dialect translates between a reference and a mechanism of ours.
type dialect struct {
	entry attention.Entry
	// sizes of the mixer that fits the case's weights
	config func(c *Case) (attention.Config, error)
	// weights lists the reference's weights that lie one after the other in
	// our parameter
	weights func(param string, c attention.Config) []string
	// names gives the reference's names of a value that our pass showed; what
	// a part of it showed is called "part/name"
	names func(m trace.Map) map[string]*tensor.T
	// derived gives what follows from several values that our pass showed, or
	// from one and the sizes; nil: nothing
	derived func(c attention.Config, run *trace.Run) map[string]*tensor.T
	// timeMajor says that the reference's arrays are [N,B,d]
	timeMajor bool
	// run computes the case instead, where a reference is not just a whole mixer
	run func(c *Case) (computed, error)
	// inputs are arrays that this reference is given, beside the usual ones; a
	// name that ends in a point stands for all that begin with it
	inputs []string
	// bind, if there is one, completes the dialect for a particular case
	bind func(c *Case) (dialect, error)
	// elementwise, if there is one, gives the tolerance of every element of an array
	// where the rule for whole arrays is not precise enough; nil: it is
	elementwise func(c *Case, name string, want *tensor.T) func(i int) float64
}

// transposed marks the name of a weight that lies transposed in our parameter.
const transposed = "ᵀ"

// unused stands for the weights of a parameter that has no part in a case, such as that
// of a stage which a short text does not have.
const unused = "-"

// Known lists the references that this program can be held against.
func Known() []string { return slices.Sorted(maps.Keys(dialects)) }

var dialects = merge(mixerDialects, synthesizerDialects, linearDialects, stackDialects, hashDialects, depthDialects, streamDialects)

// merge puts the tables of all files into one.
func merge(tables ...map[string]dialect) map[string]dialect {
	all := map[string]dialect{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

var mixerDialects = map[string]dialect{
	"seed003_vanilla":      {entry: attention.DotProduct, config: seedConfig, weights: seedWeights, names: seedNames},
	"seed003_random":       {entry: attention.Random, config: seedConfig, weights: seedWeights, names: seedNames},
	"seed003_fixed_random": {entry: attention.FixedRandom, config: seedConfig, weights: seedWeights, names: seedNames},
	"seed003_dense":        {entry: attention.Dense, config: seedConfig, weights: seedWeights, names: seedNames},
	"fastformer_attn":      {entry: attention.Fastformer, config: fastformerConfig, weights: fastformerWeights, names: renamed(fastformerSteps), elementwise: fastformerTolerance},
}

// tabled names weights by a table.
func tabled(names map[string]string) func(string, attention.Config) []string {
	return func(param string, _ attention.Config) []string {
		if name, ok := names[param]; ok {
			return []string{name}
		}
		return nil
	}
}

// renamed names values by a table.
func renamed(names map[string]string) func(m trace.Map) map[string]*tensor.T {
	return func(m trace.Map) map[string]*tensor.T {
		if name, ok := names[m.Name]; ok {
			return map[string]*tensor.T{name: m.Value}
		}
		return nil
	}
}

// seedConfig reads the sizes of the classes of the seed document.
func seedConfig(c *Case) (attention.Config, error) {
	w, err := c.weight("W_v.weight")
	if err != nil {
		return attention.Config{}, err
	}
	return attention.Config{Width: w.Dim(0), Heads: c.Config.Heads, Length: c.Config.MaxLen}, nil
}

func seedWeights(param string, c attention.Config) []string {
	switch param {
	case "R":
		return []string{"R"}
	case "W_1", "b_1":
		return perHead(c.Heads, "synthesizer.%d.0."+kind(param))
	case "W_2", "b_2":
		return perHead(c.Heads, "synthesizer.%d.2."+kind(param))
	}
	return []string{"W_" + strings.ToLower(param[2:]) + "." + kind(param)}
}

// kind is torch's word for what a parameter of a Linear is.
func kind(param string) string {
	if strings.HasPrefix(param, "b_") {
		return "bias"
	}
	return "weight"
}

func perHead(heads int, format string) []string {
	names := make([]string, heads)
	for a := range names {
		names[a] = fmt.Sprintf(format, a)
	}
	return names
}

func seedNames(m trace.Map) map[string]*tensor.T {
	switch m.Name {
	case "q", "k", "v":
		return map[string]*tensor.T{"W_" + m.Name + ".out": m.Value}
	case "logits": // one Linear per head
		out := map[string]*tensor.T{}
		for a := range m.Value.Dim(0) {
			out[fmt.Sprintf("synthesizer.%d.out", a)] = m.Value.Sub(a)
		}
		return out
	case "scores":
		return map[string]*tensor.T{"scores_raw.attn": m.Value}
	case "masked":
		return map[string]*tensor.T{"scores_masked.attn": m.Value}
	case "weights":
		return map[string]*tensor.T{"weights.attn": m.Value}
	case "mixed":
		return map[string]*tensor.T{"W_o.in": m.Value}
	}
	return nil
}

func fastformerConfig(c *Case) (attention.Config, error) {
	q, err := c.weight("query.weight")
	if err != nil {
		return attention.Config{}, err
	}
	a, err := c.weight("query_att.weight")
	if err != nil {
		return attention.Config{}, err
	}
	x, err := c.input("x")
	if err != nil {
		return attention.Config{}, err
	}
	return attention.Config{Width: q.Dim(0), Heads: a.Dim(0), Length: x.Dim(1)}, nil
}

var fastformerLinears = map[string]string{
	"Q": "query", "K": "key", "alpha": "query_att", "beta": "key_att", "T": "transform",
}

func fastformerWeights(param string, _ attention.Config) []string {
	return []string{fastformerLinears[param[2:]] + "." + kind(param)}
}

// fastformerTolerance is that of the rule, element by element, for scores: those of padding
// are about −10⁴, which says nothing of the others.
func fastformerTolerance(_ *Case, name string, want *tensor.T) func(i int) float64 {
	if name != "alpha_score" && name != "beta_score" {
		return nil
	}
	return func(i int) float64 { return max(valueTolerance, relativeTolerance*math.Abs(float64(want.Data[i]))) }
}

var fastformerSteps = map[string]string{
	"q": "query", "k": "key", "alpha scores": "alpha_score", "alpha": "alpha", "global query": "global_query",
	"p": "p", "beta scores": "beta_score", "beta": "beta", "global key": "global_key", "u": "u", "r": "r",
	"contribution": "effective_contrib_head", "contribution of all heads": "effective_contrib",
}
