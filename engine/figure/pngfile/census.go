package pngfile

import (
	"bytes"
	"encoding/binary"
	"image"
)

// PNG's colour types and row filters.
const (
	typeRGB     = 2
	typeIndexed = 3
	typeRGBA    = 6

	filterNone = 0
	filterSub  = 1
	filterUp   = 2
)

// census is the set of colours of an image, in order of appearance, as long
// as they fit in a PNG palette.
type census struct {
	colours []uint32 // premultiplied RGBA, little-endian
	index   map[uint32]uint8
	many    bool // more than 256
	opaque  bool
}

func newCensus() *census { return &census{index: make(map[uint32]uint8, 256), opaque: true} }

// collect counts an image's colours. Rows that repeat the one above are
// skipped, and runs are looked up once.
func collect(img *image.RGBA) *census {
	p := newCensus()
	var above []byte
	for y := range img.Rect.Dy() {
		line := rowOf(img, y)
		if bytes.Equal(line, above) {
			continue
		}
		above = line
		p.add(line)
	}
	return p
}

func (p *census) add(line []byte) {
	last, first := uint32(0), true
	for x := 0; x < len(line); x += 4 {
		v := binary.LittleEndian.Uint32(line[x:])
		if v == last && !first {
			continue
		}
		last, first = v, false
		p.opaque = p.opaque && v>>24 == 0xff
		if p.many {
			continue
		}
		if _, seen := p.index[v]; seen {
			continue
		}
		if p.many = len(p.colours) == 256; !p.many {
			p.index[v] = uint8(len(p.colours))
			p.colours = append(p.colours, v)
		}
	}
}

func (p *census) indexed() bool { return !p.many }

func (p *census) colourType() byte {
	switch {
	case p.indexed():
		return typeIndexed
	case p.opaque:
		return typeRGB
	}
	return typeRGBA
}

// bytes returns the bytes of a pixel in the file.
func (p *census) bytes() int {
	switch p.colourType() {
	case typeIndexed:
		return 1
	case typeRGB:
		return 3
	}
	return 4
}

// row fills dst with the filtered row y. If the row repeats the one above, it is all zeros under
// filterUp.
func (p *census) row(dst []byte, img *image.RGBA, y int) {
	line := rowOf(img, y)
	if y > 0 && bytes.Equal(line, rowOf(img, y-1)) {
		clear(dst)
		dst[0] = filterUp
		return
	}
	if p.indexed() {
		dst[0] = filterNone
		p.indices(dst[1:], line)
		return
	}
	dst[0] = filterSub
	if p.opaque {
		subRGB(dst[1:], line)
		return
	}
	var left [4]byte
	for x := 0; x < len(line); x += 4 {
		var now [4]byte
		now[0], now[1], now[2], now[3] = straight(binary.LittleEndian.Uint32(line[x:]))
		for k := range 4 {
			dst[1+x+k] = now[k] - left[k]
		}
		left = now
	}
}

// subRGB writes each pixel's difference from its left neighbour.
func subRGB(dst, line []byte) {
	var r, g, b byte
	for ; len(line) >= 4 && len(dst) >= 3; line, dst = line[4:], dst[3:] {
		dst[0], dst[1], dst[2] = line[0]-r, line[1]-g, line[2]-b
		r, g, b = line[0], line[1], line[2]
	}
}

func (p *census) indices(dst, line []byte) {
	last := binary.LittleEndian.Uint32(line)
	entry := p.index[last]
	for x := range dst {
		if v := binary.LittleEndian.Uint32(line[4*x:]); v != last {
			last, entry = v, p.index[v]
		}
		dst[x] = entry
	}
}

func rowOf(img *image.RGBA, y int) []byte {
	return img.Pix[y*img.Stride:][:img.Rect.Dx()*4]
}

// straight undoes the premultiplication by alpha.
func straight(v uint32) (r, g, b, a uint8) {
	r, g, b, a = uint8(v), uint8(v>>8), uint8(v>>16), uint8(v>>24)
	if a == 0 || a == 0xff {
		return r, g, b, a
	}
	undo := func(c uint8) uint8 { return uint8(min(255, (uint32(c)*255+uint32(a)/2)/uint32(a))) }
	return undo(r), undo(g), undo(b), a
}
