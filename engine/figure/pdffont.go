package figure

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"attnatlas/engine/figure/lettering"

	"github.com/go-text/typesetting/font"
)

// glyphText is a glyph with the text that it represents.
type glyphText struct {
	glyphKey
	text string
}

// pdfFonts assigns codes from 1 to the glyphs of each font.
type pdfFonts [lettering.FaceCount]struct {
	codes map[glyphText]int
	list  []glyphText // by code - 1
}

// code returns the number of a glyph in its font.
func (f *pdfFonts) code(g glyphText) int {
	of := &f[g.face]
	n, known := of.codes[g]
	if !known {
		if of.codes == nil {
			of.codes = map[glyphText]int{}
		}
		of.list = append(of.list, g)
		n = len(of.list)
		of.codes[g] = n
	}
	return n
}

// embed adds all fonts to a file and returns the dictionary of their names.
func (f *pdfFonts) embed(p *pdf, t *lettering.Typesetter) (names string, err error) {
	for id, of := range f {
		if len(of.list) == 0 {
			continue
		}
		number, err := embedFont(p, t.Face(lettering.FaceID(id)), lettering.FaceID(id), of.list)
		if err != nil {
			return "", err
		}
		names += fmt.Sprintf("/F%d %d 0 R", id, number)
	}
	return names, nil
}

// embedFont adds a subset of a TrueType font. Its codes select glyphs and map them to text (PDF
// 2.0, 9.7.4.2, CIDFonts of type 2).
func embedFont(p *pdf, face *font.Face, id lettering.FaceID, glyphs []glyphText) (int, error) {
	unit := 1000 / float64(face.Upem())
	numbers, mapping, widths, ids := []byte{0, 0}, strings.Builder{}, "", make([]font.GID, len(glyphs))
	for i, g := range glyphs {
		numbers = binary.BigEndian.AppendUint16(numbers, uint16(g.id))
		ids[i] = g.id
		widths += num(float64(face.HorizontalAdvance(g.id))*unit) + " "
		if g.text != "" {
			fmt.Fprintf(&mapping, "1 beginbfchar <%04x> <%s> endbfchar\n", i+1, utf16Hex(g.text))
		}
	}
	file, err := lettering.Fonts[id].Subset(ids)
	if err != nil {
		return 0, err
	}
	name := subsetName(file, face)
	extents, _ := face.FontHExtents()
	up, down := num(float64(extents.Ascender)*unit), num(float64(extents.Descender)*unit)
	descriptor := p.add("<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[-1000 %s 2000 %s]/ItalicAngle 0/Ascent %s/Descent %s/CapHeight %s/StemV 80"+
		"/FontFile2 %d 0 R>>", name, down, up, up, down, up, p.stream(fmt.Sprintf("/Length1 %d", len(file)), file))
	descendant := p.add("<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"+
		"/FontDescriptor %d 0 R/DW 0/W[1[%s]]/CIDToGIDMap %d 0 R>>", name, descriptor, widths, p.stream("", numbers))
	return p.add("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>",
		name, descendant, p.stream("", []byte(cmapBegin+mapping.String()+cmapEnd))), nil
}

// subsetName returns the name of a font subset: six letters that distinguish it from other subsets
// (PDF 2.0, 9.9.2), and the name of the font.
func subsetName(file []byte, face *font.Face) string {
	sum := sha256.Sum256(file)
	tag := sum[:6]
	for i := range tag {
		tag[i] = 'A' + tag[i]%26
	}
	return string(tag) + "+" + pdfName(strings.ReplaceAll(face.Describe().Family, " ", ""))
}

// The beginning and end of a CMap, which maps each code to its text (PDF 2.0, 9.10.3).
const (
	cmapBegin = "/CIDInit/ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000><ffff>\nendcodespacerange\n"
	cmapEnd = "endcmap\nCMapName currentdict/CMap defineresource pop\nend\nend"
)
