package verify

import (
	"maps"
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

var dialects = merge(stackDialects, streamDialects)

// merge puts the tables of all files into one.
func merge(tables ...map[string]dialect) map[string]dialect {
	all := map[string]dialect{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
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

// kind is torch's word for what a parameter of a Linear is.
func kind(param string) string {
	if strings.HasPrefix(param, "b_") {
		return "bias"
	}
	return "weight"
}

var fastformerLinears = map[string]string{
	"Q": "query", "K": "key", "alpha": "query_att", "beta": "key_att", "T": "transform",
}
