package unroll_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/fault"
	"attnatlas/engine/tensor"
	"attnatlas/engine/unroll"
)

const hashedText = "The cat sat on the mat because it was tired, and the dog saw it."

func hashing(t *testing.T, e *engine.Engine, r unroll.HashingRequest) *unroll.Hashing {
	t.Helper()
	if r.Mechanisms == nil {
		r.Mechanisms = []string{attention.Reformer.ID}
	}
	if r.Text == "" {
		r.Text = hashedText
	}
	r.Layer, r.Head = max(r.Layer, 1), max(r.Head, 1)
	h, err := unroll.New(e).Hashing(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(h); err != nil {
		t.Fatal(err)
	}
	return h
}

// same reports whether a matrix has exactly these numbers.
func same(rows [][]tensor.Elem, m *tensor.T) bool {
	return slices.Equal(slices.Concat(rows...), m.Data)
}

// TestHashingIsThatOfTheModel: with the model's own directions, the unrolled map equals the model's map to the
// bit. This holds in every layer and head, and with the causal mask.
func TestHashingIsThatOfTheModel(t *testing.T) {
	e := engine.New()
	for _, id := range []string{"reformer", "reversible"} {
		of := engine.Request{Text: hashedText, Mechanisms: []string{id}}
		for of.Mask = range 2 {
			rep, err := e.Inspect(context.Background(), of)
			if err != nil || rep.Mechanisms[0].Err != nil {
				t.Fatal(err, rep.Mechanisms[0].Err)
			}
			for _, layer := range rep.Mechanisms[0].Layers {
				weights, _ := layer.Find("weights")
				byRound, _ := layer.Find("weights by round")
				for head := range rep.Mechanisms[0].Heads {
					h := hashing(t, e, unroll.HashingRequest{Request: of, Layer: layer.Number, Head: head + 1})
					if !h.Hashed || len(h.List) != 2 || h.Layers != len(rep.Mechanisms[0].Layers) ||
						!same(h.Weights, weights.Value.Sub(head)) {
						t.Errorf("%s layer %d head %d: another map", id, layer.Number, head+1)
					}
					for r, one := range h.List {
						if !same(one.Weights, byRound.Value.Sub(head).Sub(r)) {
							t.Errorf("%s layer %d head %d: another round %d", id, layer.Number, head+1, r+1)
						}
					}
				}
			}
		}
	}
}

// TestHashingAddsUp: for every draw, the products give the buckets and the buckets the order. The chunks give the
// rounds, the rounds the map, and the windows the recall.
func TestHashingAddsUp(t *testing.T) {
	e := engine.New()
	for _, r := range []unroll.HashingRequest{{}, {Rounds: 1, Seed: 7}, {Rounds: 8, Seed: 3, Layer: 2, Head: 4},
		{Rounds: 5, Top: 2, Request: engine.Request{Mask: 1}}} {
		h := hashing(t, e, r)
		n, sum := len(h.Tokens), make([]float64, len(h.Tokens)*len(h.Tokens))
		if r.Rounds > 0 && len(h.List) != r.Rounds {
			t.Errorf("%d rounds, not %d", len(h.List), r.Rounds)
		}
		shown := map[[2]int]bool{}
		for _, one := range h.List {
			sorted(t, h, one)
			round := make([]float64, n*n)
			for _, c := range one.Chunks {
				for q, word := range c.Words {
					for k, at := range c.Sees {
						if word < 0 || at.Word < 0 {
							if c.May[q][k] {
								t.Errorf("a place without a word reads")
							}
							continue
						}
						round[word*n+at.Word] += float64(c.Weights[q][k])
						if c.May[q][k] && word != at.Word {
							shown[[2]int{word, at.Word}] = true
						}
					}
				}
			}
			for i, v := range round {
				if math.Abs(v-float64(one.Weights[i/n][i%n])) > 1e-6 {
					t.Fatalf("%+v: the chunks do not make the round: %v, %v", r, v, one.Weights[i/n][i%n])
				}
				sum[i] += v * float64(one.Shares[i/n])
			}
		}
		for i, v := range sum {
			if math.Abs(v-float64(h.Weights[i/n][i%n])) > 2e-6 {
				t.Fatalf("%+v: the rounds do not make the map: %v, %v", r, v, h.Weights[i/n][i%n])
			}
		}
		recalled(t, h, shown)
	}
}

// sorted checks the buckets and the order of a round.
func sorted(t *testing.T, h *unroll.Hashing, one unroll.HashRound) {
	t.Helper()
	for i, products := range one.Products {
		bucket, times, from := 0, 1, 0
		for _, f := range h.Factors {
			part := products[from : from+f/2]
			both := slices.Clone(part)
			for _, v := range part {
				both = append(both, -v)
			}
			best := 0
			for b, v := range both {
				if v > both[best] {
					best = b
				}
			}
			bucket, times, from = bucket+times*best, times*f, from+f/2
		}
		if bucket != one.Buckets[i] {
			t.Errorf("word %d is in bucket %d, its products say %d", i, one.Buckets[i], bucket)
		}
	}
	var words []int
	for _, w := range one.Order {
		if w >= 0 {
			words = append(words, w)
		}
	}
	if !slices.IsSortedFunc(words, func(a, b int) int {
		if d := one.Buckets[a] - one.Buckets[b]; d != 0 {
			return d
		}
		return a - b
	}) || len(words) != len(h.Tokens) {
		t.Errorf("not sorted: %v of %v", one.Order, one.Buckets)
	}
}

// recalled checks the found words against the windows.
func recalled(t *testing.T, h *unroll.Hashing, shown map[[2]int]bool) {
	t.Helper()
	sum, words := 0.0, 0
	for i, list := range h.Words {
		hits := 0
		for j, w := range list {
			if w.Found != shown[[2]int{i, w.Word}] || w.Word == i || w.Weight != h.Full[i][w.Word] || j > 0 &&
				w.Weight > list[j-1].Weight {
				t.Errorf("word %d: %+v", i, w)
			}
			for k, v := range h.Full[i] {
				if k != i && v > w.Weight && !slices.ContainsFunc(list, func(o unroll.HashedWord) bool { return o.Word == k }) {
					t.Errorf("word %d reads %d more than %d", i, k, w.Word)
				}
			}
			if w.Found {
				hits++
			}
		}
		if len(list) > 0 {
			sum, words = sum+float64(hits)/float64(len(list)), words+1
		}
	}
	if point := h.Recall[len(h.List)-1]; point.Rounds != len(h.List) || math.Abs(point.Recall-sum/float64(words)) > 1e-12 {
		t.Errorf("recall %v, counted %v", point, sum/float64(words))
	}
	for _, p := range h.Recall {
		if p.Least > p.Mean || p.Mean > p.Most || p.Most > 1 || p.Least == p.Most {
			t.Errorf("recall %+v", p)
		}
	}
	if first, last := h.Recall[0], h.Recall[7]; last.Mean <= first.Mean {
		t.Errorf("eight rounds find no more than one: %v, %v", last, first)
	}
}

// TestSeedsDiffer: different seeds give different hashing, equal seeds the same.
func TestSeedsDiffer(t *testing.T) {
	e := engine.New()
	one, again, other := hashing(t, e, unroll.HashingRequest{Seed: 1}), hashing(t, e,
		unroll.HashingRequest{Seed: 1}), hashing(t, e, unroll.HashingRequest{Seed: 2})
	if !slices.Equal(one.List[0].Buckets, again.List[0].Buckets) ||
		slices.Equal(one.List[0].Buckets, other.List[0].Buckets) {
		t.Errorf("seed 1: %v and %v, seed 2: %v", one.List[0].Buckets, again.List[0].Buckets, other.List[0].Buckets)
	}
	if !same(one.Full, tensor.From(slices.Concat(other.Full...), len(one.Full), len(one.Full))) {
		t.Error("the full map depends on the seed")
	}
}

// TestOneChunkFindsAll: a text in one chunk is not hashed. Its map is the full map, and no word is missed.
func TestOneChunkFindsAll(t *testing.T) {
	h := hashing(t, engine.New(), unroll.HashingRequest{Request: engine.Request{Text: "a dog"}, Rounds: 5, Seed: 9})
	if h.Hashed || len(h.List) != 1 || h.List[0].Products != nil || len(h.List[0].Chunks) != 1 || len(h.Tokens) != 4 ||
		h.Size != 4 {
		t.Errorf("%+v", h)
	}
	if !same(h.Weights, tensor.From(slices.Concat(h.Full...), 4, 4)) {
		t.Error("the map is not the full one")
	}
	for _, p := range h.Recall {
		if p.Recall != 1 || p.Least != 1 || p.Mean != 1 {
			t.Errorf("%+v", p)
		}
	}
}

// TestHashingRefuses: an invalid request is refused with a reason.
func TestHashingRefuses(t *testing.T) {
	e := engine.New()
	for name, r := range map[string]unroll.HashingRequest{
		"no hashing": {Request: engine.Request{Mechanisms: []string{"dense"}}, Layer: 1, Head: 1},
		"two stacks": {Request: engine.Request{Mechanisms: []string{"encoder-decoder"}}, Layer: 1, Head: 1},
		"layer":      {Layer: 9, Head: 1}, "no layer": {Head: 1}, "head": {Layer: 1, Head: 9}, "no head": {Layer: 1},
	} {
		if r.Mechanisms == nil {
			r.Mechanisms = []string{attention.Reformer.ID}
		}
		r.Text = "a small cat sat there"
		_, err := unroll.New(e).Hashing(context.Background(), r)
		if known := new(fault.Error); !errors.As(err, &known) || known.Kind == fault.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
}
