package figure

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha256"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"attnatlas/engine/figure/lettering"
)

// PDF writes the figure as shapes on one page of its size.
func (f Figure) PDF(w io.Writer) error { return f.board().PDF(w) }

// BarePDF writes only the cells.
func (f Figure) BarePDF(w io.Writer) error {
	d, err := f.bareDrawing()
	if err != nil {
		return err
	}
	return writePDF(w, d, f.board().about(f.Spec), nil)
}

func writePDF(w io.Writer, d *drawing, a about, t *lettering.Typesetter) error {
	c := content{t: t, page: d, unit: pointsPerInch / float64(baseDPI) * a.unit}
	return c.document(a, w)
}

// pdf collects the objects of a PDF file.
type pdf struct {
	objects [][]byte // object i has the number i + 1
}

// add appends an object and returns its number.
func (p *pdf) add(format string, args ...any) int {
	p.objects = append(p.objects, fmt.Appendf(nil, format, args...))
	return len(p.objects)
}

// reserve returns the number of an object that is set later.
func (p *pdf) reserve() int { return p.add("null") }

func (p *pdf) set(number int, format string, args ...any) {
	p.objects[number-1] = fmt.Appendf(nil, format, args...)
}

// stream adds a compressed stream with entries for its dictionary, and returns its number.
func (p *pdf) stream(entries string, data []byte) int {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err == nil {
		_, err = z.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic("figure: " + err.Error()) // a Buffer never fails
	}
	return p.add("<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", entries, b.Len(), b.Bytes())
}

// write writes all objects and their offsets.
func (p *pdf) write(w io.Writer, root, info int) error {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	at := make([]int, len(p.objects))
	for i, o := range p.objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	id, start := sha256.Sum256(b.Bytes()), b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID[<%x><%x>]>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1,
		root, info, id[:16], id[:16], start)
	_, err := w.Write(b.Bytes())
	return err
}

// content writes the content of the page.
type content struct {
	pdf
	page   *drawing
	t      *lettering.Typesetter
	unit   float64 // points of a pixel
	fonts  pdfFonts
	images []int // numbers of objects
	ops    bytes.Buffer
}

func (c *content) put(format string, args ...any) { fmt.Fprintf(&c.ops, format, args...) }

// document writes the file.
func (c *content) document(a about, w io.Writer) error {
	c.put("/Figure<</MCID 0>>BDC\n%s 0 0 %s 0 %s cm\n", small(c.unit), small(-c.unit), num(c.page.height*c.unit))
	for _, x := range c.page.shapes {
		switch x := x.(type) {
		case areaShape:
			c.put("%s rg %sf\n", rgbOf(x.colour), pdfPath(x.outline))
		case lineShape:
			c.line(x)
		case textShape:
			c.text(x)
		case imageShape:
			c.image(x)
		}
	}
	c.put("EMC\n")
	fonts, err := c.fonts.embed(&c.pdf, c.t)
	if err != nil {
		return err
	}
	stream := c.stream("", c.ops.Bytes())
	pages, box := c.reserve(), fmt.Sprintf("[0 0 %s %s]", num(c.page.width*c.unit), num(c.page.height*c.unit))
	page := c.add("<</Type/Page/Parent %d 0 R/MediaBox%s/StructParents 0/Tabs/S/Contents %d 0 R/Resources<</Font<<%s>>/XObject<<%s>>>>>>",
		pages, box, stream, fonts, c.imageNames())
	c.set(pages, "<</Type/Pages/Kids[%d 0 R]/Count 1>>", page)
	root := c.add("<</Type/Catalog/Pages %d 0 R/ViewerPreferences<</DisplayDocTitle true>>/Lang(%s)/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R"+
		"/Metadata %d 0 R>>", pages, a.language, c.structure(a, page, box), c.add("%s", xmpOf(a)))
	return c.write(w, root, c.add("%s", infoOf(a)))
}

// structure tags the page as one figure with alternative text (PDF 2.0, 14.7), and returns the
// number of the object.
func (c *content) structure(a about, page int, box string) int {
	root, document := c.reserve(), c.reserve()
	alt := cmp.Or(a.described, a.title, "-")
	figure := c.add("<</Type/StructElem/S/Figure/P %d 0 R/Pg %d 0 R/K 0/Alt%s/A<</O/Layout/Placement/Block/BBox%s>>>>",
		document, page, pdfString(alt), box)
	c.set(document, "<</Type/StructElem/S/Document/P %d 0 R/K[%d 0 R]>>", root, figure)
	c.set(root, "<</Type/StructTreeRoot/K[%d 0 R]/ParentTree<</Nums[0[%d 0 R]]>>>>", document, figure)
	return root
}

// xmpOf returns the metadata of infoOf in XML (XMP, ISO 16684-1), as reference managers read it.
func xmpOf(a about) string {
	entry := func(name, value string) string {
		if value == "" {
			return ""
		}
		return "<" + name + ">" + value + "</" + name + ">\n"
	}
	one := func(value string) string {
		return `<rdf:Alt><rdf:li xml:lang="x-default">` + escaped(value) + "</rdf:li></rdf:Alt>"
	}
	packet := "<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">" +
		"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\"" +
		" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n" +
		entry("dc:format", "application/pdf") + entry("dc:title", one(a.title)) + entry("dc:description", one(a.described)) +
		entry("dc:language", "<rdf:Bag><rdf:li>"+a.language+"</rdf:li></rdf:Bag>") + entry("dc:source",
		escaped(valueOf(a.meta, "Source"))) +
		entry("xmp:CreatorTool", escaped(valueOf(a.meta, "Software"))) +
		"</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>"
	return fmt.Sprintf("<</Type/Metadata/Subtype/XML/Length %d>>stream\n%s\nendstream", len(packet), packet)
}

