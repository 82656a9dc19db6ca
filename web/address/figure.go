package address

import (
	"net/url"
	"slices"
	"strconv"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
)

// Keys that only figures and data have.
const (
	Map         = "map"         // names of maps
	Plane       = "plane"       // of a map that is a stack, from 1
	Scale       = "scale"       // pixels per cell
	DPI         = "dpi"         // dots per inch
	Bare        = "bare"        // cells only
	Transparent = "transparent" // no paper
	Preset      = "preset"      // the paper that a figure is made for
	Live        = "live"        // a page that computes
	Format      = "format"      // of the file, on the page of a figure to take along
)

// Figure is a request for one figure.
type Figure struct {
	State
	Map   string // empty: the mechanism's main map
	Plane int    // from 1; 0: the first
	Bare  bool   // cells only
	Live  bool   // a page that computes
	exhibit.Look
}

// figureKeys are those that a figure has besides its state's.
var figureKeys = []string{Map, Plane, Scale, DPI, Bare, Transparent, Preset, Live}

// Known says whether a request for a figure has a parameter of this name.
func Known(key string) bool { return slices.Contains(slices.Concat(figureKeys, Keys()), key) }

// Source is the address of an exhibit's figure as its file names it: with all that was chosen for it.
func (f Figure) Source(x *exhibit.Exhibit, extension string) string {
	extra := f.extra()
	extra.Set(Map, x.Name)
	if x.Plane > 0 {
		extra.Set(Plane, strconv.Itoa(x.Plane))
	}
	return f.export(x, extension, extra)
}

// StackSource is the address of the figure of a mechanism's map and the strips under it.
func (f Figure) StackSource(main *exhibit.Exhibit, extension string) string {
	return f.export(main, extension, f.extra())
}

// WallSource is the address of a file of all cards; shown are their maps.
func (f Figure) WallSource(shown []*exhibit.Exhibit, extension string) string {
	s := f.State
	for _, x := range shown {
		s = s.InHead(x)
	}
	return WallExport(s, extension, f.extra())
}

// ComparedSource is the address of a figure of a comparison.
func (f Figure) ComparedSource(c Comparison, extension string) string {
	extra := f.extra()
	if f.Map != "" {
		extra.Set(Map, f.Map)
	}
	return CompareFigure(c, extension, extra)
}

func (f Figure) export(x *exhibit.Exhibit, extension string, extra url.Values) string {
	s := f.State
	s.Layer = x.Layer.Number // 0: of the whole model
	if x.Part != "" {
		extra.Set(Text, s.Text)
	}
	return Export(s.InHead(x), x.Result.ID, extension, extra)
}

// extra are the parameters that concern the file alone.
func (f Figure) extra() url.Values {
	v := url.Values{}
	for key, value := range map[string]string{
		Scale: count(f.Scale), DPI: count(f.DPI), Preset: f.Preset.Name, Bare: flagged(f.Bare), Transparent: flagged(f.Transparent),
	} {
		if value != "" {
			v.Set(key, value)
		}
	}
	return v
}

// DecodeFigure reads a request for a figure of a mechanism.
func DecodeFigure(v url.Values, s State) (Figure, []ParamError) {
	f, bad := readFigure(v, s)
	if f.Map != "" {
		f.State = s.For(f.Map)
	}
	f.Arcs = figure.Arcs{On: s.Draw == Arcs && !f.Bare, Row: s.Pin.Row}
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
		State: s, Map: d.text(Map, ""), Plane: d.number(Plane), Bare: d.flag(Bare), Live: d.flag(Live),
		Look: exhibit.Look{
			Palette: s.Cmap, Theme: s.PaperTheme(),
			Scale: d.number(Scale), DPI: d.number(DPI), Transparent: d.flag(Transparent),
			Preset: figure.FindPreset(d.choice(Preset, figure.PresetNames(), "")),
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
