package live

import (
	"bytes"
	"io"
	"strings"
)

// forbidden are the characters of seven bits that a text in a page cannot have, or that editors and file systems
// change: NUL, the controls that stand for ends of lines and of files, and what begins a tag.
const forbidden = "\x00\x08\t\n\v\f\r\x1a\x1b<\x7f"

// Encode writes bytes as a text of seven bits in each byte of UTF-8, a sixth less than base64. A group of seven bits
// that is forbidden is written together with the next one, as a character of two bytes: its place among the forbidden,
// from 1, and the seven bits.
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
			with, _ := groups.next() // behind the last: zeros, of which whoever reads makes no bytes
			_, _ = out.WriteRune(rune(at+1)<<7 | rune(with))
		} else {
			_ = out.WriteByte(group)
		}
	}
}

// engineSize is about what the engine, its scripts and its texts take of a page, in bytes. It is the same whether the
// engine was compiled already or not; a test compares it with what was.
const engineSize = 1_550_000

// Size is about how many bytes a page with so many bytes of weights has.
func Size(weights int) int { return engineSize + Encoded(weights) }

// Encoded is about how long Encode makes so many bytes.
func Encoded(bytes int) int { return bytes / 7 * 8 }

// sevens are the bits of data, seven at a time, the first in the highest place.
type sevens struct {
	data []byte
	bit  int // of data, that is next
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
