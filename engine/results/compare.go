package results

import "math"

// Verdict is the result of comparing our models with a paper's.
type Verdict string

const (
	Agrees    Verdict = "agrees"    // the same model is better, by more than noise
	Disagrees Verdict = "disagrees" // the other model is better, by more than noise
	Open      Verdict = "open"      // the difference does not exceed the noise
	Tied      Verdict = "tied"      // the paper's difference is too small to interpret
)

// PaperComparison compares the same two models in a paper and here.
type PaperComparison struct {
	Model, Base string   // ids
	Papered     []string // ids of those of the two that have the options of their papers here
	Quote       string   // the paper's words; empty: the comparison is between two rows
	Better      bool     // in the paper, Model is better than Base
	Level       bool     // … or equally good
	Theirs      float64  // the value of Model minus the value of Base, for rows
	Ours        float64  // how much better Model is than Base here: nats less, or accuracy more
	Noise       float64  // smaller differences in Ours mean nothing
	Words       float64  // how much lower the loss of Model is, in nats; 0 if it differs by no more than its noise
	Seeds       int      // seeds of the model with fewer seeds
	Long        bool     // the paper's words are about long texts
	Verdict     Verdict
}

// Standard deviations over seeds that PaperComparison.Noise assumes if no model has several seeds. They are the largest
// of six models with three seeds each, at 8,000 and at 16,000 steps (docs/log.md).
const (
	AssumedLoss  = 0.0177 // nats
	AssumedScore = 0.0107 // fraction of answers
)

// Compare compares a paper's measurements and claims with ours, if both models exist and saw the
// same number of tokens.
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
				c.Quote, c.Better, c.Level, c.Long = claim.Quote, true, claim.Level, claim.Long
				all = append(all, c.judged())
			}
		}
	}
	return all
}

// Comparable returns the model that is compared with papers: the one with the options of its paper if it saw the same
// number of tokens as the bundled one, the bundled one otherwise, or nil.
func (r Results) Comparable(id string) *ModelResults {
	bundled, paper := r.Find(id), r.find(id, true)
	if bundled != nil && paper != nil && alike(*bundled, *paper) {
		return paper
	}
	return bundled
}

// compare compares two models by "loss" or a task.
func (r Results) compare(measure, model, base string) (PaperComparison, bool) {
	a, b := r.Comparable(model), r.Comparable(base)
	if a == nil || b == nil || !alike(*a, *b) {
		return PaperComparison{}, false
	}
	words := b.Loss.Mean - a.Loss.Mean
	if math.Abs(words) <= r.noise(Loss, a.Loss, b.Loss) {
		words = 0
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
	var papered []string
	for _, m := range []*ModelResults{a, b} {
		if m.Paper {
			papered = append(papered, m.ID)
		}
	}
	return PaperComparison{Model: model, Base: base, Papered: papered, Ours: sign * (x.Mean - y.Mean), Noise: r.noise(measure, x, y),
		Words: words, Seeds: min(x.N, y.N)}, true
}

// alike reports whether two models saw the same number of tokens, up to 2%.
func alike(a, b ModelResults) bool {
	return math.Abs(float64(a.Tokens-b.Tokens)) <= 0.02*float64(max(a.Tokens, b.Tokens))
}

// Loss is the Measure of papers about language modelling.
const Loss = "loss"

// noise returns two standard errors of the difference of two means. For a model with one seed it
// uses the largest standard deviation of the other models.
func (r Results) noise(measure string, x, y Spread) float64 {
	largest, unknown := 0.0, AssumedLoss
	if measure != Loss {
		unknown = AssumedScore
	}
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
		largest = unknown
	}
	square := func(s Spread) float64 {
		if s.N < 2 {
			return largest * largest
		}
		return s.SD * s.SD / float64(s.N)
	}
	return 2 * math.Sqrt(square(x)+square(y))
}

// judged returns the comparison with its verdict.
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
