package publish

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

// programOf returns a program with a section before its data and one after.
func programOf(parts []segment) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00\x0a\x03abc\x0b")
	section := written(parts)
	out = append(binary.AppendUvarint(out, uint64(len(section))), section...)
	return append(out, 0, 2, 1, 'x')
}

// memory returns the initial memory, and the number of its segments.
func memory(t *testing.T, program []byte) (image []byte, parts int) {
	t.Helper()
	size, n := binary.Uvarint(program[14:])
	all, ok := segments(program[14+n:][:size])
	if !ok || !bytes.Equal(program[:14], programOf(nil)[:14]) || !bytes.HasSuffix(program, []byte{0, 2, 1, 'x'}) {
		t.Fatalf("a program of %d bytes begins % x", len(program), program[:min(len(program), 40)])
	}
	image = make([]byte, 1<<22)
	for _, s := range all {
		copy(image[s.at:], s.data)
	}
	return image, len(all)
}

// TestJoined: the initial memory is the same, whatever the order of its segments, and there are fewer segments.
func TestJoined(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		var parts []segment
		for at := int64(random.IntN(200)); at < 1<<21; at += int64(random.IntN(2)*random.IntN(4*widest) + random.IntN(64)) {
			s := segment{at, make([]byte, 1+random.IntN(300))}
			for i := range s.data {
				s.data[i] = byte(random.Uint32())
			}
			parts = append(parts, s)
			at += int64(len(s.data))
		}
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		program := programOf(parts)
		want, _ := memory(t, program)
		got, n := memory(t, joined(program))
		if !bytes.Equal(got, want) || n > len(parts)*3/4 {
			t.Fatalf("%d parts are %d, memory is the same: %t", len(parts), n, bytes.Equal(got, want))
		}
	}
}

// TestJoinedLeaves: a section that differs from the compiler's form stays unchanged.
func TestJoinedLeaves(t *testing.T) {
	passive := "\x01\x41\x00\x0b\x3e" + strings.Repeat("a", 0x3e) // of 0x41 bytes, which read as a constant address
	for name, program := range map[string][]byte{
		"nothing": nil, "no sections": []byte("\x00asm"),
		"overlapping":                programOf([]segment{{0, []byte("abc")}, {2, []byte("d")}}),
		"before memory":              programOf([]segment{{-5, []byte("abc")}, {9, []byte("d")}}),
		"its end is missing":         programOf([]segment{{4, []byte("abc")}})[:18],
		"a size beyond all":          []byte("\x00asm\x01\x00\x00\x00\x0b\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
		"passive":                    withData("\x01" + passive),
		"address of a variable":      withData("\x01\x00\x23\x00\x0b\x02ab"),
		"address is a sum":           withData("\x01\x00\x41\x01\x41\x05\x6a\x0b\x02ab"),
		"less than its size":         withData("\x01\x00\x41\x00\x0b\x09ab"),
		"fewer than its count":       withData("\x02\x00\x41\x00\x0b\x02ab"),
		"more behind what it counts": withData("\x01\x00\x41\x00\x0b\x02ab\x00"),
	} {
		if got := joined(program); !bytes.Equal(got, program) {
			t.Errorf("%s: % x became % x", name, program[:min(len(program), 40)], got[:min(len(got), 40)])
		}
	}
}

// withData returns a program with only a data section.
func withData(section string) []byte {
	return append(binary.AppendUvarint([]byte("\x00asm\x01\x00\x00\x00\x0b"), uint64(len(section))), section...)
}

func TestSigned(t *testing.T) {
	for _, want := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1<<31 - 1, -1, -64, -65, -1 << 31} {
		if got, n := signed(append(appendSigned(nil, want), 0xff)); got != want || n != len(appendSigned(nil, want)) {
			t.Errorf("%d is read as %d of %d bytes", want, got, n)
		}
	}
	if _, n := signed([]byte{0x80, 0x80}); n != 0 {
		t.Error("a number without an end is read")
	}
}
