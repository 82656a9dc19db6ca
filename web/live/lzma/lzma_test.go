package lzma

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// reader decodes what a writer wrote: the models request the bits.
type reader struct {
	t           testing.TB
	from        []byte
	width, code uint32
}

func (r *reader) settle() {
	if r.width < least {
		if len(r.from) == 0 {
			r.t.Fatal("the stream ends before its data")
		}
		r.width, r.code, r.from = r.width<<8, r.code<<8|uint32(r.from[0]), r.from[1:]
	}
}

func (r *reader) bit(c *chance) uint32 {
	bound := r.width >> chanceBits * uint32(*c)
	bit := uint32(0)
	if r.code < bound {
		r.width = bound
		*c += (1<<chanceBits - *c) >> adapting
	} else {
		r.width, r.code, bit = r.width-bound, r.code-bound, 1
		*c -= *c >> adapting
	}
	r.settle()
	return bit
}

func (r *reader) tree(m []chance, n int) uint32 {
	at := uint32(1)
	for range n {
		at = at<<1 | r.bit(&m[at])
	}
	return at - 1<<n
}

func (r *reader) reverse(m []chance, n int) (value uint32) {
	at := uint32(1)
	for i := range n {
		b := r.bit(&m[at])
		at, value = at<<1|b, value|b<<i
	}
	return value
}

func (r *reader) length(l *lengths, place int) int32 {
	switch {
	case r.bit(&l.choice[0]) == 0:
		return int32(shortest + r.tree(l.low[place][:], 3))
	case r.bit(&l.choice[1]) == 0:
		return int32(shortest + 8 + r.tree(l.mid[place][:], 3))
	default:
		return int32(shortest + 16 + r.tree(l.high[:], 8))
	}
}

func (r *reader) distance(m *models, class int) uint32 {
	slot := r.tree(m.slot[class][:], 6)
	if slot < 4 {
		return slot
	}
	n := int(slot/2 - 1)
	base := (2 | slot&1) << n
	if slot < nearSlots {
		return base + r.reverse(m.low[base-slot:], n)
	}
	for i := n - 1; i >= alignBits; i-- {
		r.width >>= 1
		if r.code >= r.width {
			r.code -= r.width
			base += 1 << i
		}
		r.settle()
	}
	return base + r.reverse(m.align[:], alignBits)
}

// again returns the byte at the last distance.
func (r *reader) again(data []byte, p past) byte {
	if int(p.last[0]) >= len(data) {
		r.t.Fatalf("byte %d is that of %d bytes before", len(data), p.last[0]+1)
	}
	return data[len(data)-1-int(p.last[0])]
}

func (r *reader) literal(m *models, data []byte, p past) byte {
	before := byte(0)
	if len(data) > 0 {
		before = data[len(data)-1]
	}
	table, symbol := &m.literal[before>>(8-literalBits)], uint32(1)
	if p.state >= 7 {
		for known := r.again(data, p); symbol < 0x100; known <<= 1 {
			other := uint32(known >> 7)
			b := r.bit(&table[(1+other)<<8+symbol])
			symbol = symbol<<1 | b
			if b != other {
				break
			}
		}
	}
	for symbol < 0x100 {
		symbol = symbol<<1 | r.bit(&table[symbol])
	}
	return byte(symbol)
}

// step reads one step. The distance of a literal is its byte.
func (r *reader) step(m *models, data []byte, p past) step {
	place := len(data) & (places - 1)
	if r.bit(&m.isMatch[p.state][place]) == 0 {
		return step{length: 1, kind: literal, distance: uint32(r.literal(m, data, p))}
	}
	if r.bit(&m.isRep[0][p.state]) == 0 {
		n := r.length(&m.length[0], place)
		return step{length: n, kind: fresh, distance: r.distance(m, lengthClass(int(n)))}
	}
	which := int8(0)
	for which < 3 && r.bit(&m.isRep[1+which][p.state]) == 1 {
		which++
	}
	if which == 0 && r.bit(&m.isLong[p.state][place]) == 0 {
		return step{length: 1}
	}
	return step{length: r.length(&m.length[1], place), kind: which}
}

