package address

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

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
	Title       = "title"       // 0: without title and subtitle
	InCells     = "numbers"     // the values in the cells
	Width       = "width"       // of the paper, in centimetres
	Type        = "type"        // size of the smallest letters, in points
	Live        = "live"        // a page that computes
	Format      = "format"      // of the file, on the page of a figure to take along
)

// FigureRequest is a request for one figure.
type FigureRequest struct {
	State
	Map   string  // empty: the mechanism's main map
	Plane int     // from 1; 0: the first
	Bare  bool    // cells only
	Live  bool    // a page that computes
	Width float64 // of the paper, in centimetres; 0: that of the preset
	Type  float64 // size of the smallest letters, in points; 0: that of the preset
	exhibit.Appearance
}

// FigureTable has the parameters of a figure besides its state's.
var FigureTable = ParamTable[FigureRequest]{
	String(Map, func(f *FigureRequest) *string { return &f.Map }),
	Number(Plane, func(f *FigureRequest) *int { return &f.Plane }),
	Number(Scale, func(f *FigureRequest) *int { return &f.Scale }),
	Number(DPI, func(f *FigureRequest) *int { return &f.DPI }),
	Flag(Bare, func(f *FigureRequest) *bool { return &f.Bare }),
	Flag(Transparent, func(f *FigureRequest) *bool { return &f.Transparent }),
	preset,
	shown(Title, func(f *FigureRequest) *bool { return &f.Untitled }),
	Flag(InCells, func(f *FigureRequest) *bool { return &f.Numbers }),
	width,
	letters,
	Flag(Live, func(f *FigureRequest) *bool { return &f.Live }),
}

// preset is the parameter of the paper that a figure is made for.
var preset = func() Param[FigureRequest] {
	p := Custom(Preset, func(d *Decoder, f *FigureRequest) {
		f.Preset = figure.FindPreset(d.choice(Preset, figure.PresetNames(), ""))
	},
		func(f FigureRequest) string {
			if f.Preset.Named() {
				return f.Preset.Name
			}
			return ""
		})
	p.Values = figure.PresetNames()
	return p
}()

// shown is the parameter of what 0 leaves out of a figure.
func shown(key string, without func(*FigureRequest) *bool) Param[FigureRequest] {
	p := Custom(key, func(d *Decoder, f *FigureRequest) { *without(f) = d.choice(key, []string{"1", "0"}, "1") == "0" },
		func(f FigureRequest) string {
			if *without(&f) {
				return "0"
			}
			return ""
		})
	p.Values = []string{"1", "0"}
	return p
}

// Bounds of the width of a paper in centimetres, and of the size of letters in points.
const (
	leastWidth, mostWidth = 4, 120
	leastType, mostType   = 4, 72
)

// width is the parameter of a paper of a width of one's own, instead of a preset.
var width = Custom(Width, func(d *Decoder, f *FigureRequest) {
	if f.Width = d.measure(Width, leastWidth, mostWidth); f.Width == 0 {
		return
	}
	if f.Preset.Named() {
		d.Fail(Width, "param.width-preset", "preset", f.Preset.Name)
	}
	f.Preset = figure.PresetOfWidth(f.Width)
}, func(f FigureRequest) string { return share(f.Width) })

// letters is the parameter of the size of the smallest letters. It needs a paper.
var letters = Custom(Type, func(d *Decoder, f *FigureRequest) {
	if f.Type = d.measure(Type, leastType, mostType); f.Type == 0 {
		return
	}
	if f.Preset.Name == "" {
		d.Fail(Type, "param.type-paper")
	}
	f.Preset = f.Preset.WithType(f.Type)
}, func(f FigureRequest) string { return share(f.Type) })

// measure is a size between two others; 0 where there is none.
func (d *Decoder) measure(key string, least, most float64) float64 {
	value, ok := d.Get(key)
	if !ok || value == "" {
		return 0
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= least && v <= most) || share(v) != value {
		d.Fail(key, "param.measure", "value", quote(value), "least", least, "most", most)
		return 0
	}
	return v
}

// Known says whether a request for a figure has a parameter of this name.
func Known(key string) bool { return FigureTable.has(key) || slices.Contains(Keys(), key) }

// Source is the address of an exhibit's figure as its file names it: with all that was chosen for it.
func (f FigureRequest) Source(x *exhibit.Exhibit, extension string) string {
	extra := f.extra()
	extra.Set(Map, x.Name)
	if x.Plane > 0 {
		extra.Set(Plane, strconv.Itoa(x.Plane))
	}
	return f.export(x, extension, extra)
}

