package encoder

import (
	"fmt"
	"math"

	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// spanAttention is the attention of Sukhbaatar et al. (2019, arXiv:1905.07799, sec. 2), in the form
// of the Sandwich Transformer's code, with the same span for all heads. Every word attends to the
// words before it, at most `span` of them and never to itself. All layers share one table u of
// distances:
//
//	A_ij = softmax_j(q_i·(k_j + u_{j−i})/√d_h)    i − span ≤ j < i
//
// The positions before the text are an earlier block, or zeros. Zeros receive weights in every row
// but have no values. Projections have no biases.
type spanAttention struct {
	q, k, v, o *nn.Param // [d,d]
	distances  *nn.Param // u [span,d_h], the largest distance first
	heads      int
}

func newSpanAttention(s *nn.Scope, c Config, span int) (*spanAttention, error) {
	if c.Heads < 1 || c.Width < 1 || c.Width%c.Heads != 0 {
		return nil, messages.Errorf("mixer.width", "width", c.Width, "heads", c.Heads)
	}
	square := func(name string) *nn.Param { return s.Param(name, nn.Normal(nn.Std), c.Width, c.Width) }
	return &spanAttention{
		q: square("W_Q"), k: square("W_K"), v: square("W_V"), o: square("W_O"), heads: c.Heads,
		distances: s.Shared("span").Param("u", nn.Normal(nn.Std), span, c.Width/c.Heads).NoDecay(),
	}, nil
}

func (m *spanAttention) span() int { return m.distances.Value.Dim(0) }

// Mix mixes x [N,d] and keeps its shape.
func (m *spanAttention) Mix(p *nn.Pass, x *ad.Var) *ad.Var {
	return m.mixAfter(p, x, tensor.New(x.Dim(0), m.span(), x.Dim(2)))
}

// mixAfter mixes x [N,d] after an earlier block [span,d].
func (m *spanAttention) mixAfter(p *nn.Pass, x *ad.Var, before *tensor.T) *ad.Var {
	batch, n, d, span := x.Dim(0), x.Dim(1), x.Dim(2), m.span()
	flat := ad.Concat(ad.Reshape(p.Tape.Const(before), batch, span*d), ad.Reshape(x, batch, n*d))
	all := ad.Reshape(flat, batch, span+n, d) // [span+N,d]
	q, k, v := ad.Linear(x, p.Use(m.q), nil), ad.Linear(all, p.Use(m.k), nil), ad.Linear(all, p.Use(m.v), nil)
	scale := ad.Elem(1 / math.Sqrt(float64(d/m.heads)))
	near := ad.HeadScores(q, m.everywhere(p, batch), m.heads, scale)            // [H,N,span]
	s := ad.Add(ad.Band(ad.HeadScores(q, k, m.heads, scale), span), near)       // [H,N,span]
	a := ad.SoftmaxInPlace(m.masked(p, s))                                      // [H,N,span]
	m.show(p, a)                                                                //
	return ad.Linear(p.KeepHeads(ad.HeadMix(ad.Unband(a), v)), p.Use(m.o), nil) // [N,d]
}

// everywhere repeats the table of distances for every sequence and head: [span,d].
func (m *spanAttention) everywhere(p *nn.Pass, batch int) *ad.Var {
	at := make([]int, batch*m.span())
	for i := range at {
		at[i] = i % m.span()
	}
	rows := ad.Rows(p.Use(m.distances), at)
	return ad.Repeat(ad.Reshape(rows, batch, m.span(), rows.Dim(1)), m.heads)
}

// masked masks the scores [H,N,span]. It never masks or blocks the positions before the text.
func (m *spanAttention) masked(p *nn.Pass, s *ad.Var) *ad.Var {
	if p.Mask.Keys == nil && p.Mask.Pairs == nil && p.Mask.Cut.Empty() {
		return s // this mechanism never attends to later words
	}
	n := s.Dim(-2)
	hidden := make([]uint8, s.Value.Len())
	for at := range hidden {
		plane, i, j := at/(n*m.span()), at/m.span()%n, at/m.span()%n-m.span()+at%m.span()
		if j >= 0 && !p.Mask.Reads(plane/m.heads, plane%m.heads, i, j) {
			hidden[at] = 1
		}
	}
	return ad.Replace(s, hidden, ad.Replacement{Value: nn.Masked})
}

// show records the weights [H,N,span], and the same weights as pairs of the text's positions.
func (m *spanAttention) show(p *nn.Pass, a *ad.Var) {
	span, n := m.span(), a.Dim(-2)
	distance := trace.Axis{Role: trace.Slot}
	for j := range span {
		distance.Labels = append(distance.Labels, fmt.Sprintf("−%d", span-j))
	}
	tex := `A_{ij} = \operatorname{softmax}_j\bigl(q_i(k_j + u_{j-i})^\top/\sqrt{d_h}\bigr)`
	p.Show(trace.Map{Name: "window weights", Tex: tex, Kind: trace.Probability, Value: a.Value,
		Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, distance}})
	if !p.Wants("weights") {
		return
	}
	pairs := tensor.New(a.Dim(0), a.Dim(1), n, n)
	for i := range pairs.Data {
		plane, q, k := i/(n*n), i/n%n, i%n
		if k < q && k >= q-span {
			pairs.Data[i] = a.Value.Data[(plane*n+q)*span+k-q+span]
		}
	}
	p.Show(trace.Map{Name: "weights", Tex: tex, Kind: trace.Weight, Value: pairs,
		Axes:  []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}},
		Reach: func(q, k int) bool { return k < q && k >= q-span }})
}
