package figure

import (
	"cmp"
	"math"
)

// Preset is the paper of a figure with its size and the size of its lettering.
type Preset struct {
	Name          string
	Width, Height float64 // in pixels at 96 dots per inch; a height of 0 adapts to the figure
	Lettering     float64 // factor on the default size
	DPI           int     // default resolution
	Least         float64 // size of the smallest letters, in points
	Point         float64 // size of a point, in pixels at 96 dots per inch
	Paper         bool    // for print: 0 is as white as the paper
}

// Paper sizes, in pixels at 96 dots per inch.
const (
	centimetre = 96 / 2.54
	a1Width    = 59.4 * centimetre
	a1Height   = 84.1 * centimetre
	pageHeight = 24 * centimetre // text height of a journal page
)

// Sizes of a point, in pixels at 96 dots per inch: a slide of 1920 pixels is 13.33 inches wide.
const (
	paperPoint = 96. / 72
	slidePoint = 2
)

// smallestLetters is the smallest default lettering, in pixels: labels of small cells.
const smallestLetters = 9.5

// Presets lists the named papers.
var Presets = []Preset{
	{"slide", 1920, 1080, 24 / smallestLetters, 96, 12, slidePoint, false},
	{"half-slide", 940, 900, 24 / smallestLetters, 96, 12, slidePoint, false},
	{"column", 8.4 * centimetre, 0, 0.85, 300, 6, paperPoint, true},
	{"text", 17 * centimetre, 0, 0.9, 300, 6, paperPoint, true},
	{"square", 1080, 1080, 24 / smallestLetters, 96, 12, slidePoint, false},
	{"a1", a1Width, a1Height, 4, 150, 24, paperPoint, false},
}

// widthName is the name of presets with a width given in centimetres.
const widthName = "width"

// PresetOfWidth returns paper of the given width in centimetres.
func PresetOfWidth(cm float64) Preset {
	return Preset{widthName, cm * centimetre, 0, 0.9, 300, 6, paperPoint, true}
}

// Named reports whether the preset is one of Presets.
func (p Preset) Named() bool { return p.is() && p.Name != widthName }

// WithType returns the preset with letters of at least this size, in points of its paper.
func (p Preset) WithType(points float64) Preset {
	p.Least, p.Lettering = points, points*p.Point/smallestLetters
	return p
}

// PresetNames returns the names of all presets.
func PresetNames() []string {
	names := make([]string, len(Presets))
	for i, p := range Presets {
		names[i] = p.Name
	}
	return names
}

// FindPreset returns the preset with the given name, or the zero Preset.
func FindPreset(name string) Preset {
	for _, p := range Presets {
		if p.Name == name {
			return p
		}
	}
	return Preset{}
}

// is reports whether the preset is not zero.
func (p Preset) is() bool { return p.Name != "" }

// pixels returns the sides of the paper in pixels at a resolution.
func (p Preset) pixels(dpi int) (width, height int) {
	at := func(side float64) int { return int(math.Round(side * float64(dpi) / baseDPI)) }
	return at(p.Width), at(p.Height)
}

// MostPixels returns the most pixels of a figure on the paper at a resolution; 0 means the preset's
// resolution.
func (p Preset) MostPixels(dpi int) int {
	if p.Height == 0 {
		p.Height = pageHeight
	}
	width, height := p.pixels(cmp.Or(dpi, p.DPI))
	return min(width*height, MaxPixels)
}

// resolved returns the Spec with the resolution of its preset, unless it has its own.
func (s Spec) resolved() Spec {
	if s.Preset.is() && s.DPI == 0 {
		s.DPI = s.Preset.DPI
	}
	return s
}

// factor returns the size of lettering relative to 96 dots per inch.
func (s *Spec) factor() float64 {
	if s.Preset.is() {
		return s.lettering * float64(s.DPI) / baseDPI
	}
	return factorOf(s.DPI)
}

// unit returns the number of pixels at 96 dots per inch that one pixel of the figure represents.
func (s *Spec) unit() float64 {
	if s.Preset.is() {
		return baseDPI / float64(s.DPI)
	}
	return 1 / factorOf(s.DPI)
}
