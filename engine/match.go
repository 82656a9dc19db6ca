package engine

import (
	"context"
	"strings"

	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tokenizer"
)

// Match scores passages with a model and explains the score of the chosen one.
func (e *Engine) Match(ctx context.Context, r similarity.Question) (scores *similarity.Scores, err error) {
	entry, _, ok := Find(r.Mechanism)
	if !ok {
		return nil, e.unknown(r.Mechanism)
	}
	if err := checkMatch(r); err != nil {
		return nil, err
	}
	err = protect(func() error {
		m, err := e.model(r.Mechanism)
		if err != nil {
			return err
		}
		if m.seq2seq != nil {
			return fault.Errorf(fault.Unsupported, "match.two-stacks", "name", entry.Name)
		}
		reader := &similarity.Reader{Model: m.Model, Name: entry.Name, Pooling: m.pooling, Unpooled: m.unpooled,
			IDs: m.ids}
		reader.Tokens = func(text string) ([]tokenizer.Token, error) { return e.vocab.Encode(text), nil }
		if m.words != nil {
			reader.Tokens, reader.Pair = m.tokens, m.pair
		}
		reader.Pass = func(do func(*nn.Pass)) error { return e.pass(ctx, do) }
		reader.Zeroed = func(text string) ([]float64, error) {
			return e.zeroedFirst(ctx, r.Mechanism, withoutMarks(text), max(m.info.Layers, 1))
		}
		scores, err = similarity.Match(r, reader)
		return err
	})
	return scores, err
}

// checkMatch returns an error if texts are invalid for every model.
func checkMatch(r similarity.Question) error {
	bytes := len(r.Query)
	for _, p := range r.Passages {
		bytes += len(p)
	}
	if bytes > MaxTextBytes {
		return fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", bytes, "most", MaxTextBytes)
	}
	return r.Check()
}

// withoutMarks returns a text without marks between the texts of a pair.
func withoutMarks(text string) string { return strings.ReplaceAll(text, tokenizer.PairMark, " ") }

// tokens returns the tokens of a text for a guest.
func (m *model) tokens(text string) ([]tokenizer.Token, error) {
	whole, err := m.reportOf(withoutMarks(text))
	if err != nil {
		return nil, err
	}
	return whole.Tokens, nil
}

// pair returns the tokens and segments of a pair of texts for a guest, which must read all of them.
func (m *model) pair(query, passage string) (tokens []tokenizer.Token, segments []int, err error) {
	whole, err := m.reportOf(withoutMarks(query) + tokenizer.PairMark + withoutMarks(passage))
	if err != nil {
		return nil, nil, err
	}
	if n, most := len(whole.Tokens), m.Config.Longest(); n > most {
		return nil, nil, tooLong(m.Config, most, n)
	}
	return whole.Tokens, whole.Segments, nil
}

// MatchCost estimates the cost of Match, as Cost does. A text that is too long counts with the part that is read.
func (e *Engine) MatchCost(r similarity.Question) (all Cost) {
	entry, stack, ok := Find(r.Mechanism)
	info, err := e.Info(r.Mechanism)
	if !ok || err != nil || checkMatch(r) != nil {
		return Cost{}
	}
	for _, text := range append([]string{r.Query}, r.Passages...) {
		n := e.vocab.Count(text)
		if g := FindGuest(r.Mechanism); g != nil {
			if n, err = g.count(text); err != nil {
				return Cost{}
			}
		}
		n = min(n, info.Longest)
		one := costOfPass(entry, stack, info, n, Request{})
		all.Operations += one.Operations
		all.Bytes = max(all.Bytes, one.Bytes+int64(n)*passBytes)
	}
	return all
}

// zeroedFirst returns value zeroing of the first token’s output in the last layer of a model: one share for each
// token.
func (e *Engine) zeroedFirst(ctx context.Context, id, text string, layers int) (row []float64, err error) {
	rep, err := e.Inspect(ctx, Request{Text: text, Mechanisms: []string{id},
		Method: method.Measurement{Name: method.ValueZeroing, Layer: layers}})
	if err == nil {
		err = rep.Mechanisms[0].Err
	}
	if err != nil {
		return nil, err
	}
	for _, layer := range rep.Mechanisms[0].Layers {
		if shown, ok := layer.Find(method.ValueZeroing); ok && layer.Number == layers {
			for j := range shown.Value.Dim(-1) {
				row = append(row, float64(shown.Value.At(0, j)))
			}
		}
	}
	return row, nil
}
