package figure

import (
	"cmp"
	"math"
)

// Preset is a paper that a figure is made for: its size, and how large the lettering on it is.
type Preset struct {
	Name          string
	Width, Height float64 // in pixels at 96 dots per inch; a height of 0 is what the figure needs
	Lettering     float64 // of the usual size
	DPI           int     // where none is asked for
	Least         float64 // size of the smallest letters, in points
	Point         float64 // size of a point, in pixels at 96 dots per inch
	Paper         bool    // it is printed: 0 is as white as the paper
}

// Sizes of paper, in pixels at 96 dots per inch.
const (
	centimetre = 96 / 2.54
	a1Width    = 59.4 * centimetre
	a1Height   = 84.1 * centimetre
	pageHeight = 24 * centimetre // of text on a page of a paper
)

// Sizes of a point, in pixels at 96 dots per inch: a slide of 1920 pixels is 13.33 inches wide.
const (
	paperPoint = 96. / 72
	slidePoint = 2
)

// smallestLetters is the size of the smallest lettering of the usual size: that of words beside small cells.
const smallestLetters = 9.5

// Presets are the papers that can be asked for.
var Presets = []Preset{
	{"slide", 1920, 1080, 24 / smallestLetters, 96, 12, slidePoint, false},
	{"half-slide", 940, 900, 24 / smallestLetters, 96, 12, slidePoint, false},
	{"column", 8.4 * centimetre, 0, 0.85, 300, 6, paperPoint, true},
	{"text", 17 * centimetre, 0, 0.9, 300, 6, paperPoint, true},
	{"square", 1080, 1080, 24 / smallestLetters, 96, 12, slidePoint, false},
	{"a1", a1Width, a1Height, 4, 150, 24, paperPoint, false},
}

// widthName is the name of presets of a width of one's own.
const widthName = "width"

// PresetOfWidth is a paper of a width in centimetres.
func PresetOfWidth(cm float64) Preset {
	return Preset{widthName, cm * centimetre, 0, 0.9, 300, 6, paperPoint, true}
}

// Named reports whether the preset is one of Presets.
func (p Preset) Named() bool { return p.is() && p.Name != widthName }

// WithType is the preset with letters of at least a size in points of paper.
func (p Preset) WithType(points float64) Preset {
	p.Least, p.Lettering = points, points*p.Point/smallestLetters
	return p
}

// PresetNames are the names of all presets.
func PresetNames() []string {
	names := make([]string, len(Presets))
	for i, p := range Presets {
		names[i] = p.Name
	}
	return names
}

// FindPreset is the preset of a name; of no name the zero Preset.
func FindPreset(name string) Preset {
	for _, p := range Presets {
		if p.Name == name {
			return p
		}
	}
	return Preset{}
}

// is says whether a preset is one.
func (p Preset) is() bool { return p.Name != "" }

// pixels are the sides of the paper at a resolution.
func (p Preset) pixels(dpi int) (width, height int) {
	at := func(side float64) int { return int(math.Round(side * float64(dpi) / baseDPI)) }
	return at(p.Width), at(p.Height)
}

// MostPixels is how many a figure on the paper has at most at a resolution, 0 for that of the preset.
func (p Preset) MostPixels(dpi int) int {
	if p.Height == 0 {
		p.Height = pageHeight
	}
	width, height := p.pixels(cmp.Or(dpi, p.DPI))
	return min(width*height, MaxPixels)
}

// resolved is a Spec whose resolution is that of its preset, if it has none of its own.
func (s Spec) resolved() Spec {
	if s.Preset.is() && s.DPI == 0 {
		s.DPI = s.Preset.DPI
	}
	return s
}

// factor is how much larger than at 96 dots per inch lettering is.
func (s *Spec) factor() float64 {
	if s.Preset.is() {
		return s.lettering * float64(s.DPI) / baseDPI
	}
	return factorOf(s.DPI)
}

// unit is how many pixels at 96 dots per inch a pixel of the figure is.
func (s *Spec) unit() float64 {
	if s.Preset.is() {
		return baseDPI / float64(s.DPI)
	}
	return 1 / factorOf(s.DPI)
}
