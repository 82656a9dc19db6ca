package live

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// decoded decodes a text as decode.js does.
func decoded(text string, size int) []byte {
	data := make([]byte, 0, size)
	held, bits := 0, 0
	put := func(seven int) {
		held, bits = held<<7|seven, bits+7
		if bits < 8 {
			return
		}
		bits -= 8
		if len(data) < size {
			data = append(data, byte(held>>bits))
		}
		held &= 1<<bits - 1
	}
	for _, c := range text {
		if c > 127 {
			put(int(forbidden[c>>7-1]))
		}
		put(int(c & 127))
	}
	return data
}

// TestEncode: all bytes are decoded correctly, from a text that pages and files can hold. It is hardly longer than
// 8/7 of them.
func TestEncode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 300 {
		for _, fill := range []func() byte{
			func() byte { return byte(random.Uint32()) },
			func() byte { return forbidden[random.IntN(len(forbidden))] },
			func() byte { return 0 },
			func() byte { return 255 },
		} {
			data := make([]byte, size)
			for i := range data {
				data[i] = fill()
			}
			text := Encode(data)
			if !utf8.ValidString(text) || strings.ContainsAny(text, forbidden) {
				t.Fatalf("%x is written as %q", data, text)
			}
			if len(text) > (size*8+6)/7+1 {
				t.Fatalf("%d bytes are %d", size, len(text))
			}
			if got := decoded(text, size); !bytes.Equal(got, data) {
				t.Fatalf("%x came back as %x", data, got)
			}
		}
	}
}

// TestForbidden: every forbidden character has an index that fits into two bytes of UTF-8, and that decode.js
// knows.
func TestForbidden(t *testing.T) {
	all := []byte(forbidden)
	slices.Sort(all)
	if len(slices.Compact(all)) != len(forbidden) || len(forbidden)<<7|127 > 0x7ff {
		t.Errorf("%q", forbidden)
	}
	var codes []string
	for _, c := range []byte(forbidden) {
		codes = append(codes, strconv.Itoa(int(c)))
	}
	if want := "const FORBIDDEN = [" + strings.Join(codes, ", ") + "];"; !strings.Contains(Decode, want) {
		t.Errorf("decode.js has no %s", want)
	}
}
