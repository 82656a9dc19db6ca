package typeface

import (
	"encoding/binary"
	"slices"

	"github.com/go-text/typesetting/font"
)

// embedded lists the tables that a PDF reader needs of a font (PDF 2.0, 9.9.1). The PDF itself maps characters to
// glyphs.
var embedded = []string{"glyf", "head", "hhea", "hmtx", "loca", "maxp"}

// Subset returns a TrueType file, to be embedded in a PDF, with only the given glyphs and the glyphs of which they
// consist. Glyphs keep their numbers. Their instructions are removed, because the file lacks the programs that they
// call.
func (f *Face) Subset(glyphs []font.GID) ([]byte, error) {
	tables, err := tablesOf(f.TTF())
	if err != nil {
		return nil, err
	}
	wanted := map[int]bool{0: true}
	for _, g := range glyphs {
		wanted[int(g)] = true
	}
	if err := keepGlyphs(tables, wanted); err != nil {
		return nil, err
	}
	if tables["hmtx"], err = metricsOf(tables, wanted); err != nil {
		return nil, err
	}
	return assemble(tables, embedded), nil
}

// metricsOf returns the table hmtx, in which the widths of unwanted glyphs are 0. Zeros compress well.
func metricsOf(tables map[string][]byte, wanted map[int]bool) ([]byte, error) {
	if len(tables["hhea"]) < 36 {
		return nil, errFont
	}
	widths := slices.Clone(tables["hmtx"])
	n := int(binary.BigEndian.Uint16(tables["hhea"][34:])) // glyphs from n on share the last width
	if len(widths) < 4*n {
		return nil, errFont
	}
	for g := range n - 1 {
		if !wanted[g] {
			clear(widths[4*g : 4*g+4])
		}
	}
	return widths, nil
}

// Parts of the description of a glyph (OpenType 1.9, "glyf").
const (
	glyphHeader  = 10     // bytes: the number of contours, and the bounding box
	instructions = 1 << 8 // flag of the last part of a composite glyph: instructions follow
)

// uninstructed returns a glyph without its instructions.
func uninstructed(glyph []byte) []byte {
	if len(glyph) < glyphHeader {
		return glyph
	}
	contours := int(int16(binary.BigEndian.Uint16(glyph)))
	if contours < 0 {
		return partsOnly(glyph)
	}
	at := glyphHeader + 2*contours // offset of the length of the instructions
	if len(glyph) < at+2 {
		return glyph
	}
	rest := at + 2 + int(binary.BigEndian.Uint16(glyph[at:]))
	return slices.Concat(glyph[:at], []byte{0, 0}, glyph[min(rest, len(glyph)):])
}

// partsOnly returns a composite glyph without its instructions.
func partsOnly(glyph []byte) []byte {
	out := slices.Clone(glyph)
	for at := glyphHeader; at+4 <= len(out); {
		flags := binary.BigEndian.Uint16(out[at:])
		binary.BigEndian.PutUint16(out[at:], flags&^instructions)
		if at += partSize(flags); flags&moreParts == 0 {
			return out[:min(at, len(out))]
		}
	}
	return out
}
