package attention

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// stage is one layer of a shuffle-exchange network on n = 2^m places: switches work on the
// pairs of places (2t, 2t+1), then place i takes what stands at place shuffle(i).
type stage struct {
	name    string                // of the switch; stages of one name share its parameters
	shuffle func(i, bits int) int // nil after the last stage
	level   int                   // the same stage of another block has the same level
}

// rotateLeft moves the highest of m bits to the lowest place. Taking from there brings the
// even half of the places to the front and the odd half behind it.
func rotateLeft(i, m int) int { return i<<1&(1<<m-1) | i>>(m-1) }

// rotateRight is its inverse: the perfect shuffle of two halves.
func rotateRight(i, m int) int { return i>>1 | i&1<<(m-1) }

// bitsFor is m, so that n tokens fit into 2^m places, at least one pair.
func bitsFor(n int) int { return max(bits.Len(uint(n-1)), 1) }

// permutation lists the place that each place takes from.
func (s stage) permutation(m int) []int {
	from := make([]int, 1<<m)
	for i := range from {
		from[i] = i
		if s.shuffle != nil {
			from[i] = s.shuffle(i, m)
		}
	}
	return from
}

// enter puts the text on 2^m places: x [N,d] → [2^m,d]. Places without a token, and tokens that
// are padding, are zero.
func enter(p *nn.Pass, x *ad.Var, m int) *ad.Var {
	n, lists := x.Dim(1), 1
	if p.Mask.Keys != nil {
		lists = x.Dim(0)
	}
	at := make([][]int, lists)
	for b := range at {
		at[b] = make([]int, 1<<m)
		for i := range at[b] {
			at[b][i] = ad.Absent
			if i < n && (p.Mask.Keys == nil || p.Mask.Keys[b*p.Mask.N+i]) {
				at[b][i] = i
			}
		}
	}
	return ad.Places(x, at)
}

// network runs the stages on x [2^m,d]; exchange is the switch of a stage. The result is cut
// back to the n tokens.
func network(f *film, x *ad.Var, n int, plan []stage, exchange func(s stage, x *ad.Var) *ad.Var) *ad.Var {
	m := bitsFor(x.Dim(1))
	for _, s := range plan {
		x = f.stage(func() *ad.Var {
			y := f.keep("switched", exchange(s, x)) // [2^m,d]
			if s.shuffle == nil {
				return y
			}
			return f.keep("shuffled", ad.Places(y, [][]int{s.permutation(m)})) // [2^m,d]
		})
	}
	if f.p.Watched() {
		showWiring(f.p, m, n, plan)
	}
	f.show("switched", `y_s`, trace.Activation)
	f.show("shuffled", `y_s(\pi_s(i))`, trace.Activation)
	return ad.Crop(x, -2, n) // [n,d]
}

// place is the axis of the 2^m places.
var place = trace.Axis{Role: trace.Slot, Name: "place"}

// film keeps what every stage shows, to show it as one map.
type film struct {
	p      *nn.Pass
	frames map[string][]*tensor.T
}

func newFilm(p *nn.Pass) *film { return &film{p, map[string][]*tensor.T{}} }

// keep is Pass.Step for a value that every stage has.
func (f *film) keep(name string, v *ad.Var) *ad.Var {
	if f.p.Watched() {
		f.frames[name] = append(f.frames[name], v.Value)
	}
	return v
}

// stage computes a stage, in memory that is used again when nobody watches.
func (f *film) stage(compute func() *ad.Var) *ad.Var {
	if f.p.Watched() {
		return compute()
	}
	return f.p.Tape.Scratch(compute)
}

// pairs computes something as large as x [n,d] at each place from its pair alone, in blocks
// of places that stay in the cache when nobody watches and no gradient is wanted.
func (f *film) pairs(x *ad.Var, compute func(from, to int) *ad.Var) *ad.Var {
	size := switchBlock
	if f.p.Watched() {
		size = x.Dim(1)
	}
	return f.p.Tape.Blocks(x, x.Dim(2), size, compute)
}

// switchBlock is how many places are computed at a time.
const switchBlock = 256

// show shows the frames of a name, [n,d] each, as one map [S,n,d].
func (f *film) show(name, tex string, k trace.Kind) {
	frames := f.frames[name]
	if len(frames) == 0 {
		return
	}
	b, n, d := frames[0].Dim(0), frames[0].Dim(1), frames[0].Dim(2)
	t := tensor.New(b, len(frames), n, d)
	for i := range b {
		for s, frame := range frames {
			copy(t.Sub(i).Sub(s).Data, frame.Sub(i).Data)
		}
	}
	f.p.Show(trace.Map{Name: name, Tex: tex, Kind: k, Value: t,
		Axes: []trace.Axis{{Role: trace.Stage}, place, {Role: trace.Channel}}})
}

