package train

import (
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// textLesson is a batch, or a part of one, that a model learns from.
type textLesson struct {
	Batch
	model       *encoder.Model
	share, rows float64 // of the whole batch's targets and of its sequences
}

func (b Batch) lesson(m *encoder.Model) Lesson { return textLesson{b, m, 1, 1} }

func (l textLesson) Task() string {
	if l.Batch.Task == words {
		return "words"
	}
	return l.model.Config.Tasks[l.Batch.Task].Name
}

func (l textLesson) Parts(n int) []Lesson {
	var parts []Lesson
	for _, b := range l.split(n) {
		parts = append(parts, textLesson{
			b, l.model, float64(len(b.Targets)) / float64(len(l.Targets)), float64(b.Count) / float64(l.Count),
		})
	}
	return parts
}

// pairWeight is how much the loss of a pair counts beside that of its words. The papers
// add both as they are; in models as small as ours, a loss of at most 0.7 nats then
// moves nothing: after 6,000 steps BERT took the next text for another as often as not.
const pairWeight = 10

// Loss is that of the words or of the class, of the pairs beside them, and what the
// stack charged, each a mean over the whole batch.
func (l textLesson) Loss(p *nn.Pass) *ad.Var {
	if len(l.Targets) == 0 && l.Pairs == nil {
		return nil
	}
	x := l.model.Run(p, l.input())
	var sum *ad.Var
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
	if len(l.Targets) > 0 {
		add(ad.CrossEntropy(l.logits(l.model, p, x), l.Targets), l.share)
	}
	if l.Pairs != nil {
		add(ad.CrossEntropy(l.model.Classify(p, x, pairTask(l.model)), l.Pairs), pairWeight*l.rows)
	}
	for _, c := range p.Charges() {
		add(c.Value, l.rows)
	}
	return sum
}

func (b Batch) input() encoder.Input {
	return encoder.Input{IDs: b.IDs, Types: b.Types, Count: b.Count}
}

// logits scores the answers to the batch's questions.
func (b Batch) logits(m *encoder.Model, p *nn.Pass, x *ad.Var) *ad.Var {
	if b.Task == words {
		return m.Words(p, x, b.At)
	}
	return m.Classify(p, x, b.Task)
}

// pairTask is the number of the model's classifier of pairs, or -1.
func pairTask(m *encoder.Model) int {
	return slices.IndexFunc(m.Config.Tasks, func(t encoder.Task) bool { return t.Pair })
}

// Course is what a model learns from the corpus, by its configuration: the next
// word; masked words and how two texts belong together; or masked words and
// classes.
func (c *Corpus) Course(m *encoder.Model, seed uint64) Course {
	switch pair := pairTask(m); {
	case m.Config.Objective == encoder.NextWord:
		return func(step, _ int) Lesson { return c.nextBatch(seed, step).lesson(m) }
	case pair >= 0:
		order := m.Config.Tasks[pair].Name == encoder.SentenceOrder.Name
		return func(step, steps int) Lesson { return c.pairLessons(seed, step, steps, order).lesson(m) }
	}
	return func(step, steps int) Lesson { return c.Batch(seed, step, steps).lesson(m) }
}
