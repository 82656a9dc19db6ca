package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
)

// library opens a model folder of the transformers library, says what is in it and
// runs it once, forwards, on the first ids of its vocabulary.
func library(dir string, w io.Writer) error {
	m, err := huggingface.Open(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	c := m.Config
	fmt.Fprintf(w, "%s\n  %s: %d layers, width %d, %d heads, %d words, %d positions\n", dir, m.Library.Architecture(), c.Layers, c.Width, c.Heads, c.Vocab, c.Length)
	fmt.Fprintf(w, "  %d parameters in %d tensors of ours, all found\n", nn.Count(m.Params), len(m.Params))
	for _, list := range []struct {
		what  string
		names []string
	}{{"repeated, and equal", m.Tied}, {"not used", m.Unused}} {
		if len(list.names) > 0 {
			fmt.Fprintf(w, "  %d %s: %s\n", len(list.names), list.what, strings.Join(list.names, ", "))
		}
	}
	return forward(m.Model, w)
}

// forwardLength is how many tokens a model is tried with.
const forwardLength = 16

// forward runs a model once and refuses results that are not numbers.
func forward(m *encoder.Model, w io.Writer) error {
	n := min(forwardLength, m.Config.Length)
	ids, every := make([]int, n), make([]int, n)
	for i := range ids {
		ids[i], every[i] = i%m.Config.Vocab, i
	}
	p := nn.NewPass(ad.NewFrozen())
	x := m.Encode(p, ids, 1)
	results := []struct {
		name  string
		value *ad.Var
	}{{"encoded", x}, {"scores of words", m.Words(p, x, every)}}
	for t, task := range m.Config.Tasks {
		results = append(results, struct {
			name  string
			value *ad.Var
		}{task.Name, m.Classify(p, x, t)})
	}
	fmt.Fprintf(w, "  a forward pass over ids 0 … %d:\n", n-1)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range results {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range r.value.Value.Data {
			if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
				return fmt.Errorf("the forward pass gives %v in %s", f, r.name)
			}
			low, high = min(low, float64(v)), max(high, float64(v))
		}
		fmt.Fprintf(table, "    %s\t%v\t%.4f … %.4f\n", r.name, r.value.Shape(), low, high)
	}
	return table.Flush()
}
