package figure

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"attnatlas/engine/figure/pngfile"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
)

// ErrInvalid marks errors that the request caused; they are readable.
var ErrInvalid = errors.New("figure: not drawn")

// invalid is a readable error that wraps ErrInvalid.
func invalid(id string, args ...any) error {
	return &messages.Error{Msg: messages.New(id, args...), Err: ErrInvalid}
}

// MaxPixels bounds the area of an image, and so the memory that one request
// can ask for (four bytes per pixel).
const MaxPixels = 24_000_000

// Spec describes a figure.
type Spec struct {
	Name     string // of files that an archive has; empty: figure
	Title    string // the mechanism's name
	Subtitle string // layer, head, normalisation, the text's beginning; wrapped

	// Map has one or two axes; LayoutOf says how it is drawn.
	Map trace.Map
	// By are classes of tokens, where the values of Map are tokens (Order): each
	// cell has the colour of its token's class in the same row.
	By *trace.Map
	// Words are the tokens that the values of an Order are: they are written into
	// its cells.
	Words []string
	// Noun is what the values are; the zero Message: what the map's kind says.
	Noun messages.Message
	// Computed says which cells exist, for instance because they lie within the
	// trained length; nil means all.
	Computed func(row, col int) bool
	// Cut says which cells were left out of the forward pass; nil: none.
	Cut func(row, col int) bool
	// Aside says which cells are set aside, and are no part of the scale; nil: none.
	Aside func(row, col int) bool
	// Remark stands behind what the legend says of the colours; may be zero.
	Remark messages.Message

	Norm      Norm
	SharedMax float64 // for Shared: the value at the end of the scale
	Palette   Palette
	Theme     Theme

	Scale       int  // pixels per cell; 0 chooses by size
	DPI         int  // recorded in the file; lettering grows with it; 0 means 96
	Transparent bool // leave the paper out
	Untitled    bool // leave title and subtitle out
	Numbers     bool // write the values into the cells
	Arcs        Arcs // of a heat map of amounts
	// Preset is the paper that the figure is made for; the zero Preset: one as large as the figure.
	Preset   Preset
	Meta     []Meta
	Language *messages.Language // nil: English

	// What a board gives its figures; see room.
	body             int
	lettering, least float64
	smallest         float64 // size of the smallest letters, in pixels; 0: none is guaranteed
	beside           bool    // texts stand on the right of the cells
	under            bool    // the figure above has the same columns and the same subtitle
	indent           int     // of the cells of the figure above, in pixels
	over             bool    // the figure below has the same legend
	barred           bool    // another figure of the board has the same colour bar, and shows it
}

// say says a message in the figure's language.
func (s *Spec) say(m messages.Message) string { return s.language().Say(m) }

func (s *Spec) language() *messages.Language { return cmp.Or(s.Language, messages.English) }

// Figure is a map that has been normalised; its fields that concern the drawing alone
// (texts, colours, sizes) may still be changed.
type Figure struct {
	Spec
	Grid *Grid
}

// New normalises the map of a Spec.
func New(s Spec) (*Figure, error) {
	g, err := Quantise(s)
	if err != nil {
		return nil, err
	}
	return &Figure{s, g}, nil
}

// Format is a file format that figures are written in.
type Format struct {
	Extension string // without a point
	MediaType string
	Encode    func(f Figure, w io.Writer) error
	Bare      func(f Figure, w io.Writer) error // only the cells
	Board     func(b Board, w io.Writer) error  // several figures; nil: one at a time
}

// Formats are all formats, the usual one first.
var Formats = []Format{
	{"png", "image/png", Figure.PNG, Figure.Bare, Board.PNG},
	{"svg", "image/svg+xml", Figure.SVG, Figure.BareSVG, Board.SVG},
	{"pdf", "application/pdf", Figure.PDF, Figure.BarePDF, Board.PDF},
	{"tex.zip", "application/zip", Figure.TeX, Figure.BareTeX, Board.TeX},
	{"html", "text/html; charset=utf-8", Figure.HTML, Figure.BareHTML, Board.HTML},
	{"csv", "text/csv; charset=utf-8", Figure.CSV, Figure.BareCSV, nil},
	{"npy", "application/x-npy", Figure.NPY, Figure.NPY, nil},
	{"npz", "application/x-npz", Figure.NPZ, Figure.NPZ, nil},
	{"json", "application/json", Figure.JSON, Figure.BareJSON, nil},
}

// Extensions are those of all formats.
func Extensions() []string {
	list := make([]string, len(Formats))
	for i, f := range Formats {
		list[i] = f.Extension
	}
	return list
}

// BoardExtensions are those of the formats that several figures can be written in.
func BoardExtensions() (list []string) {
	for _, f := range Formats {
		if f.Board != nil {
			list = append(list, f.Extension)
		}
	}
	return list
}

// FormatOf parts the name of a file, such as "albert.linformer.png", into its format and what stands before.
func FormatOf(name string) (base string, format Format, ok bool) {
	for _, f := range Formats {
		if base, ok := strings.CutSuffix(name, "."+f.Extension); ok && base != "" {
			return base, f, true
		}
	}
	return "", format, false
}

// Meta is one statement about a figure's origin that its file carries: as
// tEXt, or as iTXt when the value has characters beyond Latin-1.
type Meta struct{ Key, Value string }

// fileInfo is what a PNG says beside its pixels.
func fileInfo(dpi int, meta []Meta) pngfile.Info {
	return pngfile.Info{DPI: dpi, Texts: func(yield func(key, value string) bool) {
		for _, m := range meta {
			if !yield(m.Key, m.Value) {
				return
			}
		}
	}}
}

// checkSize refuses sizes that are absurd or too large to hold.
func checkSize(width, height int) error {
	if width <= 0 || height <= 0 || width > MaxPixels/height {
		return invalid("figure.error.size", "width", width, "height", height, "most", MaxPixels/1_000_000)
	}
	return nil
}

// check refuses a scale and a resolution that make no sense.
func (f *Figure) check() error {
	if err := checkScale(f.Scale); err != nil {
		return err
	}
	if f.Preset.is() && f.Scale > 0 {
		return invalid("figure.error.preset-scale", "preset", f.Preset.Name)
	}
	return checkDPI(f.DPI)
}

// checkScale refuses a scale that is no sensible cell size.
func checkScale(scale int) error {
	if scale < 0 || scale > 512 {
		return invalid("figure.error.scale", "scale", scale, "most", 512)
	}
	return nil
}

// checkDPI refuses a resolution that is none.
func checkDPI(dpi int) error {
	if dpi < 0 || dpi != 0 && dpi < 36 || dpi > 1200 {
		return invalid("figure.error.dpi", "dpi", dpi, "least", 36, "most", 1200)
	}
	return nil
}
