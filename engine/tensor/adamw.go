package tensor

import "math"

// AdamStep holds the hyperparameters of one step of AdamW.
type AdamStep struct {
	T            int     // number of the step, from 1
	Rate         float64 // learning rate
	Beta1, Beta2 float64 // decay of the averages of g and g²
	Epsilon      float64
	Decay        float64 // weight decay, decoupled from the gradient
}

// AdamW updates the parameters p and the running averages m and v with the gradient g (Loshchilov
// and Hutter, 2019, algorithm 2; with ε placed as in PyTorch, and with the decay multiplied by the
// rate):
//
//	m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,
//	p ← p − Rate·(Decay·p + (m/(1−β₁ᵀ)) / (√(v/(1−β₂ᵀ)) + ε)).
//
// It panics if the lengths differ or T is less than 1.
func AdamW(p, m, v, g []Elem, step AdamStep) {
	mustMatch("AdamW", p, m, v, g)
	if step.T < 1 {
		panic(ShapeError{"AdamW", "a step from 1 on", "a step less than 1"})
	}
	machine.adamW(p, m, v, g, step.factors())
}

// adamFactors holds the factors of the update of each element.
type adamFactors struct {
	keepM, takeM Elem // m = keepM·m + takeM·g
	keepV, takeV Elem // v = keepV·v + takeV·g²
	keepP        Elem // p = keepP·p − rate·m/(√(v·second) + epsilon)
	rate         Elem
	second       Elem
	epsilon      Elem
}

func (s AdamStep) factors() adamFactors {
	t := float64(s.T)
	return adamFactors{
		keepM: Elem(s.Beta1), takeM: Elem(1 - s.Beta1),
		keepV: Elem(s.Beta2), takeV: Elem(1 - s.Beta2),
		keepP:   Elem(1 - s.Rate*s.Decay),
		rate:    Elem(s.Rate / (1 - math.Pow(s.Beta1, t))),
		second:  Elem(1 / (1 - math.Pow(s.Beta2, t))),
		epsilon: Elem(s.Epsilon),
	}
}

func adamWPortable(p, m, v, g []Elem, f adamFactors) {
	for i, x := range g {
		m[i] = f.keepM*m[i] + f.takeM*x
		v[i] = f.keepV*v[i] + f.takeV*x*x
		p[i] = f.keepP*p[i] - f.rate*m[i]/(sqrt(v[i]*f.second)+f.epsilon)
	}
}