// showMean shows the mean over features of what show shows: [S,n].
func (f *film) showMean(name, as, tex string, k trace.Kind) {
	frames := f.frames[name]
	if len(frames) == 0 {
		return
	}
	b, n, d := frames[0].Dim(0), frames[0].Dim(1), frames[0].Dim(2)
	t := tensor.New(b, len(frames), n)
	for i := range t.Data {
		at, s, from := i%n, i/n%len(frames), i/n/len(frames)
		sum := 0.0
		for _, v := range frames[s].Data[(from*n+at)*d:][:d] {
			sum += float64(v)
		}
		t.Data[i] = tensor.Elem(sum / float64(d))
	}
	f.p.Show(trace.Map{Name: as, Tex: tex, Kind: k, Value: t, Axes: []trace.Axis{{Role: trace.Stage}, place}})
}

// showWiring shows what the plan alone decides, whatever the words are.
//
//	wiring   [S,2^m]  the place that each place takes from after the switches of a stage
//	reach    [2S-1,N,N]  1 where place q can hold something of token k: after the switches of
//	         each stage and, but for the last, after its shuffle
//	meeting  [N,N]    after how many stages some place first holds something of both tokens
//
// Reach is that of the switches: what a switch computes from the whole text, such as a
// mean, is not part of it. Stage s brings together places that differ in bit s of their first
// number, so two tokens meet after as many stages as their numbers have different low bits.
func showWiring(p *nn.Pass, m, n int, plan []stage) {
	wiring, meeting := tensor.New(len(plan), 1<<m), tensor.New(n, n)
	for s, st := range plan {
		for i, from := range st.permutation(m) {
			wiring.Sub(s).Data[i] = tensor.Elem(from)
		}
	}
	for q := range n {
		for k := range n {
			meeting.Data[q*n+k] = tensor.Elem(bits.Len(uint(q ^ k)))
		}
	}
	pair := []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}
	stages, steps := trace.Axis{Role: trace.Stage}, trace.Axis{Role: trace.Stage}
	for s := range plan {
		steps.Labels = append(steps.Labels, fmt.Sprintf("switch %d", s+1), fmt.Sprintf("shuffle %d", s+1))
	}
	steps.Labels = steps.Labels[:2*len(plan)-1]
	p.Show(trace.Map{Name: "wiring", Tex: `\pi_s(i)`, Kind: trace.Category, Value: wiring, Axes: []trace.Axis{stages, place}})
	p.Show(trace.Map{Name: "reach", Tex: `\text{place } q \text{ can hold token } k`, Kind: trace.Category,
		Value: structuralReach(m, n, plan), Axes: append([]trace.Axis{steps}, pair...), Classes: []string{"", "can hold something of the word"}})
	p.Show(trace.Map{Name: "meeting", Tex: `\min\{s : q, k \text{ meet}\}`, Kind: trace.Count, Value: meeting, Axes: pair})
}

// structuralReach follows the tokens through the switches and the shuffles: [2S-1,N,N].
func structuralReach(m, n int, plan []stage) *tensor.T {
	reach, step := tensor.New(2*len(plan)-1, n, n), 0
	note := func(holds [][]tensor.Elem) {
		for q := range n {
			copy(reach.Sub(step).Sub(q).Data, holds[q])
		}
		step++
	}
	holds := make([][]tensor.Elem, 1<<m) // place → token → 1 if it may be in there
	for i := range holds {
		holds[i] = make([]tensor.Elem, n)
		if i < n {
			holds[i][i] = 1
		}
	}
	for _, st := range plan {
		for i := 0; i < len(holds); i += 2 {
			for k := range n {
				holds[i][k] = max(holds[i][k], holds[i+1][k])
			}
			copy(holds[i+1], holds[i])
		}
		note(holds)
		if st.shuffle == nil {
			break
		}
		next := make([][]tensor.Elem, len(holds))
		for i, from := range st.permutation(m) {
			next[i] = holds[from]
		}
		holds = next
		note(holds)
	}
	return reach
}

// uniform draws from the interval that keeps the variance of what passes a layer of
// these widths (Glorot and Bengio 2010, eq. 16), as both networks' authors do: without a
// residual stream around them, switches with small weights would forget everything.
func uniform(in, out int) nn.Init {
	limit := math.Sqrt(6 / float64(in+out))
	return func(r *rand.Rand, t *tensor.T) {
		for i := range t.Data {
			t.Data[i] = tensor.Elem((2*r.Float64() - 1) * limit)
		}
	}
}

// glorot is nn.NewLinear with first values of that kind.
func glorot(s *nn.Scope, name string, in, out int) nn.Linear {
	return nn.Linear{W: s.Param("W_"+name, uniform(in, out), out, in), B: s.Param("b_"+name, nn.Zeros, out)}
}

// constant sets a parameter to one value.
func constant(v float64) nn.Init {
	return func(_ *rand.Rand, t *tensor.T) {
		for i := range t.Data {
			t.Data[i] = tensor.Elem(v)
		}
	}
}
