package figure

import (
	"fmt"
	"math"
	"strings"
)

// glyphText is a glyph and the text that it stands for where it occurs.
type glyphText struct {
	glyphKey
	text string
}

// pdfFonts gives glyphs codes, 256 to a font.
type pdfFonts struct {
	codes map[glyphText]int
	list  []glyphText // by code
}

// code is the font of a glyph, from 0, and its code there.
func (f *pdfFonts) code(g glyphText) (font, code int) {
	n, known := f.codes[g]
	if !known {
		if f.codes == nil {
			f.codes = map[glyphText]int{}
		}
		n = len(f.list)
		f.codes[g], f.list = n, append(f.list, g)
	}
	return n / 256, n % 256
}

// embed adds all fonts to a file; the result names them.
func (f *pdfFonts) embed(p *pdf, t *typesetter) string {
	names := ""
	for from := 0; from < len(f.list); from += 256 {
		names += fmt.Sprintf("/F%d %d 0 R", from/256, embedFont(p, t, f.list[from:min(from+256, len(f.list))]))
	}
	return names
}

// embedFont adds a font of which every glyph is a small drawing of an em of 1.
func embedFont(p *pdf, t *typesetter, glyphs []glyphText) int {
	var procs, differences, widths, mapping strings.Builder
	for code, g := range glyphs {
		unit := 1000 / float64(t.face(g.face).Upem())
		width := float64(t.face(g.face).HorizontalAdvance(g.id)) * unit
		o, _ := t.glyphOutline(g.face, g.id)
		for i := range o {
			for k := range o[i].points {
				o[i].points[k] = point{math.Round(o[i].points[k].x * unit), math.Round(o[i].points[k].y * unit)}
			}
		}
		number := p.stream("", fmt.Appendf(nil, "%s 0 -2000 -2000 4000 4000 d1 %sf", num(width), pdfPath(o)))
		fmt.Fprintf(&procs, "/g%d %d 0 R", code, number)
		fmt.Fprintf(&differences, "/g%d", code)
		fmt.Fprintf(&widths, "%s ", num(width))
		if g.text != "" {
			fmt.Fprintf(&mapping, "1 beginbfchar <%02x> <%s> endbfchar\n", code, utf16Hex(g.text))
		}
	}
	unicode := p.stream("", []byte(cmapBegin+mapping.String()+cmapEnd))
	return p.add("<</Type/Font/Subtype/Type3/FontBBox[-2000 -2000 4000 4000]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 0/LastChar %d/Widths[%s]"+
		"/Encoding<</Type/Encoding/Differences[0 %s]>>/CharProcs<<%s>>/Resources<<>>/ToUnicode %d 0 R>>",
		len(glyphs)-1, widths.String(), differences.String(), procs.String(), unicode)
}

// A CMap says for each code what text it is (PDF 1.7, 9.10.3).
const (
	cmapBegin = "/CIDInit/ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName/Text def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<00><ff>\nendcodespacerange\n"
	cmapEnd = "endcmap\nCMapName currentdict/CMap defineresource pop\nend\nend"
)
