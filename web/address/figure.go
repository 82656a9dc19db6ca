package address

import (
	"net/url"
	"slices"

	"attnatlas/engine/exhibit"
)

// Keys that only figures and data have.
const (
	Map         = "map"         // names of maps
	Plane       = "plane"       // of a map that is a stack, from 1
	Scale       = "scale"       // pixels per cell
	DPI         = "dpi"         // dots per inch
	Bare        = "bare"        // cells only
	Transparent = "transparent" // no paper
)

// Figure is a request for one figure.
type Figure struct {
	State
	Map   string // empty: the mechanism's main map
	Plane int    // from 1; 0: the first
	Bare  bool   // cells only
	exhibit.Look
}

// figureKeys are those that a figure has besides its state's.
var figureKeys = []string{Map, Plane, Scale, DPI, Bare, Transparent}

// Known says whether a request for a figure has a parameter of this name.
func Known(key string) bool { return slices.Contains(slices.Concat(figureKeys, keys()), key) }

// DecodeFigure reads a request for a figure of a mechanism.
func DecodeFigure(v url.Values, s State) (Figure, []ParamError) {
	f, bad := readFigure(v, s)
	if f.Map != "" {
		f.State = s.For(f.Map)
	}
	return f, append(bad, Unknown(v, figureKeys...)...)
}

// DecodeComparedFigure reads a request for a figure of a comparison: of all its maps, or of one
// that is named: SideA, SideB or exhibit.DifferenceMap.
func DecodeComparedFigure(v url.Values, c Comparison) (Figure, []ParamError) {
	f, bad := readFigure(v, c.State)
	if of := []string{"", SideA, SideB, exhibit.DifferenceMap}; !slices.Contains(of, f.Map) {
		bad = append(bad, Invalid(Map, "param.choice", "key", Map, "value", quote(f.Map), "allowed", list(of[1:])))
	}
	return f, append(bad, UnknownOfComparison(v, figureKeys...)...)
}

func readFigure(v url.Values, s State) (Figure, []ParamError) {
	d := decoder{values: v}
	f := Figure{
		State: s, Map: d.text(Map, ""), Plane: d.number(Plane), Bare: d.flag(Bare),
		Look: exhibit.Look{
			Palette: s.Cmap, Theme: s.PaperTheme(),
			Scale: d.number(Scale), DPI: d.number(DPI), Transparent: d.flag(Transparent),
		},
	}
	return f, d.bad
}

// Keys that only drawings for the scripts have.
const (
	Of      = "of"     // ids of the mechanisms whose maps are wanted
	Numbers = "values" // whether the numbers are
)

// DecodeDrawing reads which mechanisms' maps are drawn, none named meaning all, and whether
// with their numbers.
func DecodeDrawing(v url.Values) (of []string, numbers bool, bad []ParamError) {
	d := decoder{values: v}
	return d.ids(Of, nil), d.choice(Numbers, []string{"1", "0"}, "1") == "1", d.bad
}

// Names reads the names of maps that data are asked for, each once.
func Names(v url.Values) []string {
	d := decoder{values: v}
	return d.names(Map)
}
