package train

import (
	"time"

	"attnatlas/engine/encoder"
)

// Work is about how many multiplications and additions a training takes that sees so many
// pieces: a backward pass costs two forward passes, and one more where the layers are computed
// backwards (Reversible). A piece costs what it does on the mean in rows of the recipe's
// phases; classes are counted as words are. Updates of the parameters are not counted.
func Work(c encoder.Config, tokens int) float64 {
	passes := 3.0
	if c.Stack == encoder.Reversible.ID {
		passes = 4
	}
	return passes * float64(tokens) * forward(c)
}

// forward is the cost of one piece in a forward pass, on the mean of a training.
func forward(c encoder.Config) float64 {
	if c.Stack == encoder.EncoderDecoder.ID {
		sum, longest := 0.0, min(maxPieces, c.Length-2)
		for n := 3; n < 3+longest; n++ { // as many are read as are written, with [CLS] and [SEP]
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

// guessed is how many of n pieces are, on the mean, guessed in training.
func guessed(c encoder.Config, n int) int {
	if c.Objective == encoder.NextWord {
		return n - 2
	}
	return int(maskShare*float64(n-2) + 0.5)
}

// Rehearse takes some steps of the training, spread over all of it, after one that is not
// counted, and tells what the whole would take by a clock, such as of CPU time. The run is not
// to be gone on with.
func (r *Run) Rehearse(c *Corpus, steps int, clock func() time.Duration) time.Duration {
	schedule, all := r.schedule(c), r.Options.Steps
	r.step(schedule(0, all))
	began := clock()
	for i := range steps {
		r.step(schedule((2*i+1)*all/(2*steps), all))
	}
	return (clock() - began) * time.Duration(all) / time.Duration(steps)
}
