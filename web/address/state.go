package address

import (
	"fmt"
	"net/url"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// DefaultText is the worked example that a visitor without a text sees. The
// word "it" has two candidates, and two words occur twice.
const DefaultText = "The cat sat on the mat because it was tired, and the dog saw it."

// DefaultSource is what the encoder–decoder rewrites for a visitor without a text.
const DefaultSource = "The old woman gave the boy a small red apple."

// Themes are what the page offers; the first one follows the visitor's system.
var Themes = []string{"auto", "light", "dark"}

// Draws are the ways to draw a map of words and words: all of it, or one row as arcs.
var Draws = []string{"maps", Arcs}

// Arcs is the Draw of one row as arcs.
const Arcs = "arcs"

// Fast and Portable are how numbers are computed: with the vector instructions of the processor at hand, or so that
// they have the same bits everywhere. Which it is, a program is told when it starts.
const Fast, Portable = "fast", "portable"

// State is the complete state of a page: what the URL says, with the defaults
// filled in.
type State struct {
	Text       string
	Other      string   // a second text, which every map is compared for; empty: there is none
	Mechanisms []string // ids, without repetition; may name unknown ones
	exhibit.Choice
	Cmap  figure.Palette
	Mask  nn.MaskKind
	Task  string // of an encoder–decoder; empty: its first
	Theme string // one of Themes
	Draw  string // one of Draws
	Pin   Pin
	// Was are the words behind the masks of the text, in their order; an empty one is
	// that of one mask, and not known. Nil: none is.
	Was []string
	// After is how many steps of its training a model had taken, in digits, when its maps
	// were recorded; empty: it is the finished model.
	After string
	Step  int // of a text that is written, from 1; 0: the first
	// Example is the id of the example whose sentence stands above the maps, and Walk the
	// number, from 1, of the step of the guided walk; the state may differ from theirs.
	Example string
	Walk    int
	From    string // the query of the wall that the walk leads back to; empty: the usual one
	// Large is the mechanism whose map is enlarged; empty: none is.
	Large   string
	Present bool        // large type, for a projector
	Compact bool        // of every card the map and the name alone
	Race    int         // the hidden word, from 1, that all models guess on a board; EveryWord: each in its turn; 0: none
	Exact   bool        // influence is measured in all directions, also where some would do
	Cuts    engine.Cuts // what is left out of the forward passes
	Compute string      // Portable: numbers are to have the same bits everywhere; else Fast
}

// Pin is what stays in the read-out: a cell, or of Col 0 a row, or where Last is not 0 the rows from Row to Last.
// Rows and columns count from 1; the zero Pin is none.
type Pin struct{ Row, Col, Last int }

// String is the value of "pin" in URLs: "4.7", of a row "4", of rows "4-7".
func (p Pin) String() string {
	switch {
	case p.Last > 0:
		return fmt.Sprintf("%d-%d", p.Row, p.Last)
	case p.Col == 0:
		return count(p.Row)
	}
	return fmt.Sprintf("%d.%d", p.Row, p.Col)
}

// Within is what is left of a pin in a text of n tokens: of a cell without its column the
// row, of a row that is not there nothing.
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

// Default is the state of a URL without parameters.
func Default() State {
	return State{
		Text:       DefaultText,
		Mechanisms: append([]string(nil), engine.Default[:]...),
		// Per row shows structure whatever the number of tokens: in a long text
		// every weight is small on an absolute scale.
		Choice: exhibit.Choice{Head: exhibit.Auto, Norm: figure.PerRow},
		Theme:  Themes[0],
		Draw:   Draws[0],

		Compute: Fast,
	}
}

// defaultTextOf is the text of a mechanism's page whose URL has none.
func defaultTextOf(id string) string {
	if stack, _, err := encoder.Parse(id); err == nil && stack == encoder.EncoderDecoder.ID {
		return DefaultSource
	}
	return DefaultText
}

// PaperTheme is the theme of a figure, which does not know the visitor's system.
func (s State) PaperTheme() figure.Theme {
	if s.Theme == figure.Dark.String() {
		return figure.Dark
	}
	return figure.Light
}

// Second is the state of the second text alone, of which there has to be one.
func (s State) Second() State {
	s.Text, s.Other, s.Was, s.Pin = s.Other, "", nil, Pin{}
	return s
}

// Request is what the engine is asked for a state.
func (s State) Request() engine.Request {
	r := engine.Request{Text: s.Text, Mechanisms: s.Mechanisms, Mask: s.Mask, Task: s.Task, Cuts: s.Cuts}
	r.Method = s.Measurement()
	r.Method.Exact = s.Exact && s.Show == exhibit.Influence
	return r
}

// For is the state in which maps of these names are shown: naming influence, rollout or a map of an
// attribution method asks for it, and naming only others leaves nothing to measure.
func (s State) For(maps ...string) State {
	s.Show = exhibit.ShowOf(maps...)
	return s
}

// One is the state of a page about the first of its models: in the first layer, where none is named.
func (s State) One() State {
	s.Mechanisms = s.Mechanisms[:1:1]
	s.Layer = max(s.Layer, 1)
	return s
}

// Plain is the state without what concerns the page and not its maps: a sentence above them, one
// of them enlarged, large type, a board of guesses.
func (s State) Plain() State {
	s.Large, s.Present, s.Draw, s.Race = "", false, Draws[0], 0
	return s.Untold()
}

// Untold is the state without a sentence of an example or of the walk above it.
func (s State) Untold() State {
	s.Example, s.Walk, s.From = "", 0, ""
	return s
}

// mostFrom bounds what a walk carries, in bytes of an address: more than any text has that a model reads.
const mostFrom = 16 << 10

// WalkFrom is a step of the walk that leads back to another state, but for how the page looks, which a visitor may
// change on the way.
func (s State) WalkFrom(back State) State {
	usual := Default()
	back = back.Untold()
	back.Cmap, back.Theme, back.Present, back.Compact = usual.Cmap, usual.Theme, usual.Present, usual.Compact
	if s.From = Encode(back).Encode(); len(url.QueryEscape(s.From)) > mostFrom {
		s.From = ""
	}
	return s
}

// Back is the state that the walk leads back to, and whether its address names mechanisms.
func (s State) Back(vocab *tokenizer.Vocabulary) (back State, named bool) {
	v, _ := ParseQuery(s.From)
	back, _ = Decode(v, vocab, "")
	back.Cmap, back.Theme, back.Present, back.Compact = s.Cmap, s.Theme, s.Present, s.Compact
	return back.Untold(), v.Has(Mechanisms)
}

// Unmasked is the text with the words that its masks are known to hide.
func (s State) Unmasked(vocab *tokenizer.Vocabulary) string {
	if len(s.Hidden(vocab)) == 0 {
		return s.Text
	}
	tokens, _ := vocab.EncodePair(s.Text)
	list, _ := vocab.HiddenWords(tokens, s.Was)
	return tokenizer.Reveal(s.Text, tokens, list)
}
