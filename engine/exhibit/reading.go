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

// Reading is the description of a cell.
type Reading struct {
	Text  messages.Message // with verb and unit if the value alone would mislead
	Exact string           // all digits of the value; empty if there is none
	// Amount is the size of the value in the unit of the map. It is NaN if there is none.
	Amount float64
	Aside  bool // the cell is excluded
}

// Reading describes a cell of a map with rows and columns, counted from 0.
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

// Says returns a value with the verb and the unit of the map; n is the value if it is a count.
func (x *Exhibit) Says(value string, n int) messages.Message {
	switch x.Map.Kind {
	case trace.Count:
		return messages.New(x.saysID(), "count", n)
	case trace.Length:
		return messages.New(x.saysID(), "value", value)
	}
	return messages.Text(value)
}

// Saying returns the id of the message that describes a value. Its argument is "value", or "count" for counts. It
// is empty if the value stands alone.
func (x *Exhibit) Saying() string {
	if x.Map.Kind == trace.Count || x.Map.Kind == trace.Length {
		return x.saysID()
	}
	return ""
}

func (x *Exhibit) saysID() string {
	if x.Counts() {
		return "reading.meeting" // of words in a shuffle-exchange network
	}
	return "reading." + x.Map.Kind.String()
}

// Unit names the unit of the values. The values of two maps with the same unit can be compared.
func (x *Exhibit) Unit() string { return x.unitName() }

// Of returns the unit as it stands after a value. It is zero if the value needs none.
func (x *Exhibit) Of() messages.Message {
	switch unit := x.unitName(); unit {
	case "probability", "weight", method.Influence, method.Rollout:
		return messages.New("reading.of." + unit)
	}
	return messages.Message{}
}

// Verb names what the row's word does with the column's word in maps of this view.
func (s Show) Verb() messages.Message { return messages.New("verb." + s.String()) }

// Exact prints a value so that it parses back to the same bits.
func Exact(v tensor.Elem) string {
	return strconv.FormatFloat(float64(v), 'g', -1, int(unsafe.Sizeof(v))*8)
}

// Provenance returns the origin that a file of the map records: enough to reproduce the file. Source is the URL of
// the figure, version that of the program.
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
	return append(meta, ModelProvenance(l, x.Result.Model, len(x.tokens()))...)
}

// ModelProvenance returns a file's metadata on the model that has read a text of this many tokens; nil: none.
func ModelProvenance(l *messages.Language, m *engine.ModelInfo, tokens int) (meta []figure.Meta) {
	if m != nil {
		meta = append(meta, figure.Meta{Key: "Weights", Value: l.Say(WeightsOf(m))})
		if m.Hash != "" {
			meta = append(meta, figure.Meta{Key: "Hash", Value: "sha256:" + m.Hash})
		}
	}
	if beyond := Beyond(m, tokens); !beyond.IsZero() {
		meta = append(meta, figure.Meta{Key: "Comment", Value: l.Say(beyond)})
	}
	return meta
}

// Command returns the command that reproduces the file whose URL is source.
func Command(source string) string {
	path, _, _ := strings.Cut(source, "?")
	return "viz render --address '" + strings.ReplaceAll(source, "'",
		"%27") + "' --out '" + strings.ReplaceAll(path[strings.LastIndexByte(path, '/')+1:], "'", "") + "'"
}

// WallProvenance returns the origin that a file with several maps of one text records.
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

// WeightsOf names the source of a model's weights.
func WeightsOf(m *engine.ModelInfo) messages.Message {
	return messages.New("provenance.weights", "commit", m.Commit, "steps", strconv.Itoa(m.Steps), "tokens",
		strconv.Itoa(m.Tokens), "seed", strconv.FormatUint(m.Seed, 10))
}

// Appearance holds the options that concern only the drawing of a figure.
type Appearance struct {
	Palette     figure.Palette
	Theme       figure.Theme
	Scale, DPI  int // 0: the defaults
	Transparent bool
	Untitled    bool          // without title and subtitle
	Numbers     bool          // with the values in the cells
	Preset      figure.Preset // the zero Preset: a page of the size of the figure
	Arcs        figure.Arcs   // for maps that can be drawn as arcs
	Headed      bool          // the text stands once above all figures, instead of above each
}

// Drawing returns the exhibit's figure with its texts, ready for a format to encode.
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
