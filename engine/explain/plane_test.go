package explain_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
)

const planeText = "The old cat sat on the mat because it was tired."

// stepsOf returns the steps of a layer in a model with its trained weights.
func stepsOf(t *testing.T, id string, layer int) (*explain.Steps, *attention.Entry) {
	t.Helper()
	entry, _, _ := engine.Find(id)
	w, err := explain.New(engine.New()).Steps(context.Background(),
		explain.StepsRequest{Request: engine.Request{Text: planeText, Mechanisms: []string{id}}, Layer: layer})
	if err != nil {
		t.Fatal(id, err)
	}
	return w, entry
}

// TestPlaneKeepsItsShare: the scores of the points and the rest are orthogonal, and the share of
// their squares is that of the plane. All dimensions together leave nothing. No other plane leaves
// less, because the rest is at most the second dimension in every direction.
func TestPlaneKeepsItsShare(t *testing.T) {
	for _, id := range []string{"dot-product", "bigbird", "longformer", "reformer", "bert", "gpt2", "albert"} {
		for layer := 1; layer <= 2; layer++ {
			w, entry := stepsOf(t, id, layer)
			for head := 1; head <= w.Heads; head++ {
				p, err := w.Plane(entry, head)
				if err != nil {
					t.Fatal(id, err)
				}
				all, kept, rest, both := 0.0, 0.0, 0.0, 0.0
				for i := range p.Keys {
					for j := range p.Keys {
						s, in := float64(p.Scores.At(i, j)), p.Score(i, j)
						all, kept, rest, both = all+s*s, kept+in*in, rest+(s-in)*(s-in), both+in*(s-in)
					}
				}
				sum := 0.0
				for _, v := range p.Values {
					sum += v * v
				}
				if share := p.Share(0, 2); math.Abs(kept/all-share) > 1e-5 || math.Abs(rest/all-(1-share)) > 1e-5 ||
					math.Abs(both/all) > 1e-5 || math.Abs(sum/all-1) > 1e-5 || share <= 0.2 || share > 1+1e-9 {
					t.Errorf("%s %d.%d: the share is said to be %v and is %v, the rest %v, all %v of %v", id, layer, head,
						share, kept/all, rest/all, sum, all)
				}
			}
		}
	}
}

// TestPlaneScoresAreThoseOfTheWeights: in a row, the logarithms of the model's weights differ by
// the same amounts as the scores, and the scores have the mean 0. A Reformer gives a token another
// score for itself, and sums a pair over the rounds in which it shares a bucket.
func TestPlaneScoresAreThoseOfTheWeights(t *testing.T) {
	for _, id := range []string{"dot-product", "bigbird", "longformer", "reformer", "bert"} {
		w, entry := stepsOf(t, id, 2)
		compared := 0
		for head := 1; head <= w.Heads; head++ {
			p, err := w.Plane(entry, head)
			if err != nil {
				t.Fatal(id, err)
			}
			for i, q := range p.Queries {
				mean, first := 0.0, math.NaN()
				for j := range p.Keys {
					score, weight := float64(p.Scores.At(i, j)), float64(p.Weights.Value.At(i, j))
					mean += score / float64(len(p.Keys))
					if q == nil || weight < 1e-6 || i == j && id == "reformer" {
						continue
					}
					off := math.Log(weight) - score
					if math.IsNaN(first) {
						first = off
					}
					if compared++; !metAs(off-first, map[bool]int{true: 4, false: 1}[id == "reformer"]) {
						t.Errorf("%s head %d: token %d gives %d %v, which is not what its score %v says", id, head, i, j, weight, score)
					}
				}
				if math.Abs(mean) > 1e-4 {
					t.Errorf("%s head %d: the scores of row %d have the mean %v", id, head, i, mean)
				}
			}
		}
		if compared < 200 {
			t.Errorf("%s: only %d weights were compared", id, compared)
		}
	}
}

// TestPlaneMoves: the moved attention is the distance between the softmax of the plane's scores and
// the weights.
func TestPlaneMoves(t *testing.T) {
	w, entry := stepsOf(t, "dot-product", 1)
	for head := 1; head <= w.Heads; head++ {
		p, err := w.Plane(entry, head)
		if err != nil {
			t.Fatal(err)
		}
		moved := 0.0
		for i := range p.Keys {
			sum := 0.0
			for j := range p.Keys {
				sum += math.Exp(p.Score(i, j))
			}
			for j := range p.Keys {
				moved += math.Abs(math.Exp(p.Score(i, j))/sum-float64(p.Weights.Value.At(i, j))) / 2 / float64(len(p.Keys))
			}
		}
		if math.Abs(moved-p.Moved()) > 1e-4 || moved < 0.01 {
			t.Errorf("head %d moves %v, and is said to move %v", head, moved, p.Moved())
		}
	}
}

// metAs reports whether a difference of logarithms is that of two counts up to most.
func metAs(difference float64, most int) bool {
	for a := 1; a <= most; a++ {
		for b := 1; b <= most; b++ {
			if math.Abs(difference-math.Log(float64(a)/float64(b))) < 1e-3 {
				return true
			}
		}
	}
	return false
}

// TestPlaneLeavesOutGlobalWords: the first token of a Longformer has a special query, and an
// ordinary key.
func TestPlaneLeavesOutGlobalWords(t *testing.T) {
	w, entry := stepsOf(t, "longformer", 1)
	p, err := w.Plane(entry, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Keys {
		if p.Keys[i] == nil || (p.Queries[i] == nil) != (i == 0) {
			t.Errorf("token %d has the query %v and the key %v", i, p.Queries[i], p.Keys[i])
		}
	}
}

// TestPlaneIsRefused: mechanisms without products of queries and keys have no plane, and neither
// have heads whose scores have other terms.
func TestPlaneIsRefused(t *testing.T) {
	for _, id := range []string{"random", "dense", "fastformer", "linear", "shuffle-exchange"} {
		w, entry := stepsOf(t, id, 1)
		var refused *fault.Error
		if _, err := w.Plane(entry, 1); !errors.As(err, &refused) || refused.Kind != fault.Unsupported {
			t.Errorf("%s: %v", id, err)
		}
	}
	w, entry := stepsOf(t, "dot-product", 1)
	for _, s := range w.List {
		if s.Key == "scores" { // of the first head
			s.Map.Value.Data[1] += 1
		}
	}
	if _, err := w.Plane(entry, 1); err == nil {
		t.Error("scores with another term are shown")
	}
	if _, err := w.Plane(entry, 2); err != nil {
		t.Errorf("the second head is as it was: %v", err)
	}
}
