package results

import (
	"context"
	"io/fs"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/gaps"
	"attnatlas/engine/messages"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// GapScore is how well a model fills in the gaps of a list.
type GapScore struct {
	Sentences int     `json:"sentences" doc:"Number of sentences in the list"`
	First     float64 `json:"first" doc:"Share of the sentences, 0…1, for which the first prediction is an accepted word"`
	Ten       float64 `json:"ten" doc:"Share of the sentences, 0…1, for which one of the first ten predictions is an accepted word"`
}

// GapTest tests models on the gaps of a list.
type GapTest struct {
	Name  string // name of the list
	Gaps  []gaps.Gap
	Vocab *tokenizer.Vocabulary
}

// Unreachable returns the number of sentences for which no accepted word is a single piece of the
// vocabulary, so that no model can predict it.
func (t GapTest) Unreachable() int {
	n := 0
	for _, g := range t.Gaps {
		if !slices.ContainsFunc(g.Words, func(w string) bool { return len(t.Vocab.EncodeIDs(w)) == 1 }) {
			n++
		}
	}
	return n
}

// Measure adds to the results how well models fill in the gaps, for the first training of each
// model in a folder. Models without word predictions are left out. It returns the first error, or
// the error of ctx.
func (t GapTest) Measure(ctx context.Context, folder fs.FS, r *Results) error {
	files, err := list(folder, nil)
	if err != nil {
		return err
	}
	for _, same := range files {
		m := r.find(same[0].id, same[0].paper)
		if m == nil || m.Objective == string(encoder.TargetWords) {
			continue
		}
		score, err := t.score(ctx, same[0])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return messages.Errorf("results.file", "file", same[0].path, "cause", messages.Of(err))
		}
		if m.Gaps == nil {
			m.Gaps = map[string]GapScore{}
		}
		m.Gaps[t.Name] = score
	}
	return nil
}

// score returns the score of one file.
func (t GapTest) score(ctx context.Context, f stored) (GapScore, error) {
	if size := t.Vocab.Size(); f.config.Vocab != size {
		return GapScore{}, messages.Errorf("error.other-vocabulary", "pieces", f.config.Vocab, "vocabulary", size)
	}
	m, _, err := modelfile.Open(f.data)
	if err != nil {
		return GapScore{}, err
	}
	first, ten, p := 0, 0, nn.NewPass(ad.NewFrozen())
	for _, g := range t.Gaps {
		if ctx.Err() != nil {
			break
		}
		p.Reset()
		switch at := slices.IndexFunc(t.guesses(m, p, g), g.Accepts); {
		case at == 0:
			first++
			ten++
		case at > 0:
			ten++
		}
	}
	all := float64(len(t.Gaps))
	return GapScore{len(t.Gaps), float64(first) / all, float64(ten) / all}, nil
}

// guesses returns the ten most probable pieces for a gap, the most probable first. A model for
// next-token prediction reads only the text before the gap.
func (t GapTest) guesses(m *encoder.Model, p *nn.Pass, g gaps.Gap) []string {
	next := m.Config.Objective == encoder.NextWord
	text := g.Text
	if next {
		text = g.Before()
	}
	ids := append([]int{t.Vocab.CLS()}, t.Vocab.EncodeIDs(text)...)
	at := len(ids) - 1
	if !next {
		at = slices.Index(ids, t.Vocab.MASK())
		ids = append(ids, t.Vocab.SEP())
	}
	scores := m.Words(p, m.Run(p, encoder.Input{IDs: ids, Count: 1}), []int{at}).Value
	words := make([]string, 0, predict.TopWords)
	for _, id := range predict.Likeliest(scores.Data, predict.TopWords) {
		words = append(words, t.Vocab.Piece(id))
	}
	return words
}
