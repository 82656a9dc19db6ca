package address

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
)

// Keys for figures and data only.
const (
	Map         = "map"         // names of maps
	Plane       = "plane"       // plane of a stack, from 1
	Scale       = "scale"       // pixels per cell
	DPI         = "dpi"         // dots per inch
	Bare        = "bare"        // cells only
	Transparent = "transparent" // no paper
	Preset      = "preset"      // paper of the figure
	Title       = "title"       // 0: no title and subtitle
	InCells     = "numbers"     // values in the cells
	Width       = "width"       // width of the paper, in centimetres
	Type        = "type"        // size of the smallest letters, in points
	Live        = "live"        // self-contained HTML file that computes
	Format      = "format"      // file format on the export page
)

// FigureRequest is a request for one figure.
type FigureRequest struct {
	State
	Map   string  // empty: the mechanism's main map
	Plane int     // from 1; 0: the first
	Bare  bool    // cells only
	Live  bool    // self-contained HTML file that computes
	Width float64 // of the paper, in centimetres; 0: preset
	Type  float64 // size of the smallest letters, in points; 0: preset
	exhibit.Appearance
}

// FigureTable is the table of a figure's parameters that its state does not have.
var FigureTable = slices.Concat(ParamTable[FigureRequest]{
	String(Map, func(f *FigureRequest) *string { return &f.Map }),
	Number(Plane, func(f *FigureRequest) *int { return &f.Plane }),
}, LookTable, ParamTable[FigureRequest]{Flag(Live, func(f *FigureRequest) *bool { return &f.Live })})

// LookTable is the part of FigureTable that does not choose a map.
var LookTable = ParamTable[FigureRequest]{
	Number(Scale, func(f *FigureRequest) *int { return &f.Scale }),
	Number(DPI, func(f *FigureRequest) *int { return &f.DPI }),
	Flag(Bare, func(f *FigureRequest) *bool { return &f.Bare }),
	Flag(Transparent, func(f *FigureRequest) *bool { return &f.Transparent }),
	preset,
	shown(Title, func(f *FigureRequest) *bool { return &f.Untitled }),
	Flag(InCells, func(f *FigureRequest) *bool { return &f.Numbers }),
	width,
	letters,
}

// preset is the parameter for the paper of a figure.
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

// shown is a parameter that leaves something out of a figure if it is 0.
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

// Limits of the width of paper in centimetres, and of the size of letters in points.
const (
	LeastWidth, MostWidth = 4, 120
	LeastType, MostType   = 4, 72
)

// width is the parameter for paper of a custom width, instead of a preset.
var width = Custom(Width, func(d *Decoder, f *FigureRequest) {
	if f.Width = d.measure(Width, LeastWidth, MostWidth); f.Width == 0 {
		return
	}
	if f.Preset.Named() {
		d.Fail(Width, "param.width-preset", "preset", f.Preset.Name)
	}
	f.Preset = figure.PresetOfWidth(f.Width)
}, func(f FigureRequest) string { return share(f.Width) })

// letters is the parameter for the size of the smallest letters. It requires a paper.
var letters = Custom(Type, func(d *Decoder, f *FigureRequest) {
	if f.Type = d.measure(Type, LeastType, MostType); f.Type == 0 {
		return
	}
	if f.Preset.Name == "" {
		d.Fail(Type, "param.type-paper")
	}
	f.Preset = f.Preset.WithType(f.Type)
}, func(f FigureRequest) string { return share(f.Type) })

// measure reads a size between two limits, or returns 0 if there is none.
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

// Known reports whether a key is a parameter of figure requests.
func Known(key string) bool { return FigureTable.has(key) || slices.Contains(Keys(), key) }

// Source returns the URL of an exhibit's figure, with all its parameters, for the provenance in its
// file.
func (f FigureRequest) Source(x *exhibit.Exhibit, extension string) string {
	extra := f.extra()
	extra.Set(Map, x.Name)
	if x.Plane > 0 {
		extra.Set(Plane, strconv.Itoa(x.Plane))
	}
	return f.export(x, extension, extra)
}

// StackSource returns the URL of the figure with a mechanism's map and the strips below it.
func (f FigureRequest) StackSource(main *exhibit.Exhibit, extension string) string {
	return f.export(main, extension, f.extra())
}

