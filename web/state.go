package web

import (
	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
)

// The keys of the URL. They are part of every link that somebody has kept:
// they may be added to, but not renamed.
const (
	keyText  = "text"
	keyMech  = "m"
	keyLayer = "layer"
	keyHead  = "head"
	keyNorm  = "norm"
	keyCmap  = "cmap"
	keyMask  = "mask"
	keyShow  = "show"
	keyTheme = "theme"
	keyPin   = "pin"
)

// Keys that only some routes have.
const (
	keyMap         = "map"         // names of maps
	keyPlane       = "plane"       // of a map that is a stack, from 1
	keyScale       = "scale"       // pixels per cell
	keyDPI         = "dpi"         // dots per inch
	keyBare        = "bare"        // cells only
	keyTransparent = "transparent" // no paper
)

// DefaultText is the worked example that a visitor without a text sees. The
// word "it" has two candidates, and two words occur twice.
const DefaultText = "The cat sat on the mat because it was tired, and the dog saw it."

// MeanHead is the State.Head that means the mean over all heads.
const MeanHead = 0

// themes are what the page offers; the first one follows the visitor's system.
var themes = []string{"auto", "light", "dark"}

// State is the complete state of a page: what the URL says, with the defaults
// filled in. Two equal states have the same URL, and the reverse.
type State struct {
	Text       string
	Mechanisms []string // ids, without repetition; may name unknown ones
	Layer      int      // from 1; 0: not chosen, the page takes the first
	Head       int      // from 1, or MeanHead
	Norm       figure.Norm
	Cmap       figure.Palette
	Mask       nn.MaskKind
	Show       Show
	Theme      string // one of auto, light, dark
	Pin        Pin
	// Was are the words behind the masks of the text, in their order; an empty one is
	// that of one mask, and not known. Nil: none is.
	Was []string
}

// Pin is a cell that stays in the read-out. Row and column count from 1; the
// zero Pin is none.
type Pin struct{ Row, Col int }

// DefaultState is the state of a URL without parameters.
func DefaultState() State {
	return State{
		Text:       DefaultText,
		Mechanisms: append([]string(nil), engine.Default[:]...),
		// Per row shows structure whatever the number of tokens: in a long text
		// every weight is small on an absolute scale.
		Norm:  figure.PerRow,
		Theme: themes[0],
	}
}
