package typeface

import (
	"encoding/binary"
	"errors"
	"maps"
	"math/bits"
	"slices"
)

// blockSize is the number of characters in a block. All characters of a block differ only in their last eight bits.
const blockSize = 256

// BlockOf returns the number of the block that contains a character.
func BlockOf(r rune) int { return int(r) / blockSize }

// kept lists the tables of a block. It leaves out the shaping tables, because a face with Blocks does not need them.
var kept = []string{"OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"}

var errFont = errors.New("typeface: a font's tables are not where they should be")

// Block returns a TrueType file with the glyphs of one block only (OpenType 1.9, "glyf" and "loca").
// Glyphs keep their numbers. The glyphs of other characters are empty, which compresses well.
func (f *Face) Block(number int) ([]byte, error) {
	tables, err := tablesOf(f.TTF())
	if err != nil {
		return nil, err
	}
	wanted := map[int]bool{0: true}
	for r := rune(number * blockSize); r < rune((number+1)*blockSize); r++ {
		if g, ok := f.Font().NominalGlyph(r); ok {
			wanted[int(g)] = true
		}
	}
	if err := keepGlyphs(tables, wanted); err != nil {
		return nil, err
	}
	return assemble(tables, kept), nil
}

// keepGlyphs empties the glyphs of a file that are neither wanted nor part of a wanted glyph. It marks the parts as
// wanted.
func keepGlyphs(tables map[string][]byte, wanted map[int]bool) error {
	g, err := newOutlines(tables)
	if err != nil {
		return err
	}
	for _, glyph := range slices.Sorted(maps.Keys(wanted)) {
		if err := g.parts(glyph, wanted); err != nil {
			return err
		}
	}
	tables["glyf"], tables["loca"] = g.only(wanted)
	head := slices.Clone(tables["head"])
	binary.BigEndian.PutUint16(head[50:], 1) // loca has 32 bits
	binary.BigEndian.PutUint32(head[8:], 0)
	tables["head"] = head
	return nil
}

// tablesOf returns the tables of a file by name.
func tablesOf(ttf []byte) (map[string][]byte, error) {
	if len(ttf) < 12 {
		return nil, errFont
	}
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(ttf[4:])) {
		if len(ttf) < 12+16*(i+1) {
			return nil, errFont
		}
		entry := ttf[12+16*i:]
		from, n := int(binary.BigEndian.Uint32(entry[8:])), int(binary.BigEndian.Uint32(entry[12:]))
		if from > len(ttf) || n > len(ttf)-from {
			return nil, errFont
		}
		tables[string(entry[:4])] = ttf[from : from+n]
	}
	if len(tables["head"]) < 54 {
		return nil, errFont
	}
	return tables, nil
}

// outlines holds the glyphs of a file.
type outlines struct {
	glyf []byte
	at   []int // where each glyph begins, and where the last one ends
}

func newOutlines(tables map[string][]byte) (outlines, error) {
	o := outlines{glyf: tables["glyf"]}
	loca, long := tables["loca"], binary.BigEndian.Uint16(tables["head"][50:]) == 1
	for len(loca) >= 2 {
		if long {
			if len(loca) < 4 {
				break
			}
			o.at, loca = append(o.at, int(binary.BigEndian.Uint32(loca))), loca[4:]
		} else {
			o.at, loca = append(o.at, 2*int(binary.BigEndian.Uint16(loca))), loca[2:]
		}
	}
	if len(o.at) < 2 || !slices.IsSorted(o.at) || o.at[len(o.at)-1] > len(o.glyf) {
		return o, errFont
	}
	return o, nil
}

func (o outlines) glyph(g int) []byte {
	if g < 0 || g+1 >= len(o.at) {
		return nil
	}
	return o.glyf[o.at[g]:o.at[g+1]]
}

// Flags of a part of a composite glyph.
const (
	wordArguments = 1 << 0
	oneScale      = 1 << 3
	moreParts     = 1 << 5
	twoScales     = 1 << 6
	matrix        = 1 << 7
)

// parts adds the glyphs of which a composite glyph consists.
func (o outlines) parts(g int, wanted map[int]bool) error {
	data := o.glyph(g)
	if len(data) < 10 || int16(binary.BigEndian.Uint16(data)) >= 0 {
		return nil
	}
	for rest := data[10:]; ; {
		if len(rest) < 4 {
			return errFont
		}
		flags, part := binary.BigEndian.Uint16(rest), int(binary.BigEndian.Uint16(rest[2:]))
		if !wanted[part] {
			wanted[part] = true
			if err := o.parts(part, wanted); err != nil {
				return err
			}
		}
		if flags&moreParts == 0 {
			return nil
		}
		rest = rest[min(partSize(flags), len(rest)):]
	}
}

// partSize returns the number of bytes that describe a part of a composite glyph.
func partSize(flags uint16) int {
	size := 4 + 2
	if flags&wordArguments != 0 {
		size += 2
	}
	switch {
	case flags&oneScale != 0:
		size += 2
	case flags&twoScales != 0:
		size += 4
	case flags&matrix != 0:
		size += 8
	}
	return size
}

// only returns the tables glyf and loca, in which all glyphs except the wanted ones are empty.
func (o outlines) only(wanted map[int]bool) (glyf, loca []byte) {
	for g := range len(o.at) - 1 {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if wanted[g] {
			glyf = append(glyf, uninstructed(o.glyph(g))...)
			glyf = append(glyf, make([]byte, -len(glyf)&3)...)
		}
	}
	return glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
}

// assemble writes a file of the kept tables.
func assemble(tables map[string][]byte, kept []string) []byte {
	var names []string
	for _, name := range kept {
		if tables[name] != nil {
			names = append(names, name)
		}
	}
	n, power := len(names), bits.Len(uint(len(names)))-1
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, v := range []int{n, 16 << power, power, 16*n - 16<<power} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	at, head := len(out)+16*n, 0
	var body []byte
	for _, name := range names {
		if name == "head" {
			head = at + len(body)
		}
		out = append(out, name...)
		for _, v := range []uint32{checksum(tables[name]), uint32(at + len(body)), uint32(len(tables[name]))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		body = append(body, tables[name]...)
		body = append(body, make([]byte, -len(body)&3)...)
	}
	out = append(out, body...)
	binary.BigEndian.PutUint32(out[head+8:], 0xB1B0AFBA-checksum(out))
	return out
}

// checksum returns the sum of the 32-bit words of a table, which is padded with zeros.
func checksum(data []byte) uint32 {
	var sum uint32
	for len(data) >= 4 {
		sum, data = sum+binary.BigEndian.Uint32(data), data[4:]
	}
	var last [4]byte
	copy(last[:], data)
	return sum + binary.BigEndian.Uint32(last[:])
}
