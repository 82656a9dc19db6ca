package engine

import (
	"context"
	"slices"

	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// Target says how the decoder of a guest begins and ends what it writes.
type Target struct {
	Start  int   // the id that it begins with
	Forced int   // the id of the first token that it writes; -1: it is free
	Stops  []int // ids that end what it writes
	Never  []int // ids that it does not write
}

// mostWritten is how many tokens a guest writes of a text whose maps are shown.
const mostWritten = 48

// fewWritten is likewise where nobody reads what is written.
const fewWritten = 6

// opening is the id that a decoder begins with.
func (m *model) opening(v *tokenizer.Vocabulary) int {
	if m.words == nil {
		return v.CLS()
	}
	return m.target.Start
}

// write lets a model of two stacks write by always taking the likeliest token, and gives what it wrote, with the end.
// The error is that of the context, which is looked at before every token.
func (m *model) write(ctx context.Context, v *tokenizer.Vocabulary, p *nn.Pass, in encoder.Pair,
	most int) ([]int, error) {
	if m.words == nil {
		return m.seq2seq.Greedy(ctx, p, in, v.CLS(), v.SEP(), m.config().Length)
	}
	cuts, instead := p.Cuts, p.Instead
	reader, next := encoder.NewTargetContinuer(m.seq2seq, in), m.target.Start
	var written []int
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.Reset()
		stoppable(ctx, p)
		p.Cuts, p.Instead = cuts, instead
		scores := reader.Read(p, next).Value.Sub(0)
		next = m.target.choose(scores, len(written))
		written = append(written, next)
		if slices.Contains(m.target.Stops, next) || len(written) >= min(most, m.config().Length-1) {
			return written, nil
		}
	}
}

// choose takes the likeliest token behind so many written ones by the scores [V].
func (t Target) choose(scores *tensor.T, written int) int {
	if written == 0 && t.Forced >= 0 {
		return t.Forced
	}
	t.forbid(scores)
	return predict.Likeliest(scores.Data, 1)[0]
}

// forbid gives tokens that are not written the lowest score.
func (t Target) forbid(scores *tensor.T) {
	for _, id := range t.Never {
		if id < scores.Len() {
			scores.Data[id] = nn.Masked
		}
	}
}

// Ends implements Writer for a target.
func (t Target) Ends() []int { return t.Stops }

// Specials implements Writer for a target.
func (t Target) Specials() []int { return t.Never }

// generation describes what a model wrote.
func (e *Engine) generation(m *model, task int, text *Report, written []int) *predict.Generation {
	if m.words == nil {
		return predict.NewGeneration(e.vocab, m.tasks(), task, text.Tokens, written)
	}
	g := &predict.Generation{Stopped: slices.Contains(m.target.Stops, written[len(written)-1])}
	for _, id := range written {
		g.Steps = append(g.Steps, predict.WrittenWord{Piece: e.speller(m).Piece(id)})
	}
	if w, ok := m.words.(Writer); ok {
		g.Text = w.Decode(written)
	}
	return g
}

// labels are the labels of ids of a model.
func (e *Engine) labels(m *model, ids []int) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = tokenizer.PieceLabel(e.speller(m).Piece(id))
	}
	return all
}
