//go:build f64

package encoder_test

import (
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// gradientStacks returns the stacks whose gradients are tested numerically.
func gradientStacks() map[string]encoder.Config {
	all := map[string]encoder.Config{
		"sandwich":           sandwich(2, "order", "1"),
		"sandwich f first":   sandwich(2, "order", "fssff"),
		"sandwich with span": sandwich(2, "order", "ssff", "attention", "span", "span", "3"),
		"fixed depth":        universal(3, "halting", "none"),
		"convolution": universal(2, "transition", "convolution-before", "normalisation", "deviation", "input",
			"projected"),
	}
	for _, rule := range []string{"basic", "accumulated", "global"} {
		all[rule] = universal(4, "halting", rule, "threshold", "0.9", "ponder", "0.5")
	}
	for name, c := range all {
		c.Mechanism, c.Width, c.Heads, c.Inner, c.Length, c.Vocab, c.Norm = "dot-product", 8, 2, 12, 8, 11, encoder.PreNorm
		c.Stack = "universal"
		if strings.HasPrefix(name, "sandwich") {
			c.Stack = "sandwich"
		}
		c.Tasks = []encoder.Task{{Name: "topic", Classes: []string{"a", "b", "c"}}}
		all[name] = c
		c.Norm = encoder.PostNorm
		all[name+", post-norm"] = c
	}
	return all
}

// TestGradientsThroughDepth compares the gradients of every parameter with differences of the loss,
// including the auxiliary losses. In float32, a measurable step changes when words halt; there,
// gradients are compared with references.
func TestGradientsThroughDepth(t *testing.T) {
	for name, c := range gradientStacks() {
		t.Run(name, func(t *testing.T) {
			m := newModel(t, c)
			for _, w := range m.Params {
				if strings.HasSuffix(w.Name, "halting/W_p") {
					w.Value.Data[0] += 1
				}
			}
			checkGradients(t, m, charged)
		})
	}
}

// charged returns the loss including the auxiliary losses.
func charged(m *encoder.Model, p *nn.Pass) *ad.Var {
	l := loss(m, p)
	for _, c := range p.AuxLosses() {
		l = ad.Add(l, c.Value)
	}
	return l
}
