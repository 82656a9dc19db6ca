package exhibit

import (
	"math"
	"strconv"
	"strings"
	"unsafe"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Reading is what is said of a cell.
type Reading struct {
	Text  messages.Message // with verb and unit where the value alone would mislead
	Exact string           // all digits of the value, or empty where there is none
	// Amount is the size of the value in the unit of the map; NaN where there is none.
	Amount float64
	Aside  bool // the cell is set aside
}

// Reading reads a cell of a map of rows and columns, counted from 0.
func (x *Exhibit) Reading(row, col int) Reading {
	g := x.Grid()
	if len(x.Map.Axes) != 2 || row >= g.Rows || col >= g.Cols {
		return Reading{Text: messages.Text("–"), Amount: math.NaN()}
	}
	if g.Class[row*g.Cols+col] == figure.Forbidden {
		return Reading{Text: messages.New("reading.forbidden"), Amount: math.NaN()}
	}
	if g.Class[row*g.Cols+col] == figure.Cut {
		return Reading{Text: messages.New("reading.cut"), Amount: math.NaN()}
	}
	v := x.Map.Value.At(row, col)
	return Reading{x.Says(messages.Number(float64(v)), int(v)), Exact(v), math.Abs(float64(v)),
		g.Class[row*g.Cols+col] == figure.Aside}
}

// Says is a value with the verb and the unit of the map; n is the value where it counts.
func (x *Exhibit) Says(value string, n int) messages.Message {
	switch x.Map.Kind {
	case trace.Count:
		return messages.New(x.saysID(), "count", n)
	case trace.Length:
		return messages.New(x.saysID(), "value", value)
	}
	return messages.Text(value)
}

// Saying is the id of the message that a value is said by, with the argument "value", or of
// counts "count"; empty: the value alone.
func (x *Exhibit) Saying() string {
	if x.Map.Kind == trace.Count || x.Map.Kind == trace.Length {
		return x.saysID()
	}
	return ""
}

func (x *Exhibit) saysID() string {
	if x.Counts() {
		return "reading.meeting" // of words in a network of switches
	}
	return "reading." + x.Map.Kind.String()
}

// Unit names what the values are: those of two maps can be compared where it is the same.
func (x *Exhibit) Unit() string { return x.unitName() }

// Of is the unit as it stands behind a value; zero where the value says it, or has none.
func (x *Exhibit) Of() messages.Message {
	switch unit := x.unitName(); unit {
	case "probability", "weight", method.Influence, method.Rollout:
		return messages.New("reading.of." + unit)
	}
	return messages.Message{}
}

// Verb is what the row's word does with the column's in the maps that are shown.
func (s Show) Verb() messages.Message { return messages.New("verb." + s.String()) }

// Exact prints a value so that it parses back to the same bits.
func Exact(v tensor.Elem) string {
	return strconv.FormatFloat(float64(v), 'g', -1, int(unsafe.Sizeof(v))*8)
}

// Provenance is what a file says of its origin: enough to make it again. Source is the
// address of the figure, version that of the program.
func (x *Exhibit) Provenance(l *messages.Language, source, version string) []figure.Meta {
	text := strings.ToValidUTF8(x.text.Text, "\uFFFD")
	about := messages.New("provenance.map", "name", x.Result.Name(), "map", x.Map.Name, "where", x.Where(", "), "norm",
		x.Norm().String(), "text", text)
	if x.Part != "" {
		about = messages.New("provenance.part", "name", x.Result.Name(), "part", messages.New("part."+x.Part+".title"),
			"where", x.Where(", "), "norm", x.Norm().String(), "text", text, "written", x.Result.Generated.Text)
	}
	if after := x.text.After; after != nil {
		about = messages.New("provenance.after", "about", about, "step", strconv.Itoa(after.Step), "steps",
			strconv.Itoa(after.Steps))
	}
	if note := x.CutNote(); !note.IsZero() {
		about = messages.New("provenance.cut", "about", about, "note", note)
	}
	meta := []figure.Meta{
		{Key: "Software", Value: strings.TrimSpace("Attention Atlas " + version)},
		{Key: "Source", Value: source},
		{Key: "Command", Value: Command(source)},
		{Key: "Description", Value: l.Say(about)},
		{Key: "Layer", Value: l.Say(x.LayerName())},
		{Key: "Head", Value: l.Say(x.Head)},
		{Key: "Normalisation", Value: x.Norm().String() + ": " + l.Say(x.Legend().Text)},
	}
	if ticks := x.Legend().Ticks; len(ticks) > 1 {
		meta = append(meta, figure.Meta{Key: "Scale", Value: ticks[0].Label + " … " + ticks[len(ticks)-1].Label})
	}
	if m := x.Result.Model; m != nil {
		meta = append(meta, figure.Meta{Key: "Weights", Value: l.Say(WeightsOf(m))})
		if m.Hash != "" {
			meta = append(meta, figure.Meta{Key: "Hash", Value: "sha256:" + m.Hash})
		}
	}
	if beyond := Beyond(x.Result.Model, len(x.tokens())); !beyond.IsZero() {
		meta = append(meta, figure.Meta{Key: "Comment", Value: l.Say(beyond)})
	}
	return meta
}

// Command makes a file again, of which source is the address.
func Command(source string) string {
	path, _, _ := strings.Cut(source, "?")
	return "viz render --address '" + strings.ReplaceAll(source, "'",
		"%27") + "' --out '" + strings.ReplaceAll(path[strings.LastIndexByte(path, '/')+1:], "'", "") + "'"
}

// WallProvenance is what a file of several maps of one text says of its origin.
func WallProvenance(l *messages.Language, maps []*Exhibit, source, version string) []figure.Meta {
	meta := []figure.Meta{{Key: "Software", Value: strings.TrimSpace("Attention Atlas " + version)},
		{Key: "Source", Value: source}, {Key: "Command", Value: Command(source)}}
	for _, key := range []string{"Description", "Normalisation", "Scale", "Weights", "Hash", "Comment"} {
		var said []string
		for _, x := range maps {
			for _, m := range x.Provenance(l, source, version) {
				if m.Key == key {
					said = append(said, x.Result.ID+": "+m.Value)
				}
			}
		}
		if len(said) > 0 {
			meta = append(meta, figure.Meta{Key: key, Value: strings.Join(said, "\n")})
		}
	}
	return meta
}

// WeightsOf says where a model's weights come from.
func WeightsOf(m *engine.ModelInfo) messages.Message {
	return messages.New("provenance.weights", "commit", m.Commit, "steps", strconv.Itoa(m.Steps), "tokens",
		strconv.Itoa(m.Tokens), "seed", strconv.FormatUint(m.Seed, 10))
}

// Appearance is what concerns the drawing of a figure alone.
type Appearance struct {
	Palette     figure.Palette
	Theme       figure.Theme
	Scale, DPI  int // 0: the usual ones
	Transparent bool
	Untitled    bool          // without title and subtitle
	Numbers     bool          // with the values in the cells
	Preset      figure.Preset // the zero Preset: a paper as large as the figure
	Arcs        figure.Arcs   // of maps that can be drawn as arcs
	Headed      bool          // the text stands above all figures, and so not above each
}

// Drawing is the exhibit's figure with its texts, as a format encodes it.
func (x *Exhibit) Drawing(l *messages.Language, look Appearance, meta []figure.Meta) figure.Figure {
	f := *x.Figure
	f.Name = strings.TrimSuffix(x.FileName(""), ".")
	subtitle := x.Subtitle
	if look.Headed {
		subtitle = x.HeadedSubtitle
	}
	f.Title, f.Subtitle, f.Language, f.Meta = l.Say(x.Title()), l.Say(subtitle()), l, meta
	f.Palette, f.Theme, f.Scale, f.DPI, f.Transparent, f.Preset = look.Palette, look.Theme, look.Scale, look.DPI,
		look.Transparent, look.Preset
	f.Untitled, f.Numbers = look.Untitled, look.Numbers
	if x.Arched() {
		f.Arcs = look.Arcs
	}
	return f
}
