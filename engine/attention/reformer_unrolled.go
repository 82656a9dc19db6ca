package attention

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Hashing exposes the intermediate results of one call of a Reformer layer. It uses the layer's
// weights and its input, with any random directions.
type Hashing struct {
	core *lsh
	pass *nn.Pass // with the mask of the call
	x    *ad.Var  // [1,N,d]
	qk   *tensor.T
}

// NewHashing returns the Hashing of a mixer for one sequence x [1,N,d]; false if the mixer does not
// use hashing.
func NewHashing(p *nn.Pass, m Mixer, x *ad.Var) (*Hashing, bool) {
	r, ok := m.(*reformer)
	if !ok {
		return nil, false
	}
	core, ok := r.core.(*lsh)
	if !ok {
		return nil, false
	}
	quiet := *p
	quiet.Run, quiet.Rand = nil, nil
	return &Hashing{core, &quiet, x, core.qk.Apply(&quiet, x).Value}, true
}

// Rounds returns the number of hashing rounds of the layer.
func (h *Hashing) Rounds() int { return h.core.rounds }

// Heads returns the number of heads of the layer.
func (h *Hashing) Heads() int { return h.core.Heads }

// Draw chooses the random directions for hashing: the number of rounds and the seed. With seed 0
// and its own number of rounds, a layer computes its usual result.
type Draw struct {
	Rounds int
	Seed   uint64
}

// drawn returns the layer with other directions.
func (h *Hashing) drawn(d Draw) *lsh {
	other := *h.core
	other.rounds = d.Rounds
	other.rotations = other.directions(draw(d.Seed), other.bucketFactors(roundUp(h.qk.Dim(1), other.chunks.Size)))
	return &other
}

// Unrolled holds the intermediate results of a layer with hashing. All lists are ordered by head.
type Unrolled struct {
	ad.Chunks            // chunks of the sorted list
	Rounds    int        // number of rounds; 1 for a text in one chunk, which is not hashed
	Padded    int        // places in each round: the words, padded to whole chunks
	Factors   []int      // factors of the number of buckets; nil: nothing is hashed
	Products  *tensor.T  // [H,R,N,ΣF/2]: products of the words with the directions
	Order     [][]int    // by head: token at each place of all rounds, in the order of rounds; N and above are padding
	May       []bool     // [H,M,W]: whether the word at a place attends to the word at a place of its window
	Run       *trace.Run // maps of the layer
}

// Sees returns the places, counted through all rounds, in the window of a chunk.
func (u *Unrolled) Sees(chunk int) []int {
	sees := make([]int, u.Window())
	for i := range sees {
		sees[i] = u.Source(chunk, i/u.Size, u.Rounds*u.Padded/u.Size)*u.Size + i%u.Size
	}
	return sees
}

// Unroll runs the layer with a draw.
func (h *Hashing) Unroll(d Draw) *Unrolled {
	m, watched := h.drawn(d), *h.pass
	watched.Run = &trace.Run{}
	m.Mix(&watched, h.x)
	w := m.sort(h.pass, h.qk)
	u := &Unrolled{Chunks: w.Chunks, Rounds: w.rounds, Padded: w.padded, Run: watched.Run,
		May: w.may(w.cells(h.pass.Mask))}
	for plane := range w.heads {
		u.Order = append(u.Order, of(w.order, plane))
	}
	if w.n > m.chunks.Size {
		u.Factors = m.bucketFactors(w.padded)
		u.Products = m.products(h.qk)
	}
	return u
}

// products returns the products of the words with the directions, by round: [H,R,N,ΣF/2].
func (m *lsh) products(qk *tensor.T) *tensor.T {
	n, half := qk.Dim(1), m.rotations.Dim(3)
	t := tensor.New(m.Heads, m.rounds, n, half)
	for head := range m.Heads {
		rotated := m.rotate(qk, m.rotations, head)
		for i := range n * m.rounds {
			copy(t.Data[((head*m.rounds+i%m.rounds)*n+i/m.rounds)*half:][:half], rotated[i*half:])
		}
	}
	return t
}

// may reports for every cell of the scores [H,M,W] whether the word attends to it. A word attends
// to itself only if there is no other word, and padding attends to nothing.
func (w *windows) may(cells []uint8) []bool {
	can := make([]bool, len(cells))
	w.rows(func(r row) {
		classes := cells[r.first:][:len(r.keys)]
		alone := !slices.Contains(classes, seen)
		for i, c := range classes {
			can[r.first+i] = r.query < w.n && (c == seen || c == self && alone)
		}
	})
	return can
}

// Full returns the weights [H,N,N] of the same queries and keys without hashing, where every word
// attends to every other.
func (h *Hashing) Full() *tensor.T {
	m, watched := *h.core, *h.pass
	m.chunks = ad.Chunks{Size: h.qk.Dim(1)}
	watched.Run = &trace.Run{Only: []string{"weights"}}
	m.Mix(&watched, h.x)
	full, _ := watched.Run.Find("weights")
	return full.Value
}

// Finds reports which words have which others in some window of a draw: [H,N,N].
func (h *Hashing) Finds(d Draw) []bool {
	w := h.drawn(d).sort(h.pass, h.qk)
	cells, found := w.cells(h.pass.Mask), make([]bool, w.heads*w.n*w.n)
	w.rows(func(r row) {
		for i, c := range cells[r.first:][:len(r.keys)] {
			if c == seen && r.query < w.n {
				found[(r.plane*w.n+r.query)*w.n+r.keys[i]] = true
			}
		}
	})
	return found
}
