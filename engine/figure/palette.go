package figure

import (
	"image/color"
)

// Table is a colour scale: 256 colours as red, green, blue, from the lowest
// value to the highest. The browser's canvas uses these very bytes.
type Table [256][3]uint8

// Theme is the ground a figure stands on.
type Theme uint8

// The themes. The zero value is Light, which is also the one for print.
const (
	Light Theme = iota
	Dark
)

var themeNames = []string{"light", "dark"}

// String returns the name of the theme, as in addresses.
func (t Theme) String() string { return themeNames[t] }

// MarshalText gives the theme's name.
func (t Theme) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Palette is a sequential colour scale that a reader may choose.
type Palette uint8

// The palettes. The zero value is Cividis.
const (
	Cividis Palette = iota // blue to yellow, made for colour-vision deficiency
	Viridis
	Magma
	Greys // paper to ink, without hue
	Ink   // paper to dark blue
)

var paletteNames = []string{"cividis", "viridis", "magma", "greys", "ink"}

// Palettes lists the palettes in the order in which a page offers them.
func Palettes() []Palette { return []Palette{Cividis, Viridis, Magma, Greys, Ink} }

// String returns the name of the colour map, as in addresses.
func (p Palette) String() string { return paletteNames[p] }

// MarshalText gives the palette's name.
func (p Palette) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Table is the palette's table in a theme: Greys and Ink begin at the colour
// of the paper in both, so low weights recede.
func (p Palette) Table(t Theme) *Table {
	switch {
	case p == Viridis:
		return &viridisTable
	case p == Magma:
		return &magmaTable
	case p == Greys && t == Dark:
		return &greysDarkTable
	case p == Greys:
		return &greysTable
	case p == Ink && t == Dark:
		return &inkDarkTable
	case p == Ink:
		return &inkTable
	}
	return &cividisTable
}

// Diverging is the table for signed data and for the uniform normalisation,
// whatever the palette: blue below the neutral middle, red above.
func Diverging(t Theme) *Table {
	if t == Dark {
		return &divergingDarkTable
	}
	return &divergingTable
}

// Categorical is the table for class numbers: eight hues, 32 entries each.
func Categorical() *Table { return &categoryTable }

// Colours are a theme's colours beside the table.
type Colours struct {
	Paper color.RGBA // ground
	Text  color.RGBA // title, labels, axes
	Muted color.RGBA // subtitle, position ruler
	Hatch color.RGBA // lines over cells that hold nothing
	Bad   color.RGBA // cells that are NaN or infinite
	Cross color.RGBA // the ✕ on them

	Reads, IsRead color.RGBA // who reads, and what is read; of arcs, amounts and what is below 0
}

// Colours are the theme's colours.
func (t Theme) Colours() Colours {
	bad, cross := rgb(0xd0, 0x00, 0xb0), rgb(0xff, 0xff, 0xff)
	if t == Dark {
		return Colours{
			Paper: rgb(0x14, 0x17, 0x1c), Text: rgb(0xec, 0xee, 0xf1), Muted: rgb(0xa9, 0xaf, 0xb8),
			Hatch: rgb(0x5b, 0x62, 0x6d), Bad: bad, Cross: cross,
			Reads: rgb(0x86, 0xbc, 0xf7), IsRead: rgb(0xf4, 0xa1, 0x84),
		}
	}
	return Colours{
		Paper: rgb(0xff, 0xff, 0xff), Text: rgb(0x16, 0x18, 0x1d), Muted: rgb(0x5a, 0x60, 0x6a),
		Hatch: rgb(0xa8, 0xae, 0xb8), Bad: bad, Cross: cross,
		Reads: rgb(0x14, 0x59, 0x9d), IsRead: rgb(0xa0, 0x33, 0x18),
	}
}

func rgb(r, g, b uint8) color.RGBA { return color.RGBA{R: r, G: g, B: b, A: 0xff} }
