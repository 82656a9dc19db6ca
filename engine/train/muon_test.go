package train

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/tensor"
)

// TestOrthogonalise: the singular values of a matrix, between 0 and 2 before, are about 1 after.
// The result is Q, and QQᵀ or QᵀQ, whichever is smaller, has their squares as eigenvalues.
func TestOrthogonalise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]int{{8, 8}, {6, 20}, {20, 6}} {
		rows, cols := shape[0], shape[1]
		data := make([]tensor.Elem, rows*cols)
		for i := range data {
			data[i] = tensor.Elem(r.NormFloat64())
		}
		orthogonalise(data, rows, cols)
		x := tensor.NewMatrix(data, rows, cols)
		if rows > cols {
			x = x.T()
		}
		n := min(rows, cols)
		square := make([]tensor.Elem, n*n)
		tensor.Gemm(tensor.NewMatrix(square, n, n), x, x.T(), 1, tensor.Overwrite)
		for i := range n {
			if v := float64(square[i*n+i]); v < 0.3 || v > 1.6 {
				t.Errorf("%v: a row has length² %v after it", shape, v)
			}
			for j := range i {
				if v := math.Abs(float64(square[i*n+j])); v > 0.4 {
					t.Errorf("%v: rows %d and %d have the product %v", shape, i, j, v)
				}
			}
		}
	}
}

// TestMuonGoesOnBitForBit: a recipe with Muon and its own masking that is killed again and again
// gives the same files.
func TestMuonGoesOnBitForBit(t *testing.T) {
	c := load(t, writeData(t), Train)
	c.Batches = 6
	r := smallRecipe(12)
	r.Rates, r.Muon, r.Phases = nil, Muon{Momentum: 0.95}, []Phase{{Lengths: []int{16}, Mask: 0.3, Seldom: 0.01}}
	whole := finishRecipe(t, r, c, t.TempDir(), -1)
	killed := finishRecipe(t, r, c, t.TempDir(), 5)
	r.Muon = Muon{}
	plain := finishRecipe(t, r, c, t.TempDir(), -1)
	for id := range whole {
		if !sameArrays(t, whole[id], killed[id]) {
			t.Errorf("%s: a training that was killed ends elsewhere", id)
		}
		if sameArrays(t, whole[id], plain[id]) {
			t.Errorf("%s: Muon does what AdamW does", id)
		}
	}
}

// sameArrays reports whether two finished models have the same parameters, bit for bit.
func sameArrays(t *testing.T, one, other []byte) bool {
	t.Helper()
	a, err := checkpoint.Parse(one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := checkpoint.Parse(other)
	if err != nil {
		t.Fatal(err)
	}
	same := func(x, y *tensor.T) bool { return slices.Equal(x.Data, y.Data) }
	return maps.EqualFunc(a.Arrays, b.Arrays, same)
}

// TestSeldomHidesFrequentWordsLess: a token that is four times as frequent as the bound is masked
// half as often.
func TestSeldomHidesFrequentWordsLess(t *testing.T) {
	c := load(t, writeData(t), Train)
	share := c.frequency()
	top := 0
	for id := range share {
		if share[id] > share[top] {
			top = id
		}
	}
	const mask = 0.4
	h := c.hiding(Phase{Mask: mask, Seldom: share[top] / 4})
	asked, seen := map[bool]float64{}, map[bool]float64{}
	for step := range 400 {
		b := c.wordBatch(rand.New(rand.NewPCG(5, uint64(step))), 16, nil, hiding{share: 0})
		ids := append([]int(nil), b.IDs...)
		b.At, b.Targets = nil, nil
		b.mask(rand.New(rand.NewPCG(6, uint64(step))), c.Vocab, h, 0, len(ids))
		for _, id := range ids {
			if !c.Vocab.IsContinuation(id) && share[id] > 0 && (id == top || h.seldom[id] == 1) {
				seen[id == top]++
			}
		}
		for i, at := range b.At {
			if id := b.Targets[i]; !c.Vocab.IsContinuation(id) && share[id] > 0 && (id == top || h.seldom[id] == 1) &&
				ids[at] == id {
				asked[id == top]++
			}
		}
	}
	if got := asked[true] / seen[true]; math.Abs(got-mask/2) > 0.02 {
		t.Errorf("the most frequent piece is hidden %.3f of the times, not %.3f", got, mask/2)
	}
	if got := asked[false] / seen[false]; math.Abs(got-mask) > 0.02 {
		t.Errorf("rare pieces are hidden %.3f of the times, not %.3f", got, mask)
	}
}
