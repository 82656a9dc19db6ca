package explain_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/explain"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/tokenizer"
)

// TestExplainMixtures: under every definition of a mixture, every map is explained. Each mixing weight is traced to the
// numbers that training learned, or to the constant that it is, and carries the name of its component.
func TestExplainMixtures(t *testing.T) {
	for mix, chain := range map[string][]ad.Operation{
		"logits": {ad.Softmaxed, ad.Given}, "outputs": {ad.Softmaxed, ad.Given}, "gate": {ad.Applied, ad.Given}, "sum": {ad.Given},
	} {
		c := encoder.Shipped("mixture-rv", tokenizer.Default().Size())
		c.MixerOptions = map[string]string{"mix": mix}
		data, err := modelfile.Untrained(c)
		if err != nil {
			t.Fatal(mix, err)
		}
		e := engine.NewFrom(func(id string) ([]byte, bool) { return data, id == "mixture-rv" })
		of := engine.Request{Text: "The old cat sat.", Mechanisms: []string{"mixture-rv"}}
		rep, err := e.Inspect(context.Background(), of)
		if err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(mix, err, rep.Mechanisms[0].Err)
		}
		for _, m := range rep.Mechanisms[0].Layers[1].Maps {
			explainsMap(t, e, of, 2, m, rand.New(rand.NewPCG(3, 4)))
		}
		x, err := explain.New(e).Explain(context.Background(),
			explain.Question{Request: of, Layer: 1, Map: "alpha", At: []int{1}})
		if err != nil {
			t.Fatal(mix, err)
		}
		var got []ad.Operation
		for _, s := range x.Steps {
			got = append(got, s.Origin.Operation)
		}
		last := x.Steps[len(x.Steps)-1]
		if !slices.Equal(got, chain) || last.Source.Param != (mix != "sum") {
			t.Errorf("%s: steps %q, the last one a parameter: %v", mix, got, last.Source.Param)
		}
		if words := x.Steps[0].Array.Words; len(words) != 1 || !slices.Equal(words[0], []string{"random", "dot-product"}) {
			t.Errorf("%s: the weights are of %q", mix, words)
		}
	}
}
