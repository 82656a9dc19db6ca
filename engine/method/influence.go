package method

import (
	"runtime"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// Influence is the name of the map ‖∂y_i/∂x_j‖_F: how much the output of a
// layer's mixer at position i moves when its input at position j moves, for the
// x that this text has there. It is what all mechanisms have in common, whether
// they have weights or not, and it counts every path from x_j to y_i: through values,
// scores and gates, of all heads together, with the output projection.
//
// It is of the mixer alone: x is what the mixer gets (in a pre-norm model after
// the normalisation), y what it returns, before it is added to the residual. A
// map of the layer, with its residual and feed-forward parts, would show every
// mechanism the same diagonal.
const Influence = "influence"

func init() {
	register(Method{
		Name: Influence, Place: 1, Mixers: true, Distinct: true, Lengths: true,
		Formula:     `I_{ij} = \lVert \partial y_i/\partial x_j \rVert`,
		Views:       []attention.View{{Map: Influence, Symbol: "‖∂yᵢ/∂xⱼ‖"}},
		Facts:       []string{"influence-distance", "diagonal"},
		NoTwoStacks: messages.New("error.influence.two-stacks"),
		Late:        messages.New("error.influence.not-in-time"),
		Work:        influenceWork,
		Refuse: func(s *Subject) error {
			if err := s.hasCall("error.influence.no-mixer"); err != nil {
				return err
			}
			return s.tooMuch("error.influence.too-much", influenceWork)
		},
		Measure: measureInfluence,
	})
}

// mostExact is the work up to which influence is exact unless that is asked for; up to mostWork it is with fewer
// directions, or when that is asked for.
const mostExact = 160e9

// influenceWork is that of influence: of all directions of every output, or of as many as are followed.
func influenceWork(j Job) float64 {
	known := !j.Entry.NoJacobian
	if known {
		return j.knownWork()
	}
	return j.directionsWork(j.directions())
}

// knownWork is that of a mixer that knows its Jacobian: all directions of one position, and some products of small
// matrices for each pair.
func (j Job) knownWork() float64 {
	flops, d, n := float64(j.Entry.FLOPs(j.Config, j.N)), float64(j.Config.Width), float64(j.N)
	return flops*d + n*n*(float64(j.Config.Heads)*40*d+12*d*d)
}

// directionsWork is that of so many directions of every output.
func (j Job) directionsWork(directions int) float64 {
	return float64(j.Entry.FLOPs(j.Config, j.N)) * float64(j.N*directions)
}

// fewestDirections are what an estimate is made of at least.
const fewestDirections = 8

// directions is how many directions of every output are followed where the Jacobian is not known, which some options
// make of one that is: fewer than all, as powers of two, where that would cost too much.
func (j Job) directions() int {
	count := j.Config.Width
	for !j.Exact && count > fewestDirections && j.directionsWork(count) > mostExact {
		count /= 2
	}
	return count
}

// parts is in how many parts the rows are measured at a time: a known Jacobian is one, and the others leave a
// processor and memory to it.
func (j Job) parts() int {
	if !j.Entry.NoJacobian {
		return 1
	}
	return max(1, min(j.N, runtime.GOMAXPROCS(0)-1))
}

// measureInfluence measures the layer that is asked for.
func measureInfluence(s *Subject) (f Finding, err error) {
	at := s.call()
	run := metrics.Measurement{Mixer: at.Mixer, X: at.X, Mask: at.Mask, Directions: s.directions()}
	squares, err := rowsOf(s, run)
	if err != nil {
		return f, err
	}
	f.add(s.Layer, at.Mask, trace.Map{
		Name: Influence, Tex: `\lVert\partial y_i/\partial x_j\rVert_F`, Kind: trace.Weight, Value: squares.Lengths(),
		Axes: pairs("output", "input"),
	})
	if squares.Variances != nil {
		f.Estimate = Estimate{run.Directions, at.X.Dim(2), squares.Error()}
	}
	return f, nil
}

// rowsOf shares the rows among parts, and puts together what they found.
func rowsOf(s *Subject, run metrics.Measurement) (metrics.Squares, error) {
	n, parts := run.X.Dim(1), s.parts()
	of := make([]metrics.Squares, parts)
	err := s.Share(parts, func(part int, turn func() error) (err error) {
		one := run
		one.Turn = turn
		of[part], err = one.Run(ad.Span{From: part * n / parts, To: (part + 1) * n / parts})
		return err
	})
	whole := metrics.Squares{Columns: n}
	for _, one := range of {
		whole.Values, whole.Variances = append(whole.Values, one.Values...), append(whole.Variances, one.Variances...)
	}
	return whole, err
}
