package figure

import (
	"image/color"
)

// Table is a colour table: 256 colours as red, green, blue, from the lowest value to the highest.
// The browser's canvas uses these bytes.
type Table [256][3]uint8

// Theme is the background of a figure: light or dark.
type Theme uint8

// The themes. The zero value is Light, which also suits print.
const (
	Light Theme = iota
	Dark
)

var themeNames = []string{"light", "dark"}

// String returns the name of the theme, as in URLs.
func (t Theme) String() string { return themeNames[t] }

// MarshalText returns the name of the theme.
func (t Theme) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Palette is a sequential colour map that a reader can choose.
type Palette uint8

// The palettes. The zero value is Cividis.
const (
	Cividis Palette = iota // blue to yellow, made for colour-vision deficiency
	Viridis
	Magma
	Greys // from paper to ink, without hue
	Ink   // from paper to dark blue
)

var paletteNames = []string{"cividis", "viridis", "magma", "greys", "ink"}

// Palettes returns the palettes in the order of a page's list.
func Palettes() []Palette { return []Palette{Cividis, Viridis, Magma, Greys, Ink} }

// String returns the name of the palette, as in URLs.
func (p Palette) String() string { return paletteNames[p] }

// MarshalText returns the name of the palette.
func (p Palette) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Table returns the palette's table in a theme. Greys and Ink begin at the colour of the theme's
// paper, so that low weights recede.
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

// Diverging returns the table for signed data and for the uniform normalisation, for every palette:
// blue below the neutral middle, red above.
func Diverging(t Theme) *Table {
	if t == Dark {
		return &divergingDarkTable
	}
	return &divergingTable
}

// Categorical returns the table for class numbers: eight hues, 32 entries each.
func Categorical() *Table { return &categoryTable }

// Colours are a theme's colours apart from the table.
type Colours struct {
	Paper color.RGBA // background
	Text  color.RGBA // title, labels, axes
	Muted color.RGBA // subtitle, position ruler
	Hatch color.RGBA // lines over empty cells
	Bad   color.RGBA // cells that are NaN or infinite
	Cross color.RGBA // the ✕ on Bad cells

	Reads, IsRead color.RGBA // rows and columns; in arcs, positive and negative amounts
}

// Colours returns the theme's colours.
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