// StackSource is the address of the figure of a mechanism's map and the strips under it.
func (f FigureRequest) StackSource(main *exhibit.Exhibit, extension string) string {
	return f.export(main, extension, f.extra())
}

// SheetSource is the address of a figure of all heads of a layer, or of all layers; first is the first of their maps.
func (f FigureRequest) SheetSource(first *exhibit.Exhibit, sheet, extension string) string {
	extra := f.extra()
	extra.Set(Map, sheet)
	return f.export(first, extension, extra)
}

// WallSource is the address of a file of all cards.
func (f FigureRequest) WallSource(extension string) string {
	return WallExport(f.State, extension, f.extra())
}

// ComparedSource is the address of a figure of a comparison.
func (f FigureRequest) ComparedSource(c Comparison, extension string) string {
	extra := f.extra()
	if f.Map != "" {
		extra.Set(Map, f.Map)
	}
	return CompareFigure(c, extension, extra)
}

func (f FigureRequest) export(x *exhibit.Exhibit, extension string, extra url.Values) string {
	s := f.State
	s.Layer = x.Layer.Number // 0: of the whole model
	if x.Part != "" {
		extra.Set(Text, s.Text)
	}
	return Export(s, x.Result.ID, extension, extra)
}

// extra are the parameters that concern the file alone.
func (f FigureRequest) extra() url.Values {
	f.Map, f.Plane, f.Live = "", 0, false
	v := FigureTable.Encode(f, FigureRequest{})
	if f.Preset.Paper && f.Palette == Default().Cmap { // which is not the usual one of papers
		v.Set(Cmap, f.Palette.String())
	}
	return v
}

// DecodeFigure reads a request for a figure of a mechanism.
func DecodeFigure(v url.Values, s State) (FigureRequest, []ParamError) {
	f, bad := readFigure(v, s)
	if f.Map != "" {
		f.State = s.For(f.Map)
	}
	f.Arcs = figure.Arcs{On: s.Draw == Arcs && !f.Bare, Row: s.Pin.Row}
	return f, append(bad, unknown(v, FigureTable.keys(), FigureTable.has)...)
}

// DecodeComparedFigure reads a request for a figure of a comparison: of all its maps, or of one
// that is named: SideA, SideB or exhibit.DifferenceMap.
func DecodeComparedFigure(v url.Values, c Comparison) (FigureRequest, []ParamError) {
	f, bad := readFigure(v, c.State)
	if of := []string{"", SideA, SideB, exhibit.DifferenceMap}; !slices.Contains(of, f.Map) {
		bad = append(bad, Invalid(Map, "param.choice", "key", Map, "value", quote(f.Map), "allowed", list(of[1:])))
	}
	return f, append(bad, UnknownOfComparison(v, FigureTable.keys()...)...)
}

func readFigure(v url.Values, s State) (FigureRequest, []ParamError) {
	f, bad := FigureTable.Decode(v)
	f.State, f.Palette, f.Appearance.Theme = s, s.Cmap, s.PaperTheme()
	if f.Preset.Paper && !v.Has(Cmap) {
		f.Palette = figure.Ink
	}
	return f, bad
}

// Keys that only drawings for the scripts have.
const (
	Of      = "of"     // ids of the mechanisms whose maps are wanted
	Numbers = "values" // whether the numbers are
)

// Drawn is which maps are sent to the scripts.
type Drawn struct {
	Of      []string // the mechanisms whose maps are wanted; none: all
	Without bool     // the numbers
}

// DrawnTable has the parameters of drawings.
var DrawnTable = ParamTable[Drawn]{
	Custom(Of, func(d *Decoder, to *Drawn) { to.Of = d.ids(Of, nil) },
		func(t Drawn) string { return strings.Join(t.Of, ",") }),
	Custom(Numbers, func(d *Decoder, to *Drawn) { to.Without = d.choice(Numbers, []string{"1", "0"}, "1") == "0" },
		func(t Drawn) string { return flagged(!t.Without) }),
}

// NamesTable has the parameter of the maps that numbers are asked for, each once.
var NamesTable = ParamTable[[]string]{List(Map, func(names *[]string) *[]string { return names })}

// Names reads it.
func Names(v url.Values) []string {
	names, _ := NamesTable.Decode(v)
	return names
}
