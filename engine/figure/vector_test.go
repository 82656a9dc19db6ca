package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// drawn returns the page as shapes.
func (p *page) drawn() *drawing {
	d := newDrawing(p.width, p.height)
	if paper := p.brush().paper; paper.A > 0 {
		d.fill(image.Rect(0, 0, p.width, p.height), paper)
	}
	p.drawOn(d)
	return d
}

// drawnOf calls do with a figure's page and its drawing.
func drawnOf(t *testing.T, s Spec, do func(p *page, d *drawing)) {
	t.Helper()
	f, err := New(s)
	if err == nil {
		err = f.onPage(func(p *page) error { do(p, p.drawn()); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
}

// colourAt returns the colour that is painted last over a point.
func (d *drawing) colourAt(at image.Point) (c color.RGBA) {
	for _, s := range d.shapes {
		switch s := s.(type) {
		case areaShape:
			r := image.Rect(int(s.outline[0].points[0].x), int(s.outline[0].points[0].y), int(s.outline[2].points[0].x),
				int(s.outline[2].points[0].y))
			if at.In(r) {
				c = s.colour
			}
		case imageShape:
			if at.In(s.at) {
				in := at.Sub(s.at.Min)
				c = s.img.RGBAAt((2*in.X+1)*s.img.Rect.Dx()/(2*s.at.Dx()), (2*in.Y+1)*s.img.Rect.Dy()/(2*s.at.Dy()))
			}
		}
	}
	return c
}

// hatched reports whether a hatch line covers a point.
func (d *drawing) hatched(at image.Point) bool {
	return slices.ContainsFunc(d.shapes, func(s any) bool {
		l, ok := s.(lineShape)
		return ok && slices.ContainsFunc(l.clip, at.In)
	})
}

// TestDrawingsHaveTheCellsOfImages: every cell of every golden figure has the colour and the hatch
// of the image.
func TestDrawingsHaveTheCellsOfImages(t *testing.T) {
	all := goldens()
	all["cut"] = Spec{Map: softmaxMap(8, 1, 3), Cut: func(r, c int) bool { return c == 2 || r == 3 },
		Aside: func(r, c int) bool { return c == 5 }}
	for name, s := range all {
		drawnOf(t, s, func(p *page, d *drawing) {
			if p.grid.form == Wiring || p.spec.Arcs.On {
				return
			}
			b := p.brush()
			many := max(p.grid.Cols, p.grid.Rows) > mostCells
			for i, class := range p.grid.Class {
				cell := image.Rectangle{Max: p.cell}.Add(p.corner).Add(image.Pt(i%p.grid.Cols*p.cell.X, i/p.grid.Cols*p.cell.Y))
				if p.cell.X < 3 || many && class != Value && class != Tiny {
					continue // a mark can be there
				}
				for _, at := range []image.Point{cell.Min.Add(image.Pt(1, 1)), cell.Max.Sub(image.Pt(2, 2))} {
					if got, want := d.colourAt(at), b.ground(i); got != want {
						t.Fatalf("%s: cell %d is %v, want %v", name, i, got, want)
					}
					if want := class.hatched(); !many && d.hatched(at) != want {
						t.Fatalf("%s: cell %d has a hatch: %v", name, i, !want)
					}
				}
			}
		})
	}
}

// TestSVGIsXML: the output is well-formed XML for all texts, and has each text once, with the
// outline of every used glyph.
func TestSVGIsXML(t *testing.T) {
	all := goldens()
	all["hostile"] = Spec{Title: "</title><script>alert(1)</script>\x00\xff", Subtitle: "]]>&amp;",
		Map:  named(softmaxMap(2, 1, 1), []string{`"`, "\u202e"}, nil),
		Meta: []Meta{{"Description", "<&>\x01"}, {"Source", `{"a":"\u2028"}`}}}
	for name, s := range all {
		f, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		var one, two bytes.Buffer
		if err := errors.Join(f.SVG(&one), f.SVG(&two)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Errorf("%s: two files of one figure differ", name)
		}
		ids, used, texts := map[string]bool{}, map[string]int{}, []string{}
		for d := xml.NewDecoder(&one); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if start.Name.Local == "script" {
				t.Errorf("%s: a script", name)
			}
			for _, a := range start.Attr {
				switch a.Name.Local {
				case "id":
					if ids["#"+a.Value] {
						t.Errorf("%s: %s is there twice", name, a.Value)
					}
					ids["#"+a.Value] = true
				case "href":
					used[a.Value]++
				}
			}
			if start.Name.Local == "text" {
				inner, _ := d.Token()
				text, _ := inner.(xml.CharData)
				texts = append(texts, string(text))
			}
		}
		glyphs := 0
		for id, times := range used {
			if strings.HasPrefix(id, "#g") {
				glyphs += times
			}
			if !ids[id] && !strings.HasPrefix(id, "data:image/png") {
				t.Errorf("%s: there is no %s", name, id)
			}
		}
		drawnOf(t, s, func(p *page, d *drawing) {
			if want := len(textsOf(d)); len(texts) != want {
				t.Errorf("%s: %d texts, want %d", name, len(texts), want)
			}
			for _, x := range textsOf(d) {
				for _, g := range x.glyphs {
					if _, ok := glyphOutline(p.h.Typesetter, g.Face, g.ID); ok {
						glyphs--
					}
				}
			}
			if glyphs != 0 {
				t.Errorf("%s: %d glyphs too many", name, glyphs)
			}
		})
	}
}

// textsOf returns the texts of a drawing.
func textsOf(d *drawing) (texts []textShape) {
	for _, s := range d.shapes {
		if x, ok := s.(textShape); ok {
			texts = append(texts, x)
		}
	}
	return texts
}

// TestPDFIsWhole: the objects are at the offsets of the table, the streams unpack, two files of one
// figure are equal, and every character of every text is mapped by the fonts.
func TestPDFIsWhole(t *testing.T) {
	for name, s := range goldens() {
		f, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		var one, two bytes.Buffer
		if err := errors.Join(f.PDF(&one), f.PDF(&two)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Errorf("%s: two files of one figure differ", name)
		}
		file := one.String()
		checkXref(t, name, file)
		found := map[rune]bool{}
		for _, stream := range regexp.MustCompile(`(?s)<<([^<>]*)/FlateDecode/Length (\d+)>>stream\n`).FindAllStringSubmatchIndex(file, -1) {
			n, _ := strconv.Atoi(file[stream[4]:stream[5]])
			z, err := zlib.NewReader(strings.NewReader(file[stream[1]:][:n]))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, m := range regexp.MustCompile(`beginbfchar <....> <([0-9A-F]+)>`).FindAllSubmatch(data, -1) {
				for _, r := range fromUTF16(string(m[1])) {
					found[r] = true
				}
			}
		}
		drawnOf(t, s, func(_ *page, d *drawing) {
			for _, x := range textsOf(d) {
				for _, r := range x.Text {
					if r != ' ' && !found[r] {
						t.Errorf("%s: %q of %q cannot be searched", name, r, x.Text)
					}
				}
			}
		})
	}
}

func checkXref(t *testing.T, name, file string) {
	_, end, _ := strings.Cut(file, "startxref\n")
	start, err := strconv.Atoi(strings.Fields(end)[0])
	if err != nil || !strings.HasPrefix(file[start:], "xref\n") {
		t.Fatalf("%s: no table at %d: %v", name, start, err)
	}
	for i, line := range strings.Split(file[start:], "\n")[3:] {
		if !strings.HasSuffix(line, " n ") {
			break
		}
		at, _ := strconv.Atoi(line[:10])
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !strings.HasPrefix(file[at:], want) {
			t.Errorf("%s: object %d is not at %d", name, i+1, at)
		}
	}
}

func fromUTF16(hex string) []rune {
	units := make([]uint16, len(hex)/4)
	for i := range units {
		n, _ := strconv.ParseUint(hex[4*i:4*i+4], 16, 16)
		units[i] = uint16(n)
	}
	return utf16.Decode(units)
}

// TestImagesOfManyCellsAreSmall: the image of many cells stays small for any cell size, and every
// cell has its colour up to its edges.
func TestImagesOfManyCellsAreSmall(t *testing.T) {
	for _, c := range []struct{ words, scale, dpi, pixels int }{
		{512, 9, 0, 512 * 3}, {512, 8, 0, 512 * 4}, {512, 7, 0, 512 * 4}, {512, 0, 0, 512 * 2}, {512, 0, 1200, 2048},
		{100, 0, 0, 700}, {100, 15, 0, 1500}, {100, 31, 0, 800}, {100, 40, 0, 1000},
	} {
		drawnOf(t, Spec{Map: softmaxMap(c.words, 1, 3), Scale: c.scale, DPI: c.dpi}, func(p *page, d *drawing) {
			var img *image.RGBA
			for _, s := range d.shapes {
				if s, ok := s.(imageShape); ok {
					img = s.img
				}
			}
			if img == nil || img.Rect.Dx() > c.pixels || img.Rect.Dx() < c.pixels/2 {
				t.Fatalf("%+v: an image of %v", c, img.Rect)
			}
			b := p.brush()
			for i := 0; i < p.grid.Rows*p.grid.Cols; i += 97 {
				cell := image.Rectangle{Max: p.cell}.Add(p.corner).Add(image.Pt(i%p.grid.Cols*p.cell.X, i/p.grid.Cols*p.cell.Y))
				for _, at := range []image.Point{cell.Min, cell.Max.Sub(image.Pt(1, 1))} {
					if got, want := d.colourAt(at), b.ground(i); b.grid.Class[i] == Value && got != want {
						t.Fatalf("%+v: cell %d is %v at %v, want %v", c, i, got, at, want)
					}
				}
			}
		})
	}
}
