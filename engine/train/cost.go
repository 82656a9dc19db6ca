package train

import (
	"time"

	"attnatlas/engine/encoder"
)

// Work estimates the multiplications and additions of a training run on this many tokens. A backward pass costs two
// forward passes, and one more if the layers are recomputed (Reversible). The cost of a token is its mean cost in
// rows of the recipe's phases; batches of classes count like batches of words. Updates of the parameters are not
// counted.
func Work(c encoder.Config, tokens int) float64 {
	passes := 3.0
	if c.Stack == encoder.Reversible.ID {
		passes = 4
	}
	return passes * float64(tokens) * forward(c)
}

// forward returns the mean cost of one token in a forward pass of the training.
func forward(c encoder.Config) float64 {
	if c.Stack == encoder.EncoderDecoder.ID {
		sum, longest := 0.0, min(maxPieces, c.Length-2)
		for n := 3; n < 3+longest; n++ { // reads and writes the same number, with [CLS] and [SEP]
			sum += float64(c.FLOPs(n, n-1)) / float64(2*n)
		}
		return sum / float64(longest)
	}
	phases, mean := fitting(DefaultMethod().Phases, c.Length), 0.0
	for i, p := range phases {
		until := 1.0
		if i+1 < len(phases) {
			until = phases[i+1].From
		}
		for _, n := range p.Lengths {
			mean += (until - p.From) / float64(len(p.Lengths)) * float64(c.FLOPs(n, guessed(c, n))) / float64(n)
		}
	}
	return mean
}

// guessed returns how many of n tokens are predicted in training, on average.
func guessed(c encoder.Config, n int) int {
	if c.Objective == encoder.NextWord {
		return n - 2
	}
	return int(maskShare*float64(n-2) + 0.5)
}

// Rehearse runs one step without measuring it, and then some steps spread over the whole training run. From their time
// by a clock, such as CPU time, it estimates the time of the whole. The run must not be continued.
func (r *Run) Rehearse(c *Corpus, steps int, clock func() time.Duration) time.Duration {
	schedule, all := r.schedule(c), r.Options.Steps
	r.step(schedule(0, all))
	began := clock()
	for i := range steps {
		r.step(schedule((2*i+1)*all/(2*steps), all))
	}
	return (clock() - began) * time.Duration(all) / time.Duration(steps)
}
