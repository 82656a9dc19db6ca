package engine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestLengths: models for 64 and for 256 positions answer texts within their limits, with maps of the text's size and
// valid rows. For longer texts they state their own limit.
func TestLengths(t *testing.T) {
	for _, positions := range []int{64, 256} {
		files := map[string][]byte{}
		for _, id := range slices.Concat(engine.IDs(), engine.StackIDs()) {
			files[id] = file(t, lengthConfig(t, id, positions))
		}
		e := engine.NewFrom(func(id string) ([]byte, bool) { data, ok := files[id]; return data, ok })
		for _, n := range []int{3, 63, 64, 65, 255, 256, 257, 511, 512, 513} {
			rep, err := e.Inspect(context.Background(), engine.Request{Text: strings.Repeat("cat ", n-2),
				Mechanisms: slices.Concat(engine.IDs(), engine.StackIDs())})
			if err != nil || len(rep.Tokens) != n {
				t.Fatal(n, err)
			}
			for i := range rep.Mechanisms {
				checkLength(t, &rep.Mechanisms[i], n, positions)
			}
		}
	}
}

// lengthConfig returns a small model of a mechanism or architecture for this many positions.
func lengthConfig(t *testing.T, id string, positions int) encoder.Config {
	t.Helper()
	c := config(id)
	if stack, mechanism, _ := encoder.Parse(id); stack != "" {
		var err error
		if c, err = encoder.Default(stack, mechanism, c.Vocab); err != nil {
			t.Fatal(err)
		}
		c.Width, c.Embed, c.Inner = 16, 0, 16
	}
	if c.Stack != encoder.EncoderDecoder.ID {
		c.Length = positions
	}
	return c
}

// checkLength compares one answer for n tokens with the limit of the model.
func checkLength(t *testing.T, res *engine.Result, n, positions int) {
	t.Helper()
	longest, sentence := 512, "Text too long: %[2]d tokens, limit %[1]d. Remove %[3]d tokens."
	entry, _, _ := engine.Find(res.ID)
	switch {
	case res.ID == encoder.EncoderDecoder.ID:
		longest, sentence = 26, "Text too long: %[2]d tokens, but this model was trained for %[1]d positions. Remove %[3]d tokens."
	case entry.PerPosition != nil && !strings.Contains(res.ID, "shuffle"):
		longest, sentence = positions, "Text too long: %[2]d tokens, but this model was trained for %[1]d positions. Remove %[3]d tokens."
	}
	if res.Model.Longest != longest {
		t.Errorf("%s of %d positions says that it reads %d", res.ID, positions, res.Model.Longest)
	}
	if n > longest {
		if want := fmt.Sprintf(sentence, longest, n, n-longest); fault.KindOf(res.Err) != fault.Unsupported ||
			res.Err.Error() != want {
			t.Errorf("%s: %v, want %s", res.ID, res.Err, want)
		}
		return
	}
	if res.Err != nil {
		t.Errorf("%s: %d tokens: %v", res.ID, n, res.Err)
		return
	}
	for _, l := range res.Layers {
		m := l.Maps[0]
		if m.Value.Dim(-1) != n || m.Value.Dim(-2) != n {
			t.Errorf("%s: %q of %d tokens is %v", res.ID, m.Name, n, m.Value.Shape)
		}
		if m.Kind == trace.Probability && !(metrics.RowSumDeviation(m) < 1e-5) {
			t.Errorf("%s: rows of %d tokens deviate by %g", res.ID, n, metrics.RowSumDeviation(m))
		}
		if slices.ContainsFunc(m.Value.Data, func(v tensor.Elem) bool { return math.IsNaN(float64(v)) }) {
			t.Errorf("%s: %d tokens: NaN", res.ID, n)
		}
	}
}

// TestRolloutOfLongTexts: rollout works at every length that a model reads, with rows that sum to 1.
func TestRolloutOfLongTexts(t *testing.T) {
	e := engine.NewFrom(source(t))
	for _, n := range []int{length, length + 1, 257, 512} {
		rep := inspect(t, e, engine.Request{Text: strings.Repeat("cat ", n-2),
			Mechanisms: []string{"dot-product", "longformer"}, Method: method.Measurement{Name: method.Rollout}})
		for _, res := range rep.Mechanisms {
			if res.Err != nil {
				t.Fatal(res.Err)
			}
			m, ok := res.Layers[1].Find(method.Rollout)
			if !ok || m.Value.Dim(-1) != n || !(metrics.RowSumDeviation(m) < 1e-5) {
				t.Errorf("%s: rollout of %d tokens: %v", res.ID, n, ok)
			}
		}
	}
}
