package results

import "math"

// Verdict is how a comparison of ours relates to a paper's.
type Verdict string

const (
	Agrees    Verdict = "agrees"    // the same is better, by more than noise
	Disagrees Verdict = "disagrees" // the other is better, by more than noise
	Open      Verdict = "open"      // the difference is not larger than noise
	Tied      Verdict = "tied"      // the paper's difference is too small to say anything
)

// PaperComparison is one of two models by a paper, and ours.
type PaperComparison struct {
	Model, Base string  // ids
	Quote       string  // the paper's words; empty: it is of two rows
	Better      bool    // in the paper, Model is better than Base
	Level       bool    // … or as good
	Theirs      float64 // the figure of Model minus that of Base; of rows
	Ours        float64 // how much better Model is than Base here: nats less, or a share of answers more
	Noise       float64 // below which Ours says nothing
	Seeds       int     // of the model that has fewer
	Verdict     Verdict
}

// UnknownNoise is Comparison.Noise where no model has several seeds, in nats or as a share of
// answers: what differences of single trainings were in trials.
const UnknownNoise = 0.02

// Compare holds what a paper measured and claims against ours, as far as both models are there
// and learned from equally much.
func (r Results) Compare(p Paper) []PaperComparison {
	var all []PaperComparison
	for _, row := range p.Rows[1:] {
		if c, ok := r.compare(p.Measure, row.Model, p.Rows[0].Model); ok {
			c.Theirs = row.Value - p.Rows[0].Value
			c.Better = c.Theirs > 0
			if c = c.judged(); math.Abs(c.Theirs) < p.Least {
				c.Verdict = Tied
			}
			all = append(all, c)
		}
	}
	for _, claim := range p.Claims {
		for _, id := range claim.Better {
			if c, ok := r.compare(p.Measure, id, claim.Than); ok {
				c.Quote, c.Better, c.Level = claim.Quote, true, claim.Level
				all = append(all, c.judged())
			}
		}
	}
	return all
}

// compare compares two models by "loss" or a task.
func (r Results) compare(measure, model, base string) (PaperComparison, bool) {
	a, b := r.Find(model), r.Find(base)
	if a == nil || b == nil || !alike(*a, *b) {
		return PaperComparison{}, false
	}
	x, y, sign := a.Loss, b.Loss, -1.0
	if measure != Loss {
		var ok, too bool
		x, ok = a.Score[measure]
		y, too = b.Score[measure]
		if sign = 1; !ok || !too {
			return PaperComparison{}, false
		}
	}
	return PaperComparison{Model: model, Base: base, Ours: sign * (x.Mean - y.Mean), Noise: r.noise(measure, x, y),
		Seeds: min(x.N, y.N)}, true
}

// alike says whether two models learned from equally many tokens, but for the last batch.
func alike(a, b ModelResults) bool {
	return math.Abs(float64(a.Tokens-b.Tokens)) <= 0.02*float64(max(a.Tokens, b.Tokens))
}

// Loss is the Measure of papers about words.
const Loss = "loss"

// noise is two standard errors of the difference of two means. The deviation of a model with
// one seed is taken for the largest that another one has.
func (r Results) noise(measure string, x, y Spread) float64 {
	largest := 0.0
	for _, m := range r.Models {
		s := m.Loss
		if measure != Loss {
			s = m.Score[measure]
		}
		if m.Objective == r.Models[0].Objective && !m.Stack {
			largest = max(largest, s.SD)
		}
	}
	if largest < 1e-9 {
		largest = UnknownNoise / math.Sqrt(8)
	}
	square := func(s Spread) float64 {
		if s.N < 2 {
			return largest * largest
		}
		return s.SD * s.SD / float64(s.N)
	}
	return 2 * math.Sqrt(square(x)+square(y))
}

// judged fills in the verdict.
func (c PaperComparison) judged() PaperComparison {
	ours := c.Ours
	if !c.Better {
		ours = -ours
	}
	switch {
	case c.Level && ours >= -c.Noise, ours > c.Noise:
		c.Verdict = Agrees
	case ours < -c.Noise:
		c.Verdict = Disagrees
	default:
		c.Verdict = Open
	}
	return c
}
