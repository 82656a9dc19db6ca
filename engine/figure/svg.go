package figure

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"attnatlas/engine/figure/lettering"
	"attnatlas/engine/figure/pngfile"

	"github.com/go-text/typesetting/font"
)

// SVG writes the figure as shapes.
func (f Figure) SVG(w io.Writer) error { return f.board().SVG(w) }

// BareSVG writes only the cells.
func (f Figure) BareSVG(w io.Writer) error {
	d, err := f.bareDrawing()
	if err != nil {
		return err
	}
	return writeSVG(w, d, f.board().about(f.Spec), nil)
}

func writeSVG(w io.Writer, d *drawing, a about, t *lettering.Typesetter) error {
	out := bufio.NewWriter(w)
	s := svg{w: out, t: t, ids: map[glyphKey]int{}}
	s.document(d, a)
	if s.err != nil {
		return s.err
	}
	return out.Flush()
}

// glyphKey identifies a glyph of a font.
type glyphKey struct {
	face lettering.FaceID
	id   font.GID
}

// svg writes an SVG document.
type svg struct {
	w    io.Writer
	t    *lettering.Typesetter
	ids  map[glyphKey]int // numbers of outlines; 0: the glyph has none
	clip int
	err  error
}

func (s *svg) put(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

func (s *svg) document(d *drawing, a about) {
	s.put(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="t d">`+"\n",
		num(d.width*a.unit), num(d.height*a.unit), num(d.width), num(d.height))
	s.put("<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n", escaped(a.title), escaped(a.described))
	s.metadata(a.meta)
	s.glyphs(d)
	areas := false // inside a group without edge blending: colours under a cell do not shine through at its edges
	for _, x := range d.shapes {
		if _, is := x.(areaShape); is != areas {
			s.put("%s", map[bool]string{true: "<g shape-rendering=\"crispEdges\">\n", false: "</g>\n"}[is])
			areas = is
		}
		switch x := x.(type) {
		case areaShape:
			s.put(`<path fill="%s" d="%s"/>`+"\n", hex(x.colour), svgPath(x.outline))
		case lineShape:
			s.line(x)
		case textShape:
			s.text(x)
		case imageShape:
			s.image(x)
		}
	}
	if areas {
		s.put("</g>\n")
	}
	s.put("</svg>\n")
}

// metadata writes the provenance of the figure as JSON.
func (s *svg) metadata(meta []Meta) {
	if len(meta) == 0 {
		return
	}
	lines := make([]string, len(meta))
	for i, m := range meta {
		key, _ := json.Marshal(m.Key) // a string never fails
		value, _ := json.Marshal(m.Value)
		lines[i] = string(key) + ": " + string(value)
	}
	s.put("<metadata>{\n%s\n}</metadata>\n", escaped(strings.Join(lines, ",\n")))
}

// glyphs defines the outline of every glyph of a drawing once, in units of its font.
func (s *svg) glyphs(d *drawing) {
	s.put("<defs>\n")
	for _, x := range d.shapes {
		t, ok := x.(textShape)
		if !ok {
			continue
		}
		for _, g := range t.glyphs {
			key := glyphKey{g.Face, g.ID}
			if _, known := s.ids[key]; known {
				continue
			}
			o, ok := glyphOutline(s.t, g.Face, g.ID)
			if !ok {
				s.ids[key] = 0
				continue
			}
			s.ids[key] = len(s.ids) + 1
			s.put(`<path id="g%d" d="%s"/>`+"\n", s.ids[key], svgPath(o))
		}
	}
	s.put("</defs>\n")
}

func (s *svg) line(l lineShape) {
	clip := ""
	if len(l.clip) > 0 {
		s.clip++
		s.put(`<clipPath id="c%d"><path d="`, s.clip)
		for _, r := range l.clip {
			s.put("%s", svgPath(rectangle(r)))
		}
		s.put(`"/></clipPath>` + "\n")
		clip = fmt.Sprintf(` clip-path="url(#c%d)"`, s.clip)
	}
	s.put(`<path fill="none" stroke="%s" stroke-width="%s"%s d="%s"/>`+"\n", hex(l.colour), num(l.width), clip,
		svgPath(l.outline))
}

func (s *svg) text(x textShape) {
	size, turn := lettering.Pixels(x.Size), ""
	s.put(`<g fill="%s" aria-hidden="true">`, hex(x.Colour))
	for _, g := range x.glyphs {
		id := s.ids[glyphKey{g.Face, g.ID}]
		if id == 0 {
			continue
		}
		u := size / float64(s.t.Face(g.Face).Upem())
		if x.Upwards {
			s.put(`<use href="#g%d" transform="matrix(0 %[2]s %[2]s 0 %[3]s %[4]s)"/>`, id, small(-u), num(g.X), num(g.Y))
		} else {
			s.put(`<use href="#g%d" transform="matrix(%s 0 0 %s %s %s)"/>`, id, small(u), small(-u), num(g.X), num(g.Y))
		}
	}
	s.put("</g>\n")
	if x.Upwards {
		turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, num(x.X), num(x.Y))
	}
	s.put(`<text x="%s" y="%s" font-family="sans-serif" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" fill-opacity="0"%s>%s</text>`+"\n",
		num(x.X), num(x.Y), num(size), num(x.length), turn, escaped(x.Text))
}

func (s *svg) image(x imageShape) {
	var b bytes.Buffer
	if err := pngfile.Encode(&b, x.img, pngfile.Info{}); err != nil {
		s.err = err
		return
	}
	s.put(`<image x="%d" y="%d" width="%d" height="%d" image-rendering="pixelated" href="data:image/png;base64,%s"/>`+"\n",
		x.at.Min.X, x.at.Min.Y, x.at.Dx(), x.at.Dy(), base64.StdEncoding.EncodeToString(b.Bytes()))
}

// svgPath returns an outline in SVG notation.
func svgPath(o outline) string {
	var b strings.Builder
	for _, s := range o {
		if s.kind == 'z' {
			b.WriteByte('z')
			continue
		}
		b.WriteByte(s.kind - 'a' + 'A')
		for i, p := range s.points[:s.size()] {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(num(p.x) + " " + num(p.y))
		}
	}
	return b.String()
}

// num formats a coordinate to a hundredth of a pixel.
func num(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100+0, 'f', -1, 64) }

// small formats a factor to six decimals.
func small(x float64) string { return strconv.FormatFloat(math.Round(x*1e6)/1e6, 'f', -1, 64) }

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// escaped returns text for XML, without characters that XML forbids.
func escaped(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic("figure: " + err.Error()) // a Builder never fails
	}
	return b.String()
}
