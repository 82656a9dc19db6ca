package attention

import (
	"fmt"
	"math"
	"math/bits"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The maps of shuffle-exchange networks.

// stages and place are the axes of the stages and of the 2^m places.
var stages, place = trace.Axis{Role: trace.Stage}, trace.Axis{Role: trace.Slot, Name: "place"}

// recorder collects the values of every stage, to record them as one map.
type recorder struct {
	*nn.Pass
	values map[string][]*ad.Var // by name: [n,d] of each stage
}

func newRecorder(p *nn.Pass) *recorder { return &recorder{p, map[string][]*ad.Var{}} }

// keep is Pass.Step for a value that every stage has.
func (r *recorder) keep(name string, v *ad.Var) { r.values[name] = append(r.values[name], v) }

// keepShuffled keeps the output y of a stage, and its values before the shuffle moved row from[i]
// to row i.
func (r *recorder) keepShuffled(y *ad.Var, from []int) {
	if from == nil {
		r.keep("switched", y)
		return
	}
	back := make([]int, len(from))
	for i, f := range from {
		back[f] = i
	}
	r.keep("switched", ad.GatherRows(y, [][]int{back}))
	r.keep("shuffled", y)
}

// stage computes a stage. If the pass is not recorded, the memory is reused.
func (r *recorder) stage(compute func() *ad.Var) *ad.Var {
	if r.Watched() {
		return compute()
	}
	return r.Tape.Scratch(compute)
}

// stack returns the values with a name from all stages: [B,S,n,d].
func (r *recorder) stack(name string) *ad.Var {
	values := r.values[name]
	b, n, d := values[0].Dim(0), values[0].Dim(1), values[0].Dim(2)
	t := tensor.New(b, len(values), n, d)
	for i := range b {
		for s, v := range values {
			copy(t.Sub(i).Sub(s).Data, v.Value.Sub(i).Data)
		}
	}
	return r.Tape.Derive(t, func(i int) ad.Origin {
		text, stage, at := i/(len(values)*n*d), i/(n*d)%len(values), i%(n*d)
		return ad.Sole(values[stage], text*n*d+at)
	})
}

// show records the values with a name as one map [S,n,d].
func (r *recorder) show(name, tex string, k trace.Kind) {
	if len(r.values[name]) > 0 && r.Wants(name) {
		r.ShowVar(trace.Map{Name: name, Tex: tex, Kind: k, Axes: []trace.Axis{stages, place, {Role: trace.Channel}}},
			r.stack(name))
	}
}

// showPlaces records one number for each stage and place: [S,n].
func (r *recorder) showPlaces(name, tex string, k trace.Kind, compute func() *ad.Var) {
	if r.Wants(name) {
		r.ShowVar(trace.Map{Name: name, Tex: tex, Kind: k, Axes: []trace.Axis{stages, place}}, compute())
	}
}

// rowMeans returns the means over the last axis.
func rowMeans(of *ad.Var) *ad.Var {
	t, d := of.Value, of.Dim(-1)
	means := tensor.New(t.Shape[:t.Rank()-1]...)
	for i := range means.Data {
		sum := 0.0
		for _, v := range t.Data[i*d:][:d] {
			sum += float64(v)
		}
		means.Data[i] = tensor.Elem(sum / float64(d))
	}
	return of.Tape().Derive(means, func(i int) ad.Origin {
		return ad.Origin{Operation: ad.Summed, X: ad.Several(of, i*d, 1, d), Scale: 1 / float64(d)}
	})
}

// rowLengths returns the Euclidean lengths of the vectors along the last axis.
func rowLengths(of *ad.Var) *ad.Var {
	t, d := of.Value, of.Dim(-1)
	lengths := tensor.New(t.Shape[:t.Rank()-1]...)
	norms(lengths.Data, t.Data)
	return of.Tape().Derive(lengths, func(i int) ad.Origin {
		return ad.Origin{Operation: ad.Length, X: ad.Several(of, i*d, 1, d)}
	})
}

// showWiring records the maps that follow from the plan alone, whatever the words are.
//
//	wiring   [S,2^m]  source of the value at each place, after the switches of a stage
//	reach    [2S-1,N,N]  1 if place q can depend on token k: after the switches of each stage
//	         and, except for the last stage, after its shuffle
//	meeting  [N,N]    number of stages after which some place first depends on both tokens
//
// Reach covers only the switches: values that a switch computes from the whole text, such as a
// mean, are not part of it. Stage s combines places that differ in bit s of their initial number.
// Two tokens therefore meet after s+1 stages, where s is the highest bit in which their numbers
// differ.
func showWiring(p *nn.Pass, m, n int, plan []stage) {
	wiring, meeting := tensor.New(len(plan), 1<<m), tensor.New(n, n)
	for s, st := range plan {
		for i, from := range st.wires(m) {
			wiring.Sub(s).Data[i] = tensor.Elem(from)
		}
	}
	for i := range meeting.Data {
		meeting.Data[i] = tensor.Elem(bits.Len(uint(i/n ^ i%n)))
	}
	steps := trace.Axis{Role: trace.Stage}
	for s := range plan {
		steps.Labels = append(steps.Labels, fmt.Sprintf("switch %d", s+1), fmt.Sprintf("shuffle %d", s+1))
	}
	steps.Labels = steps.Labels[:2*len(plan)-1]
	p.Show(trace.Map{Name: "wiring", Tex: `\pi_s(i)`, Kind: trace.Category, Value: wiring,
		Axes: []trace.Axis{stages, place}})
	if p.Wants("reach") {
		p.ShowOwned(trace.Map{Name: "reach", Tex: `\text{place } q \text{ can hold token } k`, Kind: trace.Category,
			Value:   structuralReach(m, n, plan),
			Axes:    []trace.Axis{steps, {Role: trace.Query}, {Role: trace.Key}},
			Classes: []string{"", "can hold something of the word"}})
	}
	p.ShowArray("meeting", `\min\{s : q, k \text{ meet}\}`, trace.Count, meeting, trace.Query, trace.Key)
}

// wires returns the place from which each place takes its value. After the last stage, this is the
// place itself.
func (s stage) wires(m int) []int {
	if s.shuffle == nil {
		s.shuffle = func(i, _ int) int { return i }
	}
	return s.permutation(m)
}

// structuralReach follows the tokens through the switches and the shuffles: [2S-1,N,N].
func structuralReach(m, n int, plan []stage) *tensor.T {
	reach := tensor.New(2*len(plan)-1, n, n)
	holds := make([][]tensor.Elem, 1<<m) // by place and token: 1 if the place can depend on the token
	for i := range holds {
		holds[i] = make([]tensor.Elem, n)
		if i < n {
			holds[i][i] = 1
		}
	}
	for step := range reach.Dim(0) {
		next, from := make([][]tensor.Elem, len(holds)), plan[step/2].wires(m)
		for i := range next {
			if step%2 == 1 { // the shuffle of the stage
				next[i] = holds[from[i]]
				continue
			}
			next[i] = make([]tensor.Elem, n)
			for k := range next[i] { // the switches of the stage
				next[i][k] = max(holds[i][k], holds[i^1][k])
			}
		}
		holds = next
		for q := range n {
			copy(reach.Sub(step).Sub(q).Data, holds[q])
		}
	}
	return reach
}

// norms writes the Euclidean length of every row of x [N,d] to dst [N].
func norms(dst, x []tensor.Elem) {
	d := len(x) / len(dst)
	for j := range dst {
		row := x[j*d:][:d]
		dst[j] = tensor.Elem(math.Sqrt(float64(tensor.Dot(row, row))))
	}
}
