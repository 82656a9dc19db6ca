package engine

import (
	"context"
	"slices"
	"strings"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/task"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Names of the parts of a model of two stacks.
const (
	CrossPart          = "cross"           // the decoder reads the encoder
	DecoderPart        = "decoder"         // the decoder reads what was written before
	EncoderPart        = "encoder"         // the encoder reads the text
	EncoderRolloutPart = "encoder-rollout" // rollout through the encoder's layers
)

// Part is one of several sequences of layers of a model.
type Part struct {
	Name   string
	Layers []Layer
}

// Usual is the number of the layer that is shown where none is chosen: the last one, where cross-attention has found its words.
func (p Part) Usual() int { return len(p.Layers) }

// PartMap is the name of the map that stands for a part.
func PartMap(part string) string {
	if part == EncoderRolloutPart {
		return method.Rollout
	}
	return "weights"
}

// Generation is the text that an encoder–decoder wrote of a text, always the likeliest
// word.
type Generation struct {
	Tasks []string // that the model knows
	Task  string   // the one that was asked for
	// Text is what was written. Stopped says that the model ended it itself, with [SEP].
	Text    string
	Stopped bool
	// Answer is what would have been right, by pieces and as text: computed from the text,
	// by the same rule as the training's targets. Right says that every word of it was
	// written, and no other, and then the end.
	Answer     []string
	AnswerText string
	Right      bool
	Steps      []Step // the words that were written, one after the other
}

// Step is one word of a Generation.
type Step struct {
	Piece string
	Top   []Word // the likeliest, by falling probability; at most TopWords; nil: not known
}

// RightStep says whether a step, from 0, wrote what is right at its place; after the last
// word that is the end.
func (g *Generation) RightStep(i int) bool {
	if i < len(g.Answer) {
		return g.Steps[i].Piece == g.Answer[i]
	}
	return i == len(g.Answer) && g.Stopped && i == len(g.Steps)-1
}

// Labels are the labels of the written pieces.
func (g *Generation) Labels() []string {
	labels := make([]string, len(g.Steps))
	for i, s := range g.Steps {
		labels[i] = tokenizer.PieceLabel(s.Piece)
	}
	return labels
}

// generate answers for an encoder–decoder. It writes, and then runs once over all that was
// written to see how: as nobody reads what comes later, every row is what it was when its
// word was written.
func (e *Engine) generate(ctx context.Context, m *model, start func(*nn.Pass), text *Report, r Request, res *Result) error {
	if err := e.generates(text, r); err != nil {
		return err
	}
	in, err := m.source(text, r)
	if err != nil {
		return err
	}
	var calls *[]encoder.Mixing
	err = e.pass(ctx, func(p *nn.Pass) {
		start(p)
		written, err := m.seq2seq.Greedy(ctx, p, in, e.vocab.CLS(), e.vocab.SEP(), m.config().Length)
		if err != nil {
			panic(stopped{err})
		}
		g := NewGeneration(e.vocab, m.tasks(), in.Task, text.Tokens, written)
		if res.Generated = g; r.Told {
			written = append(rightAnswer(e.vocab, g.Task, text.Tokens), e.vocab.SEP())
		}
		in.Target = append([]int{e.vocab.CLS()}, written[:len(written)-1]...)
		p.Reset()
		start(p)
		stoppable(ctx, p)
		calls = encoder.ObserveFirst(p, r.Method.Calls())
		p.Run = &trace.Run{Only: viewNames(res)}
		y := m.seq2seq.Run(p, in)
		if !r.Told {
			g.tell(e, m.seq2seq.Words(p, y, upTo(len(written))).Value)
		}
		res.collectParts(p.Run, pieceLabels(e.vocab, written), r.Told)
	})
	if err != nil {
		return err
	}
	if err := res.rollOutEncoder(); err != nil {
		return err
	}
	s := subjectOf(m, text, r, res)
	s.Calls = *calls
	return e.measure(ctx, s, res)
}

// WritingTasks are what there is for an encoder–decoder to learn to write of a text.
func WritingTasks() []string { return task.Names() }

// tasks are those that an encoder–decoder has learned.
func (m *model) tasks() (names []string) {
	for _, t := range m.seq2seq.Config.Tasks {
		names = append(names, t.Name)
	}
	return names
}

// source is what an encoder–decoder is to read, and the task; nothing is written yet.
func (m *model) source(text *Report, r Request) (encoder.Pair, error) {
	in := encoder.Pair{Count: 1, Source: idsOf(text.Tokens)}
	if r.Task == "" {
		return in, nil
	}
	known := m.tasks()
	if in.Task = slices.Index(known, r.Task); in.Task < 0 {
		return in, Errorf(Unsupported, "error.generation.task", "task", messages.Quote(r.Task), "known", messages.List(known))
	}
	return in, nil
}

// generates says why a request is none that an encoder–decoder can answer.
func (e *Engine) generates(text *Report, r Request) error {
	asked := r.Method.Method()
	switch {
	case r.Mask == nn.Causal:
		return Errorf(Unsupported, "error.generation.mask")
	case asked != nil && !asked.NoTwoStacks.IsZero():
		return &Error{Kind: Unsupported, Msg: asked.NoTwoStacks}
	case strings.Contains(text.Text, PairMark):
		return Errorf(Unsupported, "error.generation.pair", "mark", PairMark)
	case slices.ContainsFunc(text.Tokens[1:len(text.Tokens)-1], func(t tokenizer.Token) bool { return e.vocab.IsSpecial(t.ID) }):
		return Errorf(Unsupported, "error.generation.mark")
	}
	return nil
}

// NewGeneration is what was written of a text for the task of a number, compared with what would have
// been right; the likeliest words of its steps are not known.
func NewGeneration(v *tokenizer.Vocabulary, tasks []string, number int, text []tokenizer.Token, written []int) *Generation {
	g := &Generation{Tasks: tasks, Task: tasks[number]}
	for _, id := range written {
		g.Steps = append(g.Steps, Step{Piece: v.Piece(id)})
	}
	if g.Stopped = written[len(written)-1] == v.SEP(); g.Stopped {
		written = written[:len(written)-1]
	}
	g.Text = v.Decode(written)
	right := rightAnswer(v, g.Task, text)
	for _, id := range right {
		g.Answer = append(g.Answer, v.Piece(id))
	}
	g.AnswerText = v.Decode(right)
	g.Right = g.Stopped && slices.Equal(right, written)
	return g
}

// rightAnswer is what should be written of a text that stands between [CLS] and [SEP].
func rightAnswer(v *tokenizer.Vocabulary, name string, text []tokenizer.Token) []int {
	return slices.Concat(task.Target(v, name, task.Words(v, idsOf(text[1:len(text)-1])))...)
}

// tell fills in the likeliest words, with the scores [N,V] of every step.
func (g *Generation) tell(e *Engine, scores *tensor.T) {
	for i := range g.Steps {
		g.Steps[i].Top = e.top(probabilities(scores.Sub(i)))
	}
}

// pieceLabels are the labels of pieces.
func pieceLabels(v *tokenizer.Vocabulary, ids []int) []string {
	labels := make([]string, len(ids))
	for i, id := range ids {
		labels[i] = tokenizer.PieceLabel(v.Piece(id))
	}
	return labels
}

// collectParts takes over the maps of a run of two stacks. Queries of the decoder are the
// words that it is about to write, keys of its self-attention what it has read by then: [CLS] and
// all but the last of them. What reads or is the text is labelled with the rest of the report.
func (res *Result) collectParts(run *trace.Run, written []string, told bool) {
	title := "writes"
	if told {
		title = "told"
	}
	read := append([]string{"[CLS]"}, written[:len(written)-1]...)
	var cross, decoder, own Part
	cross.Name, decoder.Name, own.Name = CrossPart, DecoderPart, EncoderPart
	for _, part := range run.Parts {
		if !strings.HasPrefix(part.Name, DecoderPart) {
			own.add(pick(part, res.Entry.Views), "", nil, nil)
			continue
		}
		decoder.add(pick(part, res.Entry.Views), title, written, read)
		for _, c := range part.Parts {
			cross.add(pick(c, res.Entry.Views), title, written, nil)
		}
	}
	res.Layers = own.Layers
	res.Parts = []Part{cross, decoder, own}
}

// add adds a layer whose queries, under a title, and keys have labels of their own.
func (p *Part) add(maps []trace.Map, title string, queries, keys []string) {
	for _, m := range maps {
		for a := range m.Axes {
			switch axis := &m.Axes[a]; {
			case axis.Role == trace.Query && queries != nil:
				axis.Labels, axis.Name = queries, title
			case axis.Role == trace.Key && keys != nil:
				axis.Labels = keys
			}
		}
	}
	n := len(p.Layers) + 1
	p.Layers = append(p.Layers, Layer{Number: n, Name: messages.English.T("unit.layer", "number", n), Maps: maps})
}

// rollOutEncoder adds the part EncoderRolloutPart. Rollout is not defined for a decoder, which reads two texts.
func (res *Result) rollOutEncoder() error {
	rolled := Part{Name: EncoderRolloutPart}
	found, err := method.Find(method.Rollout).Measure(&method.Subject{
		Depth: len(res.Layers), Weights: func(int) ([]trace.Map, error) { return weightMaps(res.Layers) },
	})
	for i, one := range found.Maps {
		l := res.Layers[i]
		rolled.Layers = append(rolled.Layers, Layer{Number: l.Number, Name: l.Name, Maps: []trace.Map{one.Map}})
	}
	res.Parts = append(res.Parts, rolled)
	return err
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func idsOf(tokens []tokenizer.Token) []int {
	ids := make([]int, len(tokens))
	for i, t := range tokens {
		ids[i] = t.ID
	}
	return ids
}
