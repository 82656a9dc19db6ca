package train

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// textObjective is the objective of an encoder: its loss on a batch, or on a part of one.
type textObjective struct {
	Batch
	model       *encoder.Model
	share, rows float64 // fractions of the whole batch's targets and of its sequences
}

func (b Batch) objective(m *encoder.Model) Objective { return textObjective{b, m, 1, 1} }

// Task returns the name of the task.
func (o textObjective) Task() string {
	if o.Batch.Task == words {
		return wordTask
	}
	return o.model.Config.Tasks[o.Batch.Task].Name
}

// Parts splits the objective into at most n parts.
func (o textObjective) Parts(n int) []Objective {
	var parts []Objective
	for _, b := range o.split(n) {
		parts = append(parts, textObjective{
			b, o.model, float64(len(b.Targets)) / float64(len(o.Targets)), float64(b.Count) / float64(o.Count),
		})
	}
	return parts
}

// pairWeight is the weight of the loss of a pair relative to that of its words. The papers use 1.
// In models as small as ours, a loss of at most 0.7 nats then has no effect: after 6,000 steps,
// BERT recognised the next text at chance level.
const pairWeight = 10

// Loss returns two numbers: the sum of all losses, and the loss of the words or of the class alone. The sum includes
// the loss of the pairs and the stack's auxiliary losses. Each loss is a mean over the whole batch.
func (o textObjective) Loss(p *nn.Pass) (sum, own *ad.Var) {
	if len(o.Targets) == 0 && o.Pairs == nil {
		return nil, nil
	}
	x := o.read(o.model, p)
	add := func(v *ad.Var, share float64) {
		if share != 1 {
			v = ad.Scale(v, ad.Elem(share))
		}
		if sum == nil {
			sum = v
		} else {
			sum = ad.Add(sum, v)
		}
	}
	if len(o.Targets) > 0 {
		add(o.loss(o.model, p, x), o.share)
		own = sum
	}
	if o.Pairs != nil {
		add(ad.CrossEntropy(o.model.Class(p, x.Pooled, pairTask(o.model)), o.Pairs), pairWeight*o.rows)
	}
	for _, aux := range p.AuxLosses() {
		add(aux.Value, o.rows)
	}
	return sum, own
}

// read runs the model on the batch, for the outputs that its heads need.
func (b Batch) read(m *encoder.Model, p *nn.Pass) encoder.Read {
	in := encoder.Input{IDs: b.IDs, Types: b.Types, Count: b.Count}
	return m.Read(p, in, encoder.Wanted{At: b.At, Classes: b.Task != words || b.Pairs != nil})
}

// loss returns the loss of the masked words, or of the classes.
func (b Batch) loss(m *encoder.Model, p *nn.Pass, x encoder.Read) *ad.Var {
	if b.Task == words {
		return m.GuessLoss(p, x.Words, b.Targets)
	}
	return ad.CrossEntropy(b.logits(m, p, x), b.Targets)
}

// logits returns the scores of the words at the masked positions, or of the classes.
func (b Batch) logits(m *encoder.Model, p *nn.Pass, x encoder.Read) *ad.Var {
	if b.Task == words {
		return m.Guess(p, x.Words)
	}
	return m.Class(p, x.Pooled, b.Task)
}

// pairTask returns the index of the model's classifier of pairs, or -1.
func pairTask(m *encoder.Model) int {
	return slices.IndexFunc(m.Config.Tasks, func(t encoder.Task) bool { return t.Pair })
}

// Schedule returns the schedule for a model's configuration: next words; masked words and classes of sentence pairs;
// or masked words and classes of texts. It leaves out rows that are longer than the model or than the shortest of the
// sources' longest rows.
func (c *Corpus) Schedule(m *encoder.Model, seed uint64, phases []Phase) Schedule {
	phases = fitting(phases, min(m.Config.Length, c.longestRow()))
	switch pair := pairTask(m); {
	case m.Config.Objective == encoder.NextWord:
		return func(step, steps int) Objective {
			return c.nextBatch(seed, step, m.Config.Length, phaseAt(phases, step, steps).Next).objective(m)
		}
	case pair >= 0:
		order := m.Config.Tasks[pair].Name == encoder.SentenceOrder.Name
		return func(step, steps int) Objective {
			return c.pairStep(seed, step, phaseAt(phases, step, steps), order).objective(m)
		}
	}
	return func(step, steps int) Objective {
		return c.Batch(seed, step, phaseAt(phases, step, steps)).objective(m)
	}
}
