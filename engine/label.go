package engine

import (
	"slices"

	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Seam returns the index of the first token of the second text of a pair; 0: there is one text.
func (r *Report) Seam() int { return max(slices.Index(r.Segments, 1), 0) }

// TokensOf returns the tokens that a mechanism reads: its own, or those of the report.
func (r *Report) TokensOf(res *Result) []tokenizer.Token {
	if res != nil && res.Tokens != nil {
		return res.Tokens
	}
	return r.Tokens
}

// Aligned returns, for each token of the report, the tokens of a mechanism that share characters with it. It returns
// nil if they are the same.
func (r *Report) Aligned(res *Result) []tokenizer.Span {
	if res == nil || res.Tokens == nil || slices.Equal(res.Tokens, r.Tokens) {
		return nil
	}
	return tokenizer.Align(r.Tokens, res.Tokens)
}

// LabelAxes labels the positions of axes that run over the tokens of the text and have no labels yet. Inspect calls
// it.
func (r *Report) LabelAxes() {
	text := trace.Axis{Labels: tokenizer.Labels(r.Tokens), Text: true, Seam: r.Seam()}
	for i := range r.Mechanisms {
		m, text := &r.Mechanisms[i], text
		if m.Tokens != nil {
			if len(m.Tokens) != len(r.Tokens) {
				text.Seam = 0
			}
			text.Labels = tokenizer.Labels(m.Tokens)
		}
		label(m.Layers, text)
		for _, part := range m.Parts {
			label(part.Layers, text)
		}
		label([]Layer{{Maps: m.Maps}}, text)
	}
}

// label gives the labels of the text to axes of the same length.
func label(layers []Layer, text trace.Axis) {
	for _, l := range layers {
		for i := range l.Maps {
			l.Maps[i].Axes = l.Maps[i].Labelled(text)
		}
	}
}
