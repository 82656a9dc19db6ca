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

// Target says how the decoder of a guest begins and ends its text.
type Target struct {
	Start  int   // id of the token that it begins with
	Forced int   // id of the first token that it writes; -1: any
	Stops  []int // ids that end its text
	Never  []int // ids that it never writes
}

// mostWritten is the largest number of tokens that a guest writes if its maps are shown.
const mostWritten = 48

// fewWritten is the same limit if they are not shown.
const fewWritten = 6

// opening returns the id of the token that a decoder begins with.
func (m *model) opening(v *tokenizer.Vocabulary) int {
	if m.words == nil {
		return v.CLS()
	}
	return m.target.Start
}

// write lets an encoder–decoder write by greedy decoding, and returns the written ids with the end token. The error
// is the context's, which is checked before every token.
func (m *model) write(ctx context.Context, v *tokenizer.Vocabulary, p *nn.Pass, in encoder.Pair,
	most int) ([]int, error) {
	if m.words == nil {
		return m.seq2seq.Greedy(ctx, p, in, encoder.Ends{Start: v.CLS(), Stop: v.SEP(), Limit: m.config().Length})
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

// choose returns the most probable token after this number of written ones, given the scores [V].
func (t Target) choose(scores *tensor.T, written int) int {
	if written == 0 && t.Forced >= 0 {
		return t.Forced
	}
	t.forbid(scores)
	return predict.Likeliest(scores.Data, 1)[0]
}

// forbid gives the lowest score to tokens that are never written.
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

// labels returns the labels of ids of a model.
func (e *Engine) labels(m *model, ids []int) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = tokenizer.PieceLabel(e.speller(m).Piece(id))
	}
	return all
}
