package costs

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/tensor"
)

// Report is all results about costs: the answer of /api/v1/cost and the output of viz cost.
type Report struct {
	Version      int             `json:"version" doc:"Version of this format"`
	Sizes        Sizes           `json:"sizes"`
	CPU          string          `json:"cpu" doc:"The processor’s name"`
	Instructions string          `json:"instructions" doc:"Vector instructions that the kernels use"`
	Clock        string          `json:"clock" enum:"cpu,wall" doc:"What tells times: the processor’s work for one thread, or the clock on the wall"`
	Measured     Progress        `json:"measured"`
	Roof         *Roof           `json:"roof,omitempty" doc:"What one processor does at most; absent until it is measured"`
	Mechanisms   []MechanismCost `json:"mechanisms"`
	Chosen       *MechanismCost  `json:"chosen,omitempty" doc:"The mechanism that was named, with the options that were chosen"`
	Points       []Point         `json:"points" doc:"What was measured, with width 128 and 4 heads"`
	Shared       []Shared        `json:"shared,omitempty" doc:"Stacks that use the weights of a layer again, with the shipped sizes"`
	Claims       []Verdict       `json:"claims" doc:"What introductions claim, beside what is counted and measured"`
}

// Progress is the state of a running measurement.
type Progress struct {
	Done    int      `json:"done" doc:"Points"`
	All     int      `json:"all"`
	Running bool     `json:"running"`
	Left    []Length `json:"left,omitempty" doc:"What is left out, since its parameters take too much memory here"`
}

// Length is a mechanism at a length, with the bytes of its parameters.
type Length struct {
	Mechanism  string `json:"mechanism"`
	Length     int    `json:"length"`
	Parameters int64  `json:"parameters" doc:"Bytes"`
}

// NewReport returns a report from the points and the roof measured so far.
func NewReport(s Sizes, points []Point, roof *Roof) Report {
	r := Report{Version: 1, Sizes: s, CPU: Processor(), Instructions: tensor.Instructions(), Clock: Clock, Roof: roof,
		Points: points, Claims: Judge(points)}
	for i := range attention.Catalog {
		r.Mechanisms = append(r.Mechanisms, Of(&attention.Catalog[i], s, nil, points))
	}
	if r.Points == nil {
		r.Points = []Point{}
	}
	return r
}

// LeftOut lists the steps that are not measured.
func LeftOut(steps []MeasuringPoint) (left []Length) {
	for _, s := range steps {
		left = append(left, Length{s.Mechanism, s.Length, s.Memory()})
	}
	return left
}

// Reached is the position of a measurement in the roofline model.
type Reached struct {
	Intensity float64 // operations per byte that must be moved at least: parameters, text and result
	Rate      float64 // operations per second
	Share     float64 // fraction of the rate that the roof allows at this intensity
}

// Below compares a measured point with the roof.
func (r Roof) Below(e *attention.Entry, p Point, c attention.Config) Reached {
	const bytes, arrays = 4, 2 // bytes of a number; the text and the result
	work := float64(e.FLOPs(c, p.Length))
	at := Reached{Intensity: work / float64(p.Parameters+arrays*bytes*p.Length*c.Width), Rate: work / p.Seconds}
	at.Share = at.Rate / min(r.Operations, r.Bandwidth*at.Intensity)
	return at
}
