package costs

import (
	"attnatlas/engine/attention"
	"attnatlas/engine/tensor"
)

// Report is all results about costs: the answer of /api/v1/cost and the output of viz cost.
type Report struct {
	Version      int             `json:"version" doc:"Version of this format"`
	Sizes        Sizes           `json:"sizes" doc:"Sizes for which the costs are computed"`
	CPU          string          `json:"cpu" doc:"Name of the processor"`
	Instructions string          `json:"instructions" doc:"Vector instruction set of the kernels"`
	Clock        string          `json:"clock" enum:"cpu,wall" doc:"Clock of the measured times: cpu is the processor time of one thread, wall is elapsed time"`
	Measured     Progress        `json:"measured" doc:"Progress of the measurement"`
	Roof         *Roof           `json:"roof,omitempty" doc:"Peak performance of one processor core; absent until it is measured"`
	Mechanisms   []MechanismCost `json:"mechanisms" doc:"Costs of all mechanisms with their default options"`
	Chosen       *MechanismCost  `json:"chosen,omitempty" doc:"Cost of the requested mechanism with the requested options"`
	Points       []Point         `json:"points" doc:"Measurements with width 128 and 4 heads"`
	Shared       []Shared        `json:"shared,omitempty" doc:"Architectures that share parameters between layers, in the sizes of the bundled models"`
	Claims       []Verdict       `json:"claims" doc:"Published claims about time and parameters, with the counted and measured values"`
}

// Progress is the state of a running measurement.
type Progress struct {
	Done    int      `json:"done" doc:"Number of points that are measured"`
	All     int      `json:"all" doc:"Number of points to measure"`
	Running bool     `json:"running" doc:"Whether the measurement is running"`
	Left    []Length `json:"left,omitempty" doc:"Mechanisms and lengths that are left out because their parameters need too much memory on this machine"`
}

// Length is a mechanism at a length, with the bytes of its parameters.
type Length struct {
	Mechanism  string `json:"mechanism" doc:"ID of the mechanism"`
	Length     int    `json:"length" doc:"Number of positions"`
	Parameters int64  `json:"parameters" doc:"Memory of the parameters in bytes"`
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
