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

// write runs an encoder–decoder: it writes the answer by greedy decoding, then traces one pass over
// all of it. The pass ends with the prediction after the word at a position of the decoder's input,
// from 1.
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

// followed returns the tokens to which word positions refer.
func (t *traced) followed() []tokenizer.Token {
	if t.read != nil {
		return t.read
	}
	return t.Text.Tokens
}

// guessesNext reports whether predictions are for the next token.
func (t *traced) guessesNext() bool {
	return t.read != nil || t.Config().Objective == encoder.NextWord
}

// decodes reports whether a part is a layer of a decoder.
func decodes(part *trace.Run) bool { return strings.HasPrefix(part.Name, engine.DecoderPart) }

// labelDecoder labels the positions in a decoder's maps. Its queries are the written tokens, and
// the keys of its cross-attention are the text.
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

// nameWords labels the attending tokens and the attended tokens.
func nameWords(steps []trace.Map, read, keys []string) {
	for i := range steps {
		axes := slices.Clone(steps[i].Axes) // mechanisms can share them
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
