package explain

import (
	"context"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// write has an encoder–decoder write of the text, and runs it once over all that was written, to the guess behind the
// word at a position of what it reads, from 1.
func (t *traced) write(ctx context.Context, in encoder.Pair, word int) error {
	p, m, vocab := t.pass, t.Seq2Seq, t.Speller()
	first := nn.NewPass(ad.NewFrozen())
	first.Cuts = p.Cuts
	written, err := t.Write(ctx, first, in)
	if err != nil {
		return err
	}
	in.Target = append([]int{t.Opening()}, written[:len(written)-1]...)
	for _, id := range in.Target {
		piece := vocab.Piece(id)
		t.read = append(t.read, tokenizer.Token{ID: id, Piece: piece, Text: strings.TrimPrefix(piece, "##")})
	}
	t.word = min(max(word, 1), len(t.read))
	scores := m.Words(p, m.Run(p, in), []int{t.word - 1}) // [1,V]
	t.likeliest(scores, ad.Softmax(scores))
	t.labelDecoder()
	return nil
}

// followed are the tokens that words are counted in.
func (t *traced) followed() []tokenizer.Token {
	if t.read != nil {
		return t.read
	}
	return t.Text.Tokens
}

// guessesNext says that a guess is of the word behind.
func (t *traced) guessesNext() bool {
	return t.read != nil || t.Config().Objective == encoder.NextWord
}

// decodes says that a part is a layer of a decoder.
func decodes(part *trace.Run) bool { return strings.HasPrefix(part.Name, engine.DecoderPart) }

// labelDecoder names the positions in what a decoder shows: it reads what was written, and in its cross-attention the
// text.
func (t *traced) labelDecoder() {
	run := t.pass.Run
	memory := slices.IndexFunc(run.Steps, func(m trace.Map) bool { return m.Name == "memory" })
	read, text := tokenizer.Labels(t.read), tokenizer.Labels(t.Text.Tokens)
	nameWords(run.Steps[memory:], read, text)
	for _, part := range run.Parts {
		if !decodes(part) {
			continue
		}
		nameWords(part.Steps, read, read)
		for _, cross := range part.Parts {
			nameWords(cross.Steps, read, text)
		}
	}
}

// nameWords names the words that read and those that are read.
func nameWords(steps []trace.Map, read, keys []string) {
	for i := range steps {
		axes := slices.Clone(steps[i].Axes) // mechanisms may share them
		for k := range axes {
			switch a := &axes[k]; a.Role {
			case trace.Query, trace.Token:
				a.Labels, a.Text = read, true
			case trace.Key:
				a.Labels, a.Text = keys, true
			}
		}
		steps[i].Axes = axes
	}
}