// decompressed returns the content of a file that Compress wrote.
func decompressed(t testing.TB, file []byte) []byte {
	t.Helper()
	if file[0] != placeBits*45+literalBits || file[13] != 0 {
		t.Fatalf("header % x", file[:14])
	}
	size := int(binary.LittleEndian.Uint64(file[5:]))
	r := &reader{t: t, from: file[18:], width: 0xffffffff, code: binary.BigEndian.Uint32(file[14:])}
	var m models
	m.reset()
	var p past
	data := make([]byte, 0, size)
	for len(data) < size {
		s := r.step(&m, data, p)
		p = p.after(s)
		for range s.length {
			if s.kind == literal {
				data = append(data, byte(s.distance))
			} else {
				data = append(data, r.again(data, p))
			}
		}
	}
	if len(r.from) != 0 {
		t.Errorf("%d bytes are behind the stream", len(r.from))
	}
	return data
}

// samples returns many kinds of data: empty, noise, near, far and approximate repetitions, and this program.
func samples(t *testing.T) map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	counting := make([]byte, 60_000)
	for i := range counting {
		counting[i] = byte(i >> (i % 5))
	}
	few := make([]byte, 50_000)
	for i := range few {
		few[i] = byte(random.IntN(3))
	}
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"nothing": {}, "one": {7}, "four": {1, 2, 3, 4}, "zeros": make([]byte, 100_000), "noise": noise, "counting": counting,
		"few":     few,
		"far":     append(append(bytes.Clone(noise), make([]byte, 1<<20)...), noise...),
		"text":    []byte(strings.Repeat("The old cat sat on the mat, and the cat slept. ", 900)),
		"program": program[:min(len(program), 1<<20)],
	}
}

// TestCompress: the decompressed data are the original data. If xz is installed, it agrees.
func TestCompress(t *testing.T) {
	xz, missing := exec.LookPath("xz")
	for name, data := range samples(t) {
		file := Compress(data)
		if got := decompressed(t, file); !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes came back as %d", name, len(data), len(got))
		}
		if most := len(data) + len(data)/50 + 32; len(file) > most {
			t.Errorf("%s: %d bytes are %d, more than %d", name, len(data), len(file), most)
		}
		if missing != nil {
			continue
		}
		path := filepath.Join(t.TempDir(), "a.lzma")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := exec.CommandContext(t.Context(), xz, "--format=lzma", "-dc", path).Output()
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: xz reads %d bytes of %d: %v", name, len(got), len(data), err)
		}
	}
	if missing != nil {
		t.Log("without xz: its reading was not compared")
	}
}

// TestSmall: a program is much smaller than with gzip. For 1 MiB of one, at the best levels: gzip 492,659 bytes,
// xz 403,782, this package 407,778.
func TestSmall(t *testing.T) {
	data := samples(t)["program"]
	var other bytes.Buffer
	z, err := gzip.NewWriterLevel(&other, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(data)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	if got := len(Compress(data)); got > other.Len()*88/100 {
		t.Errorf("%d bytes are %d, and %d of gzip", len(data), got, other.Len())
	}
}

// FuzzCompress: any bytes are decompressed correctly.
func FuzzCompress(f *testing.F) {
	f.Add([]byte("aaaaabaaaaabaaaaac"), uint16(3))
	f.Add([]byte{0, 255, 0, 255}, uint16(900))
	random := rand.New(rand.NewPCG(5, 6)) // noise makes held bytes grow by a carry; its repetition is far away
	for _, n := range []int{200, 20_000} {
		noise := make([]byte, n)
		for i := range noise {
			noise[i] = byte(random.Uint32())
		}
		f.Add(noise, uint16(2))
	}
	f.Fuzz(func(t *testing.T, part []byte, times uint16) {
		data := bytes.Repeat(part, 1+int(times)%1000)
		if len(data) > 1<<16 {
			data = data[:1<<16]
		}
		for i := range data { // so that the bytes differ
			if i%97 == 0 {
				data[i] ^= byte(i / 97)
			}
		}
		if got := decompressed(t, Compress(data)); !bytes.Equal(got, data) {
			t.Fatalf("%d bytes came back as %d", len(data), len(got))
		}
	})
}