// infoOf returns the dictionary with the provenance of a figure.
func infoOf(a about) string {
	var b strings.Builder
	b.WriteString("<</Title " + pdfString(a.title))
	for _, m := range a.meta {
		if m.Key != "Title" {
			b.WriteString("/" + pdfName(m.Key) + " " + pdfString(m.Value))
		}
	}
	return b.String() + ">>"
}

func (c *content) line(l lineShape) {
	c.put("q ")
	for _, r := range l.clip {
		c.put("%s", pdfPath(rectangle(r)))
	}
	if len(l.clip) > 0 {
		c.put("W n ")
	}
	c.put("%s RG %s w %sS Q\n", rgbOf(l.colour), num(l.width), pdfPath(l.outline))
}

// text shows a text glyph by glyph, at known positions.
func (c *content) text(x textShape) {
	size, font := lettering.Pixels(x.Size), lettering.FaceCount
	turn := "1 0 0 -1"
	if x.Upwards {
		turn = "0 -1 -1 0"
	}
	c.put("BT %s rg ", rgbOf(x.Colour))
	for i, g := range x.glyphs {
		if g.Face != font {
			font = g.Face
			c.put("/F%d %s Tf ", font, num(size))
		}
		after := i+1 < len(x.glyphs) && x.glyphs[i+1].Text == "" // another glyph of the same piece of text
		if after && g.Text != "" {
			c.put("/Span<</ActualText%s>>BDC ", pdfString(string(inPlace(g.Text))))
		}
		c.put("%s %s %s Tm ", turn, num(g.X), num(g.Y))
		for i, part := range c.parts(g) {
			if i == 0 {
				c.put("<%04x> Tj ", c.fonts.code(part))
			} else { // narrow, so that it does not fill the space after the word
				c.put("25 Tz <%04x> Tj 100 Tz ", c.fonts.code(part))
			}
		}
		if !after && g.Text == "" {
			c.put("EMC ")
		}
	}
	c.put("ET\n")
}

// parts returns the characters of a glyph. For a right-to-left ligature these are the glyph with
// the last letter, and blanks with the letters before it.
func (c *content) parts(g lettering.Glyph) []glyphText {
	key, letters := glyphKey{g.Face, g.ID}, inPlace(g.Text)
	blank, ok := c.t.Face(g.Face).NominalGlyph(' ')
	if len(letters) < 2 || !ok || !lettering.RightToLeft(letters[0]) {
		return []glyphText{{key, g.Text}}
	}
	parts := []glyphText{{key, string(letters[:1])}}
	for i := range letters[1:] {
		parts = append(parts, glyphText{glyphKey{g.Face, blank}, string(letters[i+1 : i+2])})
	}
	return parts
}

// inPlace returns the letters of a text from left to right. PDF readers expect this order, because
// they reverse right-to-left text, even within a ligature.
func inPlace(text string) []rune {
	letters := []rune(text)
	if len(letters) > 0 && lettering.RightToLeft(letters[0]) {
		slices.Reverse(letters)
	}
	return letters
}

func (c *content) image(x imageShape) {
	rgb, alpha := make([]byte, 0, 3*x.img.Rect.Dx()*x.img.Rect.Dy()), []byte{}
	opaque := true
	for i := 0; i < len(x.img.Pix); i += 4 {
		p := x.img.Pix[i:][:4]
		rgb, alpha = append(rgb, p[:3]...), append(alpha, p[3])
		opaque = opaque && p[3] == 0xff
	}
	size := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8", x.img.Rect.Dx(),
		x.img.Rect.Dy())
	mask := ""
	if !opaque {
		mask = fmt.Sprintf("/SMask %d 0 R", c.stream(size+"/ColorSpace/DeviceGray", alpha))
	}
	c.images = append(c.images, c.stream(size+"/ColorSpace/DeviceRGB"+mask, rgb))
	c.put("q %d 0 0 %d %d %d cm /I%d Do Q\n", x.at.Dx(), -x.at.Dy(), x.at.Min.X, x.at.Max.Y, len(c.images))
}

func (c *content) imageNames() string {
	names := ""
	for i, number := range c.images {
		names += fmt.Sprintf("/I%d %d 0 R", i+1, number)
	}
	return names
}

// pdfPath returns an outline in PDF notation, in which all curves are cubic.
func pdfPath(o outline) string {
	var b strings.Builder
	var at point
	write := func(op string, points ...point) {
		for _, p := range points {
			b.WriteString(num(p.x) + " " + num(p.y) + " ")
			at = p
		}
		b.WriteString(op + " ")
	}
	for _, s := range o {
		switch p := s.points; s.kind {
		case 'm':
			write("m", p[0])
		case 'l':
			write("l", p[0])
		case 'q':
			toward := func(a, b point) point { return point{a.x + (b.x-a.x)*2/3, a.y + (b.y-a.y)*2/3} }
			write("c", toward(at, p[0]), toward(p[1], p[0]), p[1])
		case 'c':
			write("c", p[0], p[1], p[2])
		case 'z':
			b.WriteString("h ")
		}
	}
	return b.String()
}

func rgbOf(c color.RGBA) string {
	return small(float64(c.R)/255) + " " + small(float64(c.G)/255) + " " + small(float64(c.B)/255)
}

// pdfString returns a text in UTF-16, in PDF notation.
func pdfString(s string) string { return "<FEFF" + utf16Hex(s) + ">" }

func utf16Hex(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String()
}

// pdfName returns a name with special characters escaped.
func pdfName(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "#%02X", c)
		}
	}
	return b.String()
}
