package costs

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Hearing is the growth of receptive fields, layer by layer.
type Hearing struct {
	Version   int         `json:"version" doc:"Version of this format"`
	Mechanism string      `json:"mechanism" doc:"ID of the mechanism"`
	Length    int         `json:"length" doc:"Number of positions N"`
	Layers    []HeardPair `json:"layers" doc:"Growth of the receptive fields, layer by layer. The list ends early when every receptive field covers the text"`
	First     []int       `json:"first" doc:"N × N numbers, row by row: number of the layer after which the receptive field of the row’s token includes the column’s token. 0: no layer"`
}

// HeardPair counts pairs of tokens in one layer, out of N².
type HeardPair struct {
	Direct int `json:"direct" doc:"Number of token pairs that this layer connects by itself, out of N²"`
	Heard  int `json:"heard" doc:"Number of token pairs connected through the residual stream and all layers up to this one, out of N²"`
}

// All reports whether the receptive field of every token covers the whole text.
func (h Hearing) All() bool { return h.Layers[len(h.Layers)-1].Heard == h.Length*h.Length }

// Limits of the receptive-field analysis, which runs a pass for every token of every layer.
const (
	MostHeard  = 128 // positions
	MostLayers = 12
)

// Sizes of the mixers in the analysis.
const (
	heardWidth, heardHeads = 32, 4
	plantings              = 2 // with the chance that a change goes unnoticed, two repetitions make it negligible
)

// Layers are layers of one mechanism with random weights, for a text of Length tokens.
type Layers struct {
	Of            *attention.Entry
	Count, Length int
	Options       map[string]string
	Mask          nn.Mask
}

func (l Layers) config() attention.Config {
	return Sizes{Length: l.Length, Width: heardWidth, Heads: heardHeads, Positions: l.Length}.Config(l.Options)
}

// Listen computes receptive fields by experiment. It runs the mixers of the layers on a random
// text, changes the token at one position after another, and records the positions whose results
// change. So it works for every mechanism. It stops when every receptive field covers the whole
// text, or after the last layer.
func (l Layers) Listen(ctx context.Context) (Hearing, error) {
	n, c := l.Length, l.config()
	h := Hearing{Version: 1, Mechanism: l.Of.ID, Length: n, First: make([]int, n*n)}
	scope, heard := nn.NewScope(1), newPairs(n)
	for i := range n {
		heard.set(i, i)
	}
	for layer := 1; layer <= l.Count; layer++ {
		m, err := l.Of.New(scope.In(fmt.Sprintf("layer %d", layer)).In("mixer"), c)
		if err != nil {
			return Hearing{}, err
		}
		direct, err := listen(ctx, m, n, l.Mask)
		if err != nil {
			return Hearing{}, err
		}
		heard = heard.through(direct)
		h.Layers = append(h.Layers, HeardPair{direct.count(), heard.count()})
		for i := range h.First {
			if h.First[i] == 0 && heard.has(i/n, i%n) {
				h.First[i] = layer
			}
		}
		if h.All() {
			break
		}
	}
	return h, nil
}

// Operations estimates the operations of Listen.
func (l Layers) Operations() float64 {
	return plantings * float64(l.Length+1) * float64(l.Count) * float64(l.Of.FLOPs(l.config(), l.Length))
}

// listen returns which results of a mixer change with which tokens.
func listen(ctx context.Context, m attention.Mixer, n int, mask nn.Mask) (pairs, error) {
	direct, p := newPairs(n), nn.NewPass(ad.NewFrozen())
	r := rand.New(rand.NewPCG(1, 2))
	for range plantings {
		x, other := tensor.New(1, n, heardWidth), tensor.New(1, n, heardWidth)
		for i := range x.Data {
			x.Data[i], other.Data[i] = tensor.Elem(r.NormFloat64()), tensor.Elem(r.NormFloat64())
		}
		run := func(x *tensor.T) *tensor.T {
			p.Reset()
			p.Mask = mask
			return m.Mix(p, p.Tape.Const(x)).Value.Clone()
		}
		before := run(x)
		for j := range n {
			if err := ctx.Err(); err != nil {
				return direct, err
			}
			changed := x.Clone()
			copy(changed.Data[j*heardWidth:][:heardWidth], other.Data[j*heardWidth:])
			after := run(changed)
			for at, v := range after.Data {
				if v != before.Data[at] {
					direct.set(at/heardWidth, j)
				}
			}
		}
	}
	return direct, nil
}

// pairs is a set of pairs of tokens.
type pairs struct {
	n    int
	rows [][]uint64
}

func newPairs(n int) pairs {
	p := pairs{n, make([][]uint64, n)}
	for i := range p.rows {
		p.rows[i] = make([]uint64, (n+63)/64)
	}
	return p
}

func (p pairs) set(i, j int)      { p.rows[i][j/64] |= 1 << (j % 64) }
func (p pairs) has(i, j int) bool { return p.rows[i][j/64]>>(j%64)&1 == 1 }

func (p pairs) count() (all int) {
	for _, row := range p.rows {
		for _, word := range row {
			all += bits.OnesCount64(word)
		}
	}
	return all
}

// through returns the receptive fields after another layer: the fields of the tokens to which the
// layer connects a token, and the token's own field through the residual stream.
func (p pairs) through(layer pairs) pairs {
	next := newPairs(p.n)
	for i := range p.n {
		for j := range p.n {
			if i != j && !layer.has(i, j) {
				continue
			}
			for k, word := range p.rows[j] {
				next.rows[i][k] |= word
			}
		}
	}
	return next
}
