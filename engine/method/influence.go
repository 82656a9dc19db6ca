package method

import (
	"runtime"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// Influence is the name of the map ‖∂y_i/∂x_j‖_F: how much the output of a layer's mixer at
// position i changes when its input at position j changes, at the x of this text. All mechanisms
// have it, with or without attention weights. It counts every path from x_j to y_i: through values,
// scores and gates, of all heads together, with the output projection.
//
// It describes the mixer alone. The input x is what the mixer receives (in a pre-norm model after
// the normalisation), and y is its result before the residual is added. A map of the whole layer,
// with residual and feed-forward network, would show the same diagonal for every mechanism.
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

// mostExact is the work, in operations, up to which influence is exact by default. Between
// mostExact and mostWork it is estimated from fewer directions, unless the request asks for the
// exact map.
const mostExact = 160e9

// influenceWork estimates the operations of influence, for all directions of every output or for
// those that are followed.
func influenceWork(j Job) float64 {
	known := !j.Entry.NoJacobian
	if known {
		return j.knownWork()
	}
	return j.directionsWork(j.directions())
}

// knownWork estimates the operations for a mixer with a known Jacobian: all directions of one
// position, and a few products of small matrices for each pair.
func (j Job) knownWork() float64 {
	flops, d, n := float64(j.Entry.FLOPs(j.Config, j.N)), float64(j.Config.Width), float64(j.N)
	return flops*d + n*n*(float64(j.Config.Heads)*40*d+12*d*d)
}

// directionsWork estimates the operations for this many directions of every output.
func (j Job) directionsWork(directions int) float64 {
	return float64(j.Entry.FLOPs(j.Config, j.N)) * float64(j.N*directions)
}

// fewestDirections is the minimum number of directions in an estimate.
const fewestDirections = 8

// directions returns how many directions of every output are followed when the Jacobian is not
// known. Some options make a known Jacobian unknown. Where all directions would cost too much,
// their number is halved until the work fits.
func (j Job) directions() int {
	count := j.Config.Width
	for !j.Exact && count > fewestDirections && j.directionsWork(count) > mostExact {
		count /= 2
	}
	return count
}

// parts returns into how many parts the rows are split to be measured in parallel. A known Jacobian
// is one part. The other mechanisms use all processors but one.
func (j Job) parts() int {
	if !j.Entry.NoJacobian {
		return 1
	}
	return max(1, min(j.N, runtime.GOMAXPROCS(0)-1))
}

// measureInfluence measures the influence of the requested layer.
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

// rowsOf splits the rows into parts, measures them in parallel, and joins the results.
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
