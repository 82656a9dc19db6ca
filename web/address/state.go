package address

import (
	"fmt"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
)

// DefaultText is the worked example that a visitor without a text sees. The
// word "it" has two candidates, and two words occur twice.
const DefaultText = "The cat sat on the mat because it was tired, and the dog saw it."

// DefaultSource is what the encoder–decoder rewrites for a visitor without a text.
const DefaultSource = "The old woman gave the boy a small red apple."

// Themes are what the page offers; the first one follows the visitor's system.
var Themes = []string{"auto", "light", "dark"}

// State is the complete state of a page: what the URL says, with the defaults
// filled in.
type State struct {
	Text       string
	Mechanisms []string // ids, without repetition; may name unknown ones
	exhibit.Choice
	Cmap  figure.Palette
	Mask  nn.MaskKind
	Theme string // one of Themes
	Pin   Pin
	// Was are the words behind the masks of the text, in their order; an empty one is
	// that of one mask, and not known. Nil: none is.
	Was []string
	// After is how many steps of its training a model had taken, in digits, when its maps
	// were recorded; empty: it is the finished model.
	After string
	Step  int // of a text that is written, from 1; 0: the first
}

// Pin is a cell that stays in the read-out. Row and column count from 1; the
// zero Pin is none.
type Pin struct{ Row, Col int }

// String is the value of "pin" in URLs.
func (p Pin) String() string { return fmt.Sprintf("%d.%d", p.Row, p.Col) }

// Default is the state of a URL without parameters.
func Default() State {
	return State{
		Text:       DefaultText,
		Mechanisms: append([]string(nil), engine.Default[:]...),
		// Per row shows structure whatever the number of tokens: in a long text
		// every weight is small on an absolute scale.
		Choice: exhibit.Choice{Norm: figure.PerRow},
		Theme:  Themes[0],
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

// Request is what the engine is asked for a state.
func (s State) Request() engine.Request {
	return engine.Request{
		Text: s.Text, Mechanisms: s.Mechanisms, Mask: s.Mask, Influence: s.InfluenceLayer(), Rollout: s.Show == exhibit.Rollout,
	}
}

// For is the state in which maps of these names are shown: naming influence or rollout
// asks for it, and naming only others leaves nothing to measure.
func (s State) For(maps ...string) State {
	s.Show = exhibit.ShowOf(maps...)
	return s
}
