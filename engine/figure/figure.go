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

// ErrInvalid marks errors caused by the request; their texts are for readers.
var ErrInvalid = errors.New("figure: not drawn")

// invalid returns an error for readers that wraps ErrInvalid.
func invalid(id string, args ...any) error {
	return &messages.Error{Msg: messages.New(id, args...), Err: ErrInvalid}
}

// MaxPixels is the most pixels of an image. It limits the memory that one request can take, at four
// bytes per pixel.
const MaxPixels = 24_000_000

// Spec describes a figure.
type Spec struct {
	Name     string // base name of files in an archive; empty: figure
	Title    string // the mechanism's name
	Subtitle string // layer, head, normalisation, beginning of the text; wrapped

	// Map has one or two axes; LayoutOf decides how it is drawn.
	Map trace.Map
	// By holds classes of tokens, for a Map whose values are tokens (Order). Each cell has the colour
	// of its token's class in the same row.
	By *trace.Map
	// Words are the tokens to which the values of an Order refer. They are written into its cells.
	Words []string
	// Noun names the quantity of the values. The zero Message means the name of the map's kind.
	Noun messages.Message
	// Computed reports whether a cell exists, for example because it lies within the trained length.
	// Nil: all cells exist.
	Computed func(row, col int) bool
	// Cut reports whether a cell was ablated in the forward pass. Nil: no cell was.
	Cut func(row, col int) bool
	// Aside reports whether a cell is excluded from the scale. Nil: no cell is.
	Aside func(row, col int) bool
	// Remark follows the explanation of the colours in the legend. It can be zero.
	Remark messages.Message

	Norm      Norm
	SharedMax float64 // for Shared: the value at the end of the scale
	Palette   Palette
	Theme     Theme

	Scale       int  // pixels per cell; 0 chooses by size
	DPI         int  // recorded in the file; lettering scales with it; 0 means 96
	Transparent bool // leave the paper out
	Untitled    bool // leave title and subtitle out
	Numbers     bool // write the values into the cells
	Arcs        Arcs // for a heat map of amounts
	// Preset is the paper of the figure. The zero Preset is paper as large as the figure.
	Preset   Preset
	Meta     []Meta
	Language *messages.Language // nil: English

	// Set by a board for its figures; see room.
	body             int
	lettering, least float64
	smallest         float64 // size of the smallest letters, in pixels; 0: none is guaranteed
	beside           bool    // texts are on the right of the cells
	under            bool    // the figure above has the same columns and the same subtitle
	indent           int     // indent of the cells of the figure above, in pixels
	over             bool    // the figure below has the same legend
	barred           bool    // another figure of the board has the same colour bar, and shows it
}

// say returns a message in the figure's language.
func (s *Spec) say(m messages.Message) string { return s.language().Say(m) }

func (s *Spec) language() *messages.Language { return cmp.Or(s.Language, messages.English) }

// Figure is a normalised map. Fields that only affect the drawing (texts, colours, sizes) can still
// be changed.
type Figure struct {
	Spec
	Grid *Grid
}

// New normalises the map of a Spec. Its errors wrap ErrInvalid.
func New(s Spec) (*Figure, error) {
	g, err := Quantise(s)
	if err != nil {
		return nil, err
	}
	return &Figure{s, g}, nil
}

// Format is a file format for figures.
type Format struct {
	Extension string // without the leading dot
	MediaType string
	Encode    func(f Figure, w io.Writer) error
	Bare      func(f Figure, w io.Writer) error // only the cells
	Board     func(b Board, w io.Writer) error  // several figures; nil: one at a time
}

// Formats lists all formats, the default first.
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

// Extensions returns the extensions of all formats.
func Extensions() []string {
	list := make([]string, len(Formats))
	for i, f := range Formats {
		list[i] = f.Extension
	}
	return list
}

// BoardExtensions returns the extensions of the formats that can hold several figures.
func BoardExtensions() (list []string) {
	for _, f := range Formats {
		if f.Board != nil {
			list = append(list, f.Extension)
		}
	}
	return list
}

// FormatOf splits a file name, such as "albert.linformer.png", into its base and its format.
func FormatOf(name string) (base string, format Format, ok bool) {
	for _, f := range Formats {
		if base, ok := strings.CutSuffix(name, "."+f.Extension); ok && base != "" {
			return base, f, true
		}
	}
	return "", format, false
}

// Meta is one statement about a figure's provenance that its file carries: as tEXt, or as iTXt if
// the value has characters beyond Latin-1.
type Meta struct{ Key, Value string }

// fileInfo returns the metadata of a PNG.
func fileInfo(dpi int, meta []Meta) pngfile.Info {
	return pngfile.Info{DPI: dpi, Texts: func(yield func(key, value string) bool) {
		for _, m := range meta {
			if !yield(m.Key, m.Value) {
				return
			}
		}
	}}
}

// checkSize rejects sizes that are not positive or exceed MaxPixels.
func checkSize(width, height int) error {
	if width <= 0 || height <= 0 || width > MaxPixels/height {
		return invalid("figure.error.size", "width", width, "height", height, "most", MaxPixels/1_000_000)
	}
	return nil
}

// check rejects a scale or resolution outside the permitted range.
func (f *Figure) check() error {
	if err := checkScale(f.Scale); err != nil {
		return err
	}
	if f.Preset.is() && f.Scale > 0 {
		return invalid("figure.error.preset-scale", "preset", f.Preset.Name)
	}
	return checkDPI(f.DPI)
}

// checkScale rejects a scale outside 0…512.
func checkScale(scale int) error {
	if scale < 0 || scale > 512 {
		return invalid("figure.error.scale", "scale", scale, "most", 512)
	}
	return nil
}

// checkDPI rejects a resolution outside 36…1200, except 0, which means the default.
func checkDPI(dpi int) error {
	if dpi < 0 || dpi != 0 && dpi < 36 || dpi > 1200 {
		return invalid("figure.error.dpi", "dpi", dpi, "least", 36, "most", 1200)
	}
	return nil
}