// SheetSource returns the URL of a figure of all heads of a layer, or of all layers. first is the
// first of their maps.
func (f FigureRequest) SheetSource(first *exhibit.Exhibit, sheet, extension string) string {
	extra := f.extra()
	extra.Set(Map, sheet)
	return f.export(first, extension, extra)
}

// WallSource returns the URL of a file of all cards.
func (f FigureRequest) WallSource(extension string) string {
	return WallExport(f.State, extension, f.extra())
}

// ComparedSource returns the URL of a figure of a comparison.
func (f FigureRequest) ComparedSource(c Comparison, extension string) string {
	extra := f.extra()
	if f.Map != "" {
		extra.Set(Map, f.Map)
	}
	return CompareFigure(c, extension, extra)
}

func (f FigureRequest) export(x *exhibit.Exhibit, extension string, extra url.Values) string {
	s := f.State
	s.Layer = x.Layer.Number // 0: whole model
	if x.Part != "" {
		extra.Set(Text, s.Text)
	}
	return Export(s, x.Result.ID, extension, extra)
}

// extra returns the parameters that affect only the file.
func (f FigureRequest) extra() url.Values {
	f.Map, f.Plane, f.Live = "", 0, false
	v := FigureTable.Encode(f, FigureRequest{})
	if f.Preset.Paper && f.Palette == Default().Cmap { // papers have another default
		v.Set(Cmap, f.Palette.String())
	}
	return v
}

// DecodeFigure reads a request for a figure of a mechanism.
func DecodeFigure(v url.Values, s State) (FigureRequest, []ParamError) {
	f, bad := ReadFigure(v, s)
	if f.Map != "" {
		f.State = s.For(f.Map)
	}
	if f.Arcs = (figure.Arcs{On: s.Draw == Arcs && !f.Bare, Row: s.Pin.Row}); f.Arcs.On {
		f.Choice = f.InTextOrder() // rows are counted in this order
	}
	return f, append(bad, unknown(v, FigureTable.keys(), FigureTable.has)...)
}

// DecodeComparedFigure reads a request for a figure of a comparison: of all its maps, or of one
// named SideA, SideB or exhibit.DifferenceMap.
func DecodeComparedFigure(v url.Values, c Comparison) (FigureRequest, []ParamError) {
	f, bad := ReadFigure(v, c.State)
	if of := []string{"", SideA, SideB, exhibit.DifferenceMap}; !slices.Contains(of, f.Map) {
		bad = append(bad, Invalid(Map, "param.choice", "key", Map, "value", quote(f.Map), "allowed", list(of[1:])))
	}
	return f, append(bad, UnknownOfComparison(v, FigureTable.keys()...)...)
}

// ReadFigure reads the parameters of a figure, with the colours of its state.
func ReadFigure(v url.Values, s State) (FigureRequest, []ParamError) {
	f, bad := FigureTable.Decode(v)
	f.State, f.Palette, f.Appearance.Theme = s, s.Cmap, s.PaperTheme()
	if f.Preset.Paper && !v.Has(Cmap) {
		f.Palette = figure.Ink
	}
	return f, bad
}

// Keys for drawings by the scripts only.
const (
	Of      = "of"     // ids of the mechanisms whose maps are requested
	Numbers = "values" // whether to send the numbers
)

// Drawn selects the maps for the scripts.
type Drawn struct {
	Of      []string // mechanisms of the requested maps; none: all
	Without bool     // without the numbers
}

// DrawnTable is the table of parameters of drawings.
var DrawnTable = ParamTable[Drawn]{
	Custom(Of, func(d *Decoder, to *Drawn) { to.Of = d.ids(Of, nil) },
		func(t Drawn) string { return strings.Join(t.Of, ",") }),
	Custom(Numbers, func(d *Decoder, to *Drawn) { to.Without = d.choice(Numbers, []string{"1", "0"}, "1") == "0" },
		func(t Drawn) string { return flagged(!t.Without) }),
}

// NamesTable is the table with the names of the maps whose numbers are requested.
var NamesTable = ParamTable[[]string]{List(Map, func(names *[]string) *[]string { return names })}

// Names reads the names of requested maps; repeated names count once.
func Names(v url.Values) []string {
	names, _ := NamesTable.Decode(v)
	return names
}
