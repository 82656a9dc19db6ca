package train

import (
	"math"

	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Recipe holds the numbers of the optimiser: AdamW (Loshchilov and Hutter
// 2019, arXiv:1711.05101, algorithm 2) with warm-up and a cosine.
type Recipe struct {
	Rate         float64 // peak learning rate
	Beta1, Beta2 float64
	Eps          float64
	Decay        float64 // weight decay, on parameters that want it
	Clip         float64 // largest norm of all gradients together
	Warmup       int     // steps of linear growth
	Floor        float64 // the cosine ends at this share of Rate
}

// DefaultRecipe is what the shipped models are trained with.
func DefaultRecipe() Recipe {
	return Recipe{Rate: 2e-3, Beta1: 0.9, Beta2: 0.98, Eps: 1e-8, Decay: 0.01, Clip: 1, Warmup: 200, Floor: 0.05}
}

// RateAt is the learning rate of a step (from 0) of steps.
func (r Recipe) RateAt(step, steps int) float64 {
	if step < r.Warmup {
		return r.Rate * float64(step+1) / float64(r.Warmup)
	}
	t := float64(step-r.Warmup) / float64(max(steps-r.Warmup, 1))
	return r.Rate * (r.Floor + (1-r.Floor)*(1+math.Cos(math.Pi*t))/2)
}

// moments are those of AdamW for one parameter.
type moments struct {
	m, v  *tensor.T
	steps int // updates so far: a classifier's weights see fewer than others
}

// optimiser is AdamW with clipping.
type optimiser struct {
	recipe Recipe
	params []*nn.Param
	state  []moments
	grads  []*tensor.T // of the step
}

func newOptimiser(params []*nn.Param, r Recipe) *optimiser {
	o := &optimiser{recipe: r, params: params, state: make([]moments, len(params)), grads: make([]*tensor.T, len(params))}
	for i, p := range params {
		o.state[i] = moments{m: tensor.New(p.Value.Shape...), v: tensor.New(p.Value.Shape...)}
	}
	return o
}

// update moves every parameter that has a gradient and returns the norm of all
// gradients together, before clipping. It calls grad once for each.
func (o *optimiser) update(grad func(*nn.Param) *tensor.T, rate float64) float64 {
	sum := 0.0
	for i, p := range o.params {
		o.grads[i] = nil
		if !p.Frozen {
			o.grads[i] = grad(p)
		}
		if g := o.grads[i]; g != nil {
			sum += float64(tensor.Dot(g.Data, g.Data))
		}
	}
	norm := math.Sqrt(sum)
	shrink := 1.0
	if norm > o.recipe.Clip {
		shrink = o.recipe.Clip / norm
	}
	for i, p := range o.params {
		if g := o.grads[i]; g != nil {
			o.move(p, &o.state[i], g, rate, shrink)
		}
	}
	return norm
}

func (o *optimiser) move(p *nn.Param, s *moments, g *tensor.T, rate, shrink float64) {
	s.steps++
	r, decay := o.recipe, 0.0
	if p.Decay {
		decay = r.Decay
	}
	if shrink != 1 {
		tensor.Scale(g.Data, tensor.Elem(shrink), g.Data)
	}
	tensor.AdamW(p.Value.Data, s.m.Data, s.v.Data, g.Data, tensor.AdamStep{
		Rate: rate * p.Rate, Beta1: r.Beta1, Beta2: r.Beta2, Epsilon: r.Eps, Decay: decay, T: s.steps,
	})
}
