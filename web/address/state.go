package address

import (
	"fmt"
	"net/url"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// DefaultText is the example for a visitor without a text. The word "it" has two candidates, and
// two words occur twice.
const DefaultText = "The cat sat on the mat because it was tired, and the dog saw it."

// DefaultSource is the default source text of the encoder–decoder.
const DefaultSource = "The old woman gave the boy a small red apple."

// Themes are the themes on the page; the first matches the visitor's system.
var Themes = []string{"auto", "light", "dark"}

// Draws are the ways to display a map of token pairs: as a matrix, or one row as arcs.
var Draws = []string{"maps", Arcs}

// Arcs is the value of Draw for one row as arcs.
const Arcs = "arcs"

// Fast and Portable are the modes of computation: with the vector instructions of this processor,
// or bit-identical on all machines. The mode is set when the program starts.
const Fast, Portable = "fast", "portable"

// State is the complete state of a page: the parameters of its URL, with defaults filled in.
type State struct {
	Text       string
	Other      string   // second text, with which every map is compared; empty: none
	Mechanisms []string // ids without repetition; can contain unknown ones
	exhibit.Choice
	Cmap  figure.Palette
	Mask  nn.MaskKind
	Task  string // task of an encoder–decoder; empty: its first
	Theme string // one of Themes
	Draw  string // one of Draws
	Pin   Pin
	// Was are the masked words of the text, in order. An empty string stands for a single mask whose
	// word is unknown. Nil: no words are known.
	Was []string
	// After is the number of training steps, in digits, at which the maps were recorded. Empty: the
	// finished model.
	After string
	Step  int // decoding step, from 1; 0: the first
	// Example is the id of the example whose sentence is above the maps. Walk is the number, from 1, of
	// the tour step. The state can differ from theirs.
	Example string
	Walk    int
	From    string // query of the main view to which the tour returns; empty: the default
	// Large is the mechanism of the enlarged map. Empty: none.
	Large   string
	Present bool          // large type, for presentations
	Compact bool          // only name and map of each card
	Race    int           // masked word, from 1, that all models predict; EveryWord: each in turn; 0: none
	Exact   bool          // influence is measured in all directions instead of being estimated
	Cuts    ablation.Cuts // ablations of the forward passes
	Compute string        // Portable: bit-identical numbers on all machines; otherwise Fast
}

// Pin is the pinned part of a map: a cell, a row (if Col is 0), or the rows from Row to Last (if
// Last is not 0). Rows and columns count from 1. The zero Pin stands for none.
type Pin struct{ Row, Col, Last int }

// String returns the value of "pin" in URLs: "4.7" for a cell, "4" for a row, "4-7" for rows.
func (p Pin) String() string {
	switch {
	case p.Last > 0:
		return fmt.Sprintf("%d-%d", p.Row, p.Last)
	case p.Col == 0:
		return count(p.Row)
	}
	return fmt.Sprintf("%d.%d", p.Row, p.Col)
}

// Within returns the part of a pin in a text of n tokens. A cell outside its columns becomes a row,
// and a row outside the text becomes the zero Pin.
func (p Pin) Within(n int) Pin {
	switch {
	case p.Row > n:
		return Pin{}
	case p.Col > n, p.Last > n && p.Row == n:
		return Pin{Row: p.Row}
	case p.Last > n:
		return Pin{Row: p.Row, Last: n}
	}
	return p
}

// Default returns the state of a URL without parameters.
func Default() State {
	return State{
		Text:       DefaultText,
		Mechanisms: append([]string(nil), engine.Default[:]...),
		// The row maximum shows structure for any number of tokens. On an absolute scale, every weight of a
		// long text is small.
		Choice: exhibit.Choice{Head: exhibit.Auto, Norm: figure.PerRow},
		Theme:  Themes[0],
		Draw:   Draws[0],

		Compute: Fast,
	}
}

// defaultTextOf returns the default text of a mechanism's page.
func defaultTextOf(id string) string {
	if stack, _, err := encoder.Parse(id); err == nil && stack == encoder.EncoderDecoder.ID {
		return DefaultSource
	}
	return DefaultText
}

// PaperTheme returns the theme of a figure, which does not know the visitor's system.
func (s State) PaperTheme() figure.Theme {
	if s.Theme == figure.Dark.String() {
		return figure.Dark
	}
	return figure.Light
}

// Second returns the state of the second text alone; the state must have one.
func (s State) Second() State {
	s.Text, s.Other, s.Was, s.Pin = s.Other, "", nil, Pin{}
	return s
}

// Request returns the engine request for a state.
func (s State) Request() engine.Request {
	r := engine.Request{Text: s.Text, Mechanisms: s.Mechanisms, Mask: s.Mask, Task: s.Task, Cuts: s.Cuts}
	r.Method = s.Measurement()
	r.Method.Exact = s.Exact && s.Show == exhibit.Influence
	return r
}

// For returns the state in which the named maps are shown. Influence, rollout or a map of another
// method selects this method; other names select none.
func (s State) For(maps ...string) State {
	s.Show = exhibit.ShowOf(maps...)
	return s
}

// One returns the state of a page about the first of its models. Its default layer is the first.
func (s State) One() State {
	s.Mechanisms = s.Mechanisms[:1:1]
	s.Layer = max(s.Layer, 1)
	return s
}

// Plain returns the state without parameters that affect only the page: the sentence above the
// maps, an enlarged map, large type, arcs, and the fill-in page.
func (s State) Plain() State {
	s.Large, s.Present, s.Draw, s.Race = "", false, Draws[0], 0
	return s.Untold()
}

// Untold returns the state without the sentence of an example or of the tour.
func (s State) Untold() State {
	s.Example, s.Walk, s.From = "", 0, ""
	return s
}

// mostFrom is the most bytes of a URL that the tour carries along: more than any text that a model
// can read.
const mostFrom = 16 << 10

// WalkFrom returns a tour step that returns to another state, except for display settings, which a
// visitor can change on the way.
func (s State) WalkFrom(back State) State {
	usual := Default()
	back = back.Untold()
	back.Cmap, back.Theme, back.Present, back.Compact = usual.Cmap, usual.Theme, usual.Present, usual.Compact
	if s.From = Encode(back).Encode(); len(url.QueryEscape(s.From)) > mostFrom {
		s.From = ""
	}
	return s
}

// Back returns the state to which the tour returns, and reports whether its URL names mechanisms.
func (s State) Back(vocab *tokenizer.Vocabulary) (back State, named bool) {
	v, _ := ParseQuery(s.From)
	back, _ = Decode(v, vocab, "")
	back.Cmap, back.Theme, back.Present, back.Compact = s.Cmap, s.Theme, s.Present, s.Compact
	return back.Untold(), v.Has(Mechanisms)
}

// Unmasked returns the text with the known masked words restored.
func (s State) Unmasked(vocab *tokenizer.Vocabulary) string {
	if len(s.Hidden(vocab)) == 0 {
		return s.Text
	}
	tokens, _ := vocab.EncodePair(s.Text)
	list, _ := vocab.HiddenWords(tokens, s.Was)
	return tokenizer.Reveal(s.Text, tokens, list)
}
