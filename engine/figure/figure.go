package figure

import (
	"errors"
	"fmt"

	"attnatlas/engine/trace"
)

// ErrInvalid marks errors that the request caused; their text is a sentence
// that can be shown to a reader.
var ErrInvalid = errors.New("figure cannot be drawn")

// MaxPixels bounds the area of an image, and so the memory that one request
// can ask for (four bytes per pixel).
const MaxPixels = 24_000_000

// Spec describes a figure.
type Spec struct {
	Title    string // the mechanism's name
	Subtitle string // layer, head, normalisation, the text's beginning; wrapped

	// Map has one or two axes; LayoutOf says how it is drawn.
	Map trace.Map
	// By are classes of tokens, where the values of Map are tokens (Order): each
	// cell has the colour of its token's class in the same row.
	By *trace.Map
	// Words are the tokens that the values of an Order are: they are written into
	// its cells.
	Words []string
	// RowLabels and ColLabels name the positions; nil means the labels of the
	// map's axes, and without those the numbers from 0.
	RowLabels, ColLabels []string
	// RowTitle, ColTitle and Noun are what the axes and the legend say instead of
	// "reads ↓", "is read →" and the map's kind; empty: those.
	RowTitle, ColTitle, Noun string
	// Computed says which cells exist, for instance because they lie within the
	// trained length; nil means all.
	Computed func(row, col int) bool

	// Between a row or column and the one before it, from 1, a line parts two texts; 0: none.
	RowSeam, ColSeam int

	Norm      Norm
	SharedMax float64 // for Shared: the value at the end of the scale
	Palette   Palette
	Theme     Theme

	Scale       int  // pixels per cell; 0 chooses by size
	DPI         int  // recorded in the file; lettering grows with it; 0 means 96
	Transparent bool // leave the paper out
	Meta        []Meta
}

// Meta is one statement about a figure's origin that its file carries: as
// tEXt, or as iTXt when the value has characters beyond Latin-1.
type Meta struct{ Key, Value string }

// checkSize refuses sizes that are absurd or too large to hold.
func checkSize(width, height int) error {
	if width <= 0 || height <= 0 || width > MaxPixels/height {
		return fmt.Errorf("%w: %d × %d pixels is more than the %d million that one image may have; choose a smaller scale",
			ErrInvalid, width, height, MaxPixels/1_000_000)
	}
	return nil
}

// checkScale refuses a scale that is no sensible cell size.
func checkScale(scale int) error {
	if scale < 0 || scale > 512 {
		return fmt.Errorf("%w: a scale of %d pixels per cell was asked for; it can be 1 to 512", ErrInvalid, scale)
	}
	return nil
}

// checkDPI refuses a resolution that is none.
func checkDPI(dpi int) error {
	if dpi < 0 || dpi != 0 && dpi < 36 || dpi > 1200 {
		return fmt.Errorf("%w: a resolution of %d dots per inch was asked for; it can be 36 to 1200", ErrInvalid, dpi)
	}
	return nil
}
