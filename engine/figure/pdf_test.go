package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/typeface"

	"github.com/go-text/typesetting/font"
	"golang.org/x/image/vector"
)

// scripts returns a figure with words of every script with a font, including Arabic with ligatures
// and marks.
func scripts() Spec {
	words := []string{"cat", "لأنه", "السَّلام", "注意", "नमस्ते", "สวัสดี", "안녕", "🙂", "fit"}
	return Spec{Title: "Title", Subtitle: "السجادة لأنه كان", Map: named(softmaxMap(len(words), 1, 3), words, words),
		Meta: []Meta{{"Description", "What the figure <shows> & says"}, {"Source", "/export/x.pdf?a=1&b=2"}}}
}

func pdfOf(t *testing.T, s Spec) []byte {
	t.Helper()
	f, err := New(s)
	var out bytes.Buffer
	if err == nil {
		err = f.PDF(&out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pdfObjects returns the objects of a file by number.
func pdfObjects(file []byte) map[int][]byte {
	objects := map[int][]byte{}
	for _, m := range regexp.MustCompile(`(?s)\n(\d+) 0 obj\n(.*?)\nendobj`).FindAllSubmatch(file, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		objects[n] = m[2]
	}
	return objects
}

// pointed returns the object to which an entry of a dictionary refers.
func pointed(t *testing.T, objects map[int][]byte, of []byte, entry string) []byte {
	t.Helper()
	m := regexp.MustCompile(entry + `\[?(\d+) 0 R`).FindSubmatch(of)
	if m == nil {
		t.Fatalf("there is no %s in %.300s", entry, of)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return objects[n]
}

// unpacked returns the content of a compressed stream.
func unpacked(t *testing.T, object []byte) []byte {
	t.Helper()
	_, data, _ := bytes.Cut(object, []byte("stream\n"))
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPDFFontsAreTrueType: every font of a file is a subset of a TrueType file, with the outlines
// and widths of the whole font.
func TestPDFFontsAreTrueType(t *testing.T) {
	file := pdfOf(t, scripts())
	if bytes.Contains(file, []byte("/Type3")) {
		t.Error("a font is of type 3")
	}
	objects, count := pdfObjects(file), 0
	for _, o := range objects {
		if !bytes.Contains(o, []byte("/Subtype/Type0")) {
			continue
		}
		count++
		descendant := pointed(t, objects, o, "/DescendantFonts")
		descriptor := pointed(t, objects, descendant, "/FontDescriptor ")
		name := regexp.MustCompile(`/FontName/([A-Z]{6}\+\w+)`).FindSubmatch(descriptor)
		if name == nil || !bytes.Contains(o, name[1]) || !bytes.Contains(descendant, name[1]) {
			t.Errorf("the names of a font differ: %s", descriptor)
		}
		glyphs := unpacked(t, pointed(t, objects, descendant, "/CIDToGIDMap "))
		widths := strings.Fields(string(regexp.MustCompile(`/W\[1\[([^\]]*)`).FindSubmatch(descendant)[1]))
		ttf := parseTrueType(t, unpacked(t, pointed(t, objects, descriptor, "/FontFile2 ")))
		if len(glyphs) != 2*(len(widths)+1) {
			t.Fatalf("%d glyphs, %d widths", len(glyphs)/2-1, len(widths))
		}
		whole := wholeOf(t, string(name[1][7:]), ttf, glyphs)
		unit := 1000 / float64(whole.Upem())
		for i, width := range widths {
			g := int(binary.BigEndian.Uint16(glyphs[2*i+2:]))
			want := num(float64(whole.HorizontalAdvance(font.GID(g))) * unit)
			if got := num(float64(ttf.width(g)) * unit); width != want || got != want {
				t.Errorf("%s: glyph %d is %s wide, in its file %s, want %s", name[1], g, width, got, want)
			}
		}
	}
	if count < 6 {
		t.Errorf("%d fonts", count)
	}
}

// wholeOf returns the face with the outlines of a font subset.
func wholeOf(t *testing.T, name string, part trueType, glyphs []byte) *font.Face {
	t.Helper()
	for _, f := range []*typeface.Face{typeface.SansBold, typeface.Sans, typeface.Chinese, typeface.Korean,
		typeface.Devanagari, typeface.Thai, typeface.Emoji} {
		face := font.NewFace(f.Font())
		if strings.ReplaceAll(face.Describe().Family, " ", "") != name {
			continue
		}
		same := true
		for i := 2; i < len(glyphs); i += 2 {
			g := int(binary.BigEndian.Uint16(glyphs[i:]))
			e, ok := face.GlyphExtents(font.GID(g))
			box := part.box(g)
			same = same && (!ok || e.Width == 0 || box == [4]int{int(e.XBearing), int(e.YBearing + e.Height),
				int(e.XBearing + e.Width), int(e.YBearing)})
		}
		if same {
			return face
		}
	}
	t.Fatalf("no font has the outlines of the part of %s", name)
	return nil
}

// trueType holds the tables of a TrueType file by name.
type trueType map[string][]byte

// parseTrueType reads a file, and verifies the checksums of its tables.
func parseTrueType(t *testing.T, file []byte) trueType {
	t.Helper()
	tables := trueType{}
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		entry := file[12+16*i:]
		from, n := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		data, sum := file[from:from+n], uint32(0)
		for k := 0; k < int(n); k += 4 {
			var word [4]byte
			copy(word[:], data[k:])
			if string(entry[:4]) != "head" || k != 8 {
				sum += binary.BigEndian.Uint32(word[:])
			}
		}
		if sum != binary.BigEndian.Uint32(entry[4:]) {
			t.Errorf("the sum of %s is wrong", entry[:4])
		}
		tables[string(entry[:4])] = data
	}
	for _, name := range []string{"glyf", "head", "hhea", "hmtx", "loca", "maxp"} {
		if tables[name] == nil {
			t.Fatalf("there is no table %s", name)
		}
	}
	return tables
}

func (f trueType) width(g int) int {
	last := int(binary.BigEndian.Uint16(f["hhea"][34:])) - 1
	return int(binary.BigEndian.Uint16(f["hmtx"][4*min(g, last):]))
}

// box returns the bounding box of a glyph: left, bottom, right, top. The glyph must not have
// instructions.
func (f trueType) box(g int) (box [4]int) {
	from, to := binary.BigEndian.Uint32(f["loca"][4*g:]), binary.BigEndian.Uint32(f["loca"][4*g+4:])
	data := f["glyf"][from:to]
	if len(data) < 10 {
		return box
	}
	for i := range box {
		box[i] = int(int16(binary.BigEndian.Uint16(data[2+2*i:])))
	}
	if contours := int(int16(binary.BigEndian.Uint16(data))); contours >= 0 &&
		binary.BigEndian.Uint16(data[10+2*contours:]) != 0 {
		return [4]int{-1, -1, -1, -1}
	}
	return box
}

// TestPDFIsTagged: the page is one figure with alternative text, a language and well-formed XMP.
func TestPDFIsTagged(t *testing.T) {
	file := pdfOf(t, scripts())
	objects := pdfObjects(file)
	root := pointed(t, objects, file[bytes.LastIndex(file, []byte("trailer")):], "/Root ")
	for _, want := range []string{"/Lang(en)", "/MarkInfo<</Marked true>>", "/DisplayDocTitle true"} {
		if !bytes.Contains(root, []byte(want)) {
			t.Errorf("no %s in %s", want, root)
		}
	}
	document := pointed(t, objects, pointed(t, objects, root, "/StructTreeRoot "), "/K")
	element := pointed(t, objects, document, "/K")
	if want := "/S/Figure"; !bytes.Contains(element, []byte(want)) ||
		!bytes.Contains(element, []byte("/Alt"+pdfString("What the figure <shows> & says"))) {
		t.Errorf("the figure is %s", element)
	}
	page := pointed(t, objects, element, "/Pg ")
	content := unpacked(t, pointed(t, objects, page, "/Contents "))
	begun, ended := bytes.Count(content, []byte("BDC")), bytes.Count(content, []byte("EMC"))
	if !bytes.HasPrefix(content, []byte("/Figure<</MCID 0>>BDC\n")) || !bytes.HasSuffix(content, []byte("EMC\n")) ||
		begun != ended || begun < 2 {
		t.Errorf("%d marks begin and %d end in %.60s", begun, ended, content)
	}
	metadata := pointed(t, objects, root, "/Metadata ")
	_, packet, _ := bytes.Cut(metadata, []byte("stream\n"))
	packet = bytes.TrimSuffix(packet, []byte("\nendstream"))
	if want := fmt.Sprintf("/Length %d>>", len(packet)); !bytes.Contains(metadata, []byte(want)) {
		t.Errorf("no %s in %.80s", want, metadata)
	}
	var xmp struct {
		Description struct {
			Title  string `xml:"title>Alt>li"`
			Source string `xml:"source"`
		} `xml:"RDF>Description"`
	}
	if err := xml.Unmarshal(packet, &xmp); err != nil || xmp.Description.Title != "Title" ||
		xmp.Description.Source != "/export/x.pdf?a=1&b=2" {
		t.Errorf("the XMP says %+v: %v", xmp, err)
	}
}

// TestPDFTextIsCopied: Poppler copies the words of every script as typed, and finds no font of type
// 3.
func TestPDFTextIsCopied(t *testing.T) {
	reader, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext (poppler-utils) is missing")
	}
	command := exec.CommandContext(t.Context(), reader, "-", "-")
	command.Stdin = bytes.NewReader(pdfOf(t, scripts()))
	text, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	copied := strings.Map(func(r rune) rune { // direction marks surround words
		if slices.Contains([]rune("\u202a\u202b\u202c\u200e\u200f"), r) {
			return -1
		}
		return r
	}, string(text))
	for _, word := range []string{"cat", "لأنه", "السَّلام", "注意", "नमस्ते", "สวัสดี", "안녕", "🙂", "fit", "لأنه كان",
		"السجادة لأنه"} {
		if !strings.Contains(copied, word) {
			t.Errorf("%s is not in %s", word, copied)
		}
	}
}

// TestNoSeams: renderers that blend edges (ours, MuPDF and Poppler) draw no line between cells in a
// colour that no nearby cell has.
func TestNoSeams(t *testing.T) {
	const dots = 55 // per inch, so that edges fall into pixels
	s := Spec{Map: softmaxMap(24, 3, 3), Palette: Greys}
	for name, rendered := range map[string]func(*testing.T, *drawing) image.Image{
		"blended": func(_ *testing.T, d *drawing) image.Image { return blended(d, dots/96.) },
		"mutool": func(t *testing.T, _ *drawing) image.Image {
			return renderedBy(t, pdfOf(t, s), "mutool", "mupdf-tools", "draw", "-q", "-r", strconv.Itoa(dots), "-F", "png",
				"-o", "-", "x.pdf")
		},
		"pdftoppm": func(t *testing.T, _ *drawing) image.Image {
			return renderedBy(t, pdfOf(t, s), "pdftoppm", "poppler-utils", "-r", strconv.Itoa(dots), "-png", "x.pdf")
		},
	} {
		t.Run(name, func(t *testing.T) {
			drawnOf(t, s, func(p *page, d *drawing) { noSeams(t, p, rendered(t, d), dots/96.) })
		})
	}
}

// renderedBy returns the first page of a PDF file, x.pdf, as rendered by another program.
func renderedBy(t *testing.T, file []byte, program, from string, args ...string) image.Image {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatalf("%s is missing, so its pixels cannot be tested", program)
	} else if err != nil {
		t.Skipf("SKIPPED, NOT CHECKED: %s is not installed (Debian: %s), so its pixels were not tested", program, from)
	}
	command := exec.CommandContext(t.Context(), path, args...)
	command.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(command.Dir, "x.pdf"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// noSeams checks each pixel of an image of a page.
func noSeams(t *testing.T, p *page, img image.Image, scale float64) {
	t.Helper()
	g, b := p.grid, p.brush()
	seen := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			col, row := (float64(x)/scale-float64(p.corner.X))/float64(p.cell.X),
				(float64(y)/scale-float64(p.corner.Y))/float64(p.cell.Y)
			if min(col, row) < 1 || col > float64(g.Cols-2) || row > float64(g.Rows-2) {
				continue
			}
			seen++
			least, most := 255, 0
			for r := int(row - 0.2); r <= int(row+0.4); r++ {
				for c := int(col - 0.2); c <= int(col+0.4); c++ {
					v := int(b.ground(r*g.Cols + c).R)
					least, most = min(least, v), max(most, v)
				}
			}
			red, _, _, _ := img.At(x, y).RGBA()
			if v := int(red >> 8); v < least-2 || v > most+2 {
				t.Fatalf("pixel %d, %d is %d, beside cells from %d to %d", x, y, v, least, most)
			}
		}
	}
	if seen < 1000 {
		t.Errorf("the image has %d pixels of cells", seen)
	}
}

// blended draws the areas of a drawing at another size, with blended edges.
func blended(d *drawing, scale float32) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, int(d.width*float64(scale)), int(d.height*float64(scale))))
	for _, s := range d.shapes {
		a, ok := s.(areaShape)
		if !ok {
			continue
		}
		r := vector.NewRasterizer(img.Rect.Dx(), img.Rect.Dy())
		for _, step := range a.outline {
			switch x, y := float32(step.points[0].x)*scale, float32(step.points[0].y)*scale; step.kind {
			case 'm':
				r.MoveTo(x, y)
			case 'l':
				r.LineTo(x, y)
			case 'z':
				r.ClosePath()
			}
		}
		r.Draw(img, img.Rect, image.NewUniform(a.colour), image.Point{})
	}
	return img
}
