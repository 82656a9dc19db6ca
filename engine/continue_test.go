package engine_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/bench"
	"attnatlas/engine/fault"
	"attnatlas/engine/predict"
	"attnatlas/engine/trace"
)

const beginning = "Once upon a time there was a little"

func continued(t *testing.T, r predict.Continue) *predict.Continuation {
	t.Helper()
	c, err := engine.New().Continue(t.Context(), "gpt2", r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestContinue: the most probable tokens are the model's predictions in one pass over the text, with the same
// probabilities, and the rows are those of the text's own maps.
func TestContinue(t *testing.T) {
	e := engine.New()
	c, err := e.Continue(t.Context(), "gpt2", predict.Continue{Text: beginning, Words: 6})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Written) < 6 || c.Stopped || c.Full || len(strings.Fields(c.Text)) < 4 {
		t.Fatalf("%q, %d pieces, stopped %v, full %v", c.Text, len(c.Written), c.Stopped, c.Full)
	}
	whole := beginning + " " + c.Text
	rep, err := e.Inspect(t.Context(), engine.Request{Text: whole, Mechanisms: []string{"gpt2"}})
	if err != nil || rep.Mechanisms[0].Err != nil {
		t.Fatal(err, rep.Mechanisms[0].Err)
	}
	res := rep.Mechanisms[0]
	for i, w := range c.Written {
		at := len(c.Tokens) - 1 + i
		guess := res.Predictions[at]
		if rep.Tokens[at+1].Piece != w.Piece || guess.Words[0].Piece != w.Piece || math.Abs(guess.Words[0].P-w.P) > 1e-5 ||
			w.Top[0] != (predict.Word{Piece: w.Piece, P: w.P}) {
			t.Errorf("piece %d is %s with %g; the text has %s, guessed with %g", i, w.Piece, w.P, rep.Tokens[at+1].Piece,
				guess.Words[0].P)
		}
		for l, layer := range res.Layers {
			number := slices.IndexFunc(layer.Maps, func(m trace.Map) bool { return m.Name == "weights" })
			if number < 0 {
				t.Fatal("no weights")
			}
			m := layer.Maps[number]
			n := m.Value.Dim(2)
			for h := range m.Value.Dim(0) {
				for j := range at + 1 {
					if want, got := m.Value.Data[(h*n+at)*n+j], w.Weights[l].At(h, j); math.Abs(float64(want-got)) > 1e-5 {
						t.Fatalf("layer %d, head %d: token %d reads token %d with %g, when it wrote %g", l, h, at, j, want, got)
					}
				}
			}
		}
	}
}

// TestContinueDraws: the same seed gives the same words, another seed other words. The first draw does not depend on
// the number of words. Top-k 1 takes the most probable token, and no special token is drawn.
func TestContinueDraws(t *testing.T) {
	r := predict.Continue{Text: beginning, Words: 20, Temperature: 1, Seed: 3}
	first, again := continued(t, r), continued(t, r)
	if first.Text != again.Text || first.Text == "" {
		t.Errorf("%q, then %q", first.Text, again.Text)
	}
	r.Seed = 4
	if other := continued(t, r); other.Text == first.Text {
		t.Errorf("another seed writes %q, too", other.Text)
	}
	r.Seed, r.Words = 3, 1
	if one := continued(t, r); one.Written[0].Piece != first.Written[0].Piece {
		t.Errorf("alone, the first word is %s", one.Written[0].Piece)
	}
	r.Words, r.TopK = 20, 1
	if k, greedy := continued(t, r), continued(t, predict.Continue{Text: beginning, Words: 20}); k.Text != greedy.Text {
		t.Errorf("top-k 1 writes %q, the likeliest words are %q", k.Text, greedy.Text)
	}
	r.TopK, r.Temperature = 0, predict.MostTemperature
	for _, w := range continued(t, r).Written {
		if slices.Contains([]string{"[PAD]", "[UNK]", "[CLS]", "[MASK]", "[SEP]"}, w.Piece) {
			t.Errorf("%s was written", w.Piece)
		}
	}
}

// TestContinueEnds: an empty beginning is allowed, and a text ends where the model has no more positions.
func TestContinueEnds(t *testing.T) {
	if c := continued(t, predict.Continue{Words: 3}); len(c.Tokens) != 1 || len(c.Written) == 0 && !c.Stopped {
		t.Errorf("%+v", c)
	}
	long := continued(t, predict.Continue{Text: strings.Repeat("and ", 250), Words: 100, Temperature: 3, Seed: 1})
	if n := len(long.Tokens) + len(long.Written); !long.Stopped && (!long.Full || n != 256) {
		t.Errorf("%d tokens, full %v", n, long.Full)
	}
}

func TestContinueRefuses(t *testing.T) {
	for name, x := range map[string]struct {
		id   string
		r    predict.Continue
		kind fault.Kind
	}{
		"bert":             {"bert", predict.Continue{Words: 1}, fault.Unsupported},
		"encoder–decoder":  {"encoder-decoder", predict.Continue{Words: 1}, fault.Unsupported},
		"nobody":           {"nobody", predict.Continue{Words: 1}, fault.NotFound},
		"fewer than none":  {"gpt2", predict.Continue{Words: -1}, fault.Invalid},
		"many words":       {"gpt2", predict.Continue{Words: predict.MostContinued + 1}, fault.Invalid},
		"cold":             {"gpt2", predict.Continue{Words: 1, Temperature: -1}, fault.Invalid},
		"no number":        {"gpt2", predict.Continue{Words: 1, Temperature: math.NaN()}, fault.Invalid},
		"less than none":   {"gpt2", predict.Continue{Words: 1, TopK: -1}, fault.Invalid},
		"too long to read": {"gpt2", predict.Continue{Words: 1, Text: strings.Repeat("and ", 300)}, fault.Unsupported},
	} {
		var told *fault.Error
		if c, err := engine.New().Continue(t.Context(), x.id, x.r); !errors.As(err, &told) || told.Kind != x.kind {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// TestContinueStops: writing stops when the context ends.
func TestContinueStops(t *testing.T) {
	e, r := engine.New(), predict.Continue{Text: beginning, Temperature: 4, Seed: 1}
	if _, err := e.Continue(t.Context(), "gpt2", r); err != nil { // opens the model
		t.Fatal(err)
	}
	ctx, leave := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer leave()
	r.Words = 500
	if c, err := e.Continue(ctx, "gpt2", r); err == nil {
		t.Errorf("%d pieces were written", len(c.Written))
	}
}

// TestContinueTakes: a taken token stands at its position after the same words, and the tokens add up to the text.
func TestContinueTakes(t *testing.T) {
	r := predict.Continue{Text: beginning, Words: 8, Temperature: 1, Seed: 3}
	drawn := continued(t, r)
	r.Taken = []predict.Taken{{Piece: 3, Rank: 4}}
	c := continued(t, r)
	third, text := c.Written[2], ""
	if !third.Taken || third.Rank != 4 || third.Piece != drawn.Written[2].Top[3].Piece ||
		c.Written[1].Piece != drawn.Written[1].Piece {
		t.Errorf("%+v", third)
	}
	for _, w := range c.Written {
		text += w.Text
	}
	if strings.TrimSpace(text) != c.Text || c.Written[len(c.Written)-1].Word > 8 || c.Next == nil && !c.Full {
		t.Errorf("%q is %q", text, c.Text)
	}
	if cost := engine.New().ContinueCost("gpt2", r); cost.Operations < 1e6 || cost.Bytes < 1e4 {
		t.Errorf("%+v", cost)
	}
}

// BenchmarkContinue measures one written word, with its map and its ten most probable tokens.
func BenchmarkContinue(b *testing.B) {
	e, n := engine.New(), 0
	began := bench.CPUTime()
	for b.Loop() {
		c, err := e.Continue(b.Context(), "gpt2", predict.Continue{Text: beginning, Words: 200, Temperature: 0.8, TopK: 40,
			Seed: uint64(n)})
		if err != nil {
			b.Fatal(err)
		}
		n += len(c.Written)
	}
	b.ReportMetric(float64(n)/(bench.CPUTime()-began).Seconds(), "words/CPU-s")
}
