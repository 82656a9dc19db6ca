package live

import (
	"bytes"
	"io"
	"strings"
)

// forbidden are the seven-bit characters that a text in a page cannot contain, or that editors and file systems
// change: NUL, the controls for ends of lines and of files, and the characters that begin a tag.
const forbidden = "\x00\x08\t\n\v\f\r\x1a\x1b<\x7f"

// Encode writes bytes as text with seven bits in each byte of UTF-8, which is a sixth shorter than base64. A
// forbidden group of seven bits is written together with the next group, as a character of two bytes: the index among
// the forbidden characters, counted from 1, and the next seven bits.
//
// Source: K. Albertson, "Base-122 Encoding", 2016.
func Encode(data []byte) string {
	var out strings.Builder
	out.Grow(len(data)*8/7 + 2)
	encode(&out, data)
	return out.String()
}

// encode writes what Encode returns. A buffered writer remembers its error until it is flushed.
func encode(out interface {
	io.ByteWriter
	WriteRune(r rune) (int, error)
}, data []byte) {
	groups := sevens{data: data}
	for {
		group, ok := groups.next()
		if !ok {
			return
		}
		if at := bytes.IndexByte([]byte(forbidden), group); at >= 0 {
			with, _ := groups.next() // after the last group: zeros, which the decoder ignores
			_, _ = out.WriteRune(rune(at+1)<<7 | rune(with))
		} else {
			_ = out.WriteByte(group)
		}
	}
}

// engineSize is the approximate size of the engine, its scripts and its texts in a page, in bytes. It is constant, so
// that it is known before the engine is compiled; a test compares it with the real size.
const engineSize = 1_675_000

// Size estimates the size of a page with this many bytes of weights.
func Size(weights int) int { return engineSize + Encoded(weights) }

// Encoded estimates the length of the text that Encode makes of this many bytes.
func Encoded(bytes int) int { return bytes / 7 * 8 }

// sevens reads the bits of data in groups of seven, the first bit in the highest place.
type sevens struct {
	data []byte
	bit  int // index of the next bit of data
}

func (s *sevens) next() (byte, bool) {
	at, shift := s.bit/8, s.bit%8
	if at >= len(s.data) {
		return 0, false
	}
	two := uint16(s.data[at]) << 8
	if at+1 < len(s.data) {
		two |= uint16(s.data[at+1])
	}
	s.bit += 7
	return byte(two << shift >> 9), true
}
