package engine_test

import (
	"math"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/altered"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

const changedText = "The cat sat on the mat because it was tired."

// mixtures returns all mixtures of the catalogue.
func mixtures() (all []*attention.Entry) {
	for i := range attention.Catalog {
		if attention.Catalog[i].Parts != nil {
			all = append(all, &attention.Catalog[i])
		}
	}
	return all
}

func changed(t *testing.T, e *engine.Engine, id string, c altered.Change) *engine.Result {
	t.Helper()
	return one(t, inspect(t, e, engine.Request{Text: changedText, Mechanisms: []string{id}, Change: c}))
}

func one(t *testing.T, rep *engine.Report) *engine.Result {
	t.Helper()
	if err := rep.Mechanisms[0].Err; err != nil {
		t.Fatal(err)
	}
	return &rep.Mechanisms[0]
}

func mapOf(t *testing.T, res *engine.Result, layer int, name string) *tensor.T {
	t.Helper()
	m, ok := res.Layers[layer-1].Find(name)
	if !ok {
		t.Fatalf("%s shows no %s", res.ID, name)
	}
	return m.Value
}

// TestLearnedSharesChangeNothing: learned mixing weights change no bit. A weight of 1 leaves one component.
func TestLearnedSharesChangeNothing(t *testing.T) {
	e := engine.New()
	for _, entry := range mixtures() {
		learned := changed(t, e, entry.ID, altered.Change{})
		shares := map[int][]float64{}
		for layer := 1; layer <= 2; layer++ {
			for _, v := range mapOf(t, learned, layer, "alpha").Data {
				shares[layer] = append(shares[layer], float64(v))
			}
		}
		again := changed(t, e, entry.ID, altered.Change{Shares: shares})
		if !slices.Equal(mapOf(t, learned, 2, "weights").Data, mapOf(t, again, 2, "weights").Data) {
			t.Errorf("%s: the learned shares give another map", entry.ID)
		}
		for i, part := range entry.Parts {
			corner := make([]float64, len(entry.Parts))
			corner[i] = 1
			alone := changed(t, e, entry.ID, altered.Change{Shares: map[int][]float64{1: corner}})
			if !slices.Equal(mapOf(t, alone, 1, "scores").Data, scoresOf(t, learned, 1, part)) {
				t.Errorf("%s: with all of the share the scores are not those of %s", entry.ID, part)
			}
			if !slices.Equal(mapOf(t, alone, 1, "weights").Data, mapOf(t, learned, 1, part+" weights").Data) {
				t.Errorf("%s: with all of the share the map is not that of %s", entry.ID, part)
			}
			if slices.Equal(mapOf(t, alone, 1, "weights").Data, mapOf(t, learned, 1, "weights").Data) {
				t.Errorf("%s: the map is the same with all of the share for %s", entry.ID, part)
			}
			if alpha := mapOf(t, alone, 2, "alpha"); !slices.Equal(alpha.Data, mapOf(t, learned, 2, "alpha").Data) {
				t.Errorf("%s: shares of layer 1 change layer 2: %v", entry.ID, alpha.Data)
			}
		}
	}
}

// scoresOf returns the scores of a component in a layer of the learned model.
func scoresOf(t *testing.T, learned *engine.Result, layer int, part string) []tensor.Elem {
	t.Helper()
	m := shippedModel(t, learned.ID)
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{}
	m.Run(p, encoder.Input{Count: 1, IDs: idsIn(tokenizer.Default(), changedText)})
	shown, ok := p.Run.Parts[layer-1].Find(part + " scores")
	if !ok {
		t.Fatalf("%s: no scores of %s", learned.ID, part)
	}
	return shown.Value.Data
}

func shippedModel(t *testing.T, id string) *encoder.Model {
	t.Helper()
	data, ok := checkpoint.Embedded(id)
	if !ok {
		t.Fatal("no model of " + id)
	}
	m, _, err := modelfile.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSharesAreMixed: the scores are the sum of the components' scores with the requested mixing weights.
func TestSharesAreMixed(t *testing.T) {
	e := engine.New()
	for _, entry := range mixtures() {
		shares := []float64{0.2, 0.8}
		if len(entry.Parts) == 3 {
			shares = []float64{0.5, 0.2, 0.3}
		}
		res := changed(t, e, entry.ID, altered.Change{Shares: map[int][]float64{1: shares}})
		got := mapOf(t, res, 1, "scores").Data
		want := make([]float64, len(got))
		for i, part := range entry.Parts {
			for k, v := range scoresOf(t, res, 1, part) {
				want[k] += shares[i] * float64(v)
			}
		}
		for k := range got {
			if math.Abs(float64(got[k])-want[k]) > 1e-5*(1+math.Abs(want[k])) {
				t.Fatalf("%s: score %d is %v, not %v", entry.ID, k, got[k], want[k])
			}
		}
	}
}

// TestLossOfChangedShares compares the loss with that of a model that has the other parameters.
func TestLossOfChangedShares(t *testing.T) {
	e, vocab := engine.New(), tokenizer.Default()
	shares := []float64{0.25, 0.75}
	r := engine.Request{
		Text: changedText, Mechanisms: []string{"mixture-rv"}, Change: altered.Change{Shares: map[int][]float64{2: shares}},
		Race: predict.HiddenWords{Truth: changedText, Turns: true},
	}
	got, pieces := predict.Loss(one(t, inspect(t, e, r)).Attempts)
	r.Change = altered.Change{}
	learned, _ := predict.Loss(one(t, inspect(t, e, r)).Attempts)

	m := shippedModel(t, "mixture-rv")
	loss := func() (nats float64) {
		tokens := vocab.Encode(changedText)
		for _, word := range vocab.Words(changedText, tokens) {
			ids := idsIn(vocab, changedText)
			for i := word.First; i < word.Last; i++ {
				ids[i] = vocab.MASK()
			}
			for i := word.First; i < word.Last; i++ {
				nats -= math.Log(likelihoods(m, ids, i)[tokens[i].ID]) / float64(pieces)
			}
		}
		return nats
	}
	if want := loss(); math.Abs(learned-want) > 1e-4 {
		t.Errorf("learned: %v nats, not %v", learned, want)
	}
	for _, p := range m.Params {
		if p.Name == "layer 2/mixer/alphas" {
			p.Value.Data[0], p.Value.Data[1] = tensor.Elem(math.Log(0.25)), tensor.Elem(math.Log(0.75))
		}
	}
	if want := loss(); math.Abs(got-want) > 1e-4 || math.Abs(got-learned) < 1e-3 {
		t.Errorf("changed: %v nats, not %v; learned %v", got, want, learned)
	}
}

// TestWrongChanges: each invalid change has its message and kind of error.
func TestWrongChanges(t *testing.T) {
	e := engine.New()
	for _, c := range []struct {
		id     string
		layer  int
		shares []float64
		want   fault.Kind
	}{
		{"mixture-rv", 1, []float64{1.2, -0.2}, fault.Invalid},
		{"mixture-rv", 1, []float64{math.NaN(), 1}, fault.Invalid},
		{"mixture-rv", 1, []float64{0.5, 0.4}, fault.Invalid},
		{"mixture-rv", 1, []float64{0.5, 0.25, 0.25}, fault.Invalid},
		{"mixture-rv", 3, []float64{0.5, 0.5}, fault.NotFound},
		{"mixture-rv", 0, []float64{0.5, 0.5}, fault.NotFound},
		{"dense", 1, []float64{0.5, 0.5}, fault.Unsupported},
		{"bert", 1, []float64{0.5, 0.5}, fault.Unsupported},
	} {
		rep := inspect(t, e, engine.Request{Text: changedText, Mechanisms: []string{c.id},
			Change: altered.Change{Shares: map[int][]float64{c.layer: c.shares}}})
		if err := rep.Mechanisms[0].Err; err == nil || fault.KindOf(err) != c.want {
			t.Errorf("%s %v: %v", c.id, c.shares, err)
		}
	}
	r := engine.Request{Text: changedText, Mechanisms: []string{"mixture-rv"},
		Method: method.Measurement{Name: method.Influence, Layer: 1},
		Change: altered.Change{Shares: map[int][]float64{1: {0.5, 0.5}}}}
	if err := inspect(t, e, r).Mechanisms[0].Err; fault.KindOf(err) != fault.Unsupported {
		t.Error("the influence of a model that nobody has learned: ", err)
	}
}

// tabled lists the mechanisms whose scores are a learned matrix.
var tabled = []string{"random", "fixed-random", "factorized-random"}

// TestRanks: at full rank the map is the model's. At a lower rank the scores have that rank, and their distance from
// the learned scores follows from the omitted singular values.
func TestRanks(t *testing.T) {
	e := engine.New()
	for _, id := range tabled {
		learned := changed(t, e, id, altered.Change{Spectra: true})
		n := mapOf(t, learned, 1, "weights").Dim(1)
		most := len(learned.Spectra[0][0])
		if want := map[string]int{"factorized-random": 8}[id]; most != want && (most != n || want != 0) {
			t.Fatalf("%s: %d singular values of %d words", id, most, n)
		}
		if !slices.Equal(mapOf(t, learned, 2, "weights").Data,
			mapOf(t, changed(t, e, id, altered.Change{}), 2, "weights").Data) {
			t.Errorf("%s: who asks for singular values gets another map", id)
		}
		whole := changed(t, e, id, altered.Change{Rank: most})
		for layer := 1; layer <= 2; layer++ {
			if d := distance(mapOf(t, learned, layer, "weights").Data, mapOf(t, whole, layer, "weights").Data); d > 1e-5 {
				t.Errorf("%s, layer %d: full rank is %v away", id, layer, d)
			}
		}
		for _, rank := range []int{1, 3, most - 1} {
			part := changed(t, e, id, altered.Change{Rank: rank})
			for head, values := range learned.Spectra[1] {
				r, of := mapOf(t, learned, 2, "scores").Sub(head), mapOf(t, part, 2, "scores").Sub(head)
				far, want := 0.0, 0.0
				for i := range r.Data {
					far += math.Pow(float64(r.Data[i]-of.Data[i]), 2)
				}
				for _, v := range values[rank:] {
					want += v * v
				}
				if math.Abs(math.Sqrt(far)-math.Sqrt(want)) > 1e-4*(1+values[0]) {
					t.Errorf("%s, rank %d, head %d: %v from what was learned, not %v", id, rank, head+1, math.Sqrt(far),
						math.Sqrt(want))
				}
				if got := rankOf(of); got != rank {
					t.Errorf("%s, head %d: rank %d, not %d", id, head+1, got, rank)
				}
			}
		}
	}
}

func distance(a, b []tensor.Elem) (most float64) {
	for i := range a {
		most = max(most, math.Abs(float64(a[i]-b[i])))
	}
	return most
}

// rankOf returns the number of independent rows, by elimination with the largest remaining number as pivot.
func rankOf(x *tensor.T) (rank int) {
	n := x.Dim(0)
	rows := make([][]float64, n)
	largest := 0.0
	for i := range rows {
		for _, v := range x.Data[i*n:][:n] {
			rows[i] = append(rows[i], float64(v))
			largest = max(largest, math.Abs(float64(v)))
		}
	}
	for ; rank < n; rank++ {
		pi, pj := rank, rank
		for i := rank; i < n; i++ {
			for j := rank; j < n; j++ {
				if math.Abs(rows[i][j]) > math.Abs(rows[pi][pj]) {
					pi, pj = i, j
				}
			}
		}
		if math.Abs(rows[pi][pj]) < 1e-5*largest {
			return rank
		}
		rows[rank], rows[pi] = rows[pi], rows[rank]
		for i := range rows {
			rows[i][rank], rows[i][pj] = rows[i][pj], rows[i][rank]
		}
		for i := rank + 1; i < n; i++ {
			c := rows[i][rank] / rows[rank][rank]
			for j := rank; j < n; j++ {
				rows[i][j] -= c * rows[rank][j]
			}
		}
	}
	return rank
}

// TestWrongRanks: each invalid rank has its message and kind of error.
func TestWrongRanks(t *testing.T) {
	e := engine.New()
	for id, wrong := range map[string]map[int]fault.Kind{
		"random": {-1: fault.Invalid, 14: fault.Invalid, 13: 0}, "factorized-random": {9: fault.Invalid, 8: 0},
		"dense": {1: fault.Unsupported}, "albert": {1: fault.Unsupported}, "mixture-rv": {1: fault.Unsupported},
	} {
		for rank, want := range wrong {
			err := inspect(t, e, engine.Request{Text: changedText, Mechanisms: []string{id},
				Change: altered.Change{Rank: rank}}).Mechanisms[0].Err
			if (want == 0) != (err == nil) || err != nil && fault.KindOf(err) != want {
				t.Errorf("%s, rank %d: %v", id, rank, err)
			}
		}
	}
}
