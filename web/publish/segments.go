package publish

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// The compiler leaves zeros out of the initial memory: up to 100,000 segments with their addresses. Most have a few
// bytes of tables with regular distances, which the addresses hide from compressors. With the zeros put back, the
// program is an eighth longer, and a tenth shorter after compression with gzip.
//
// Source: WebAssembly Core Specification 2.0, 5.5 (modules), 5.5.14 (data section).

const (
	header      = 8       // bytes of a program before its sections
	dataSection = 11      // its number
	widest      = 1 << 10 // longest run of zeros that is put back
	constant    = 0x41    // the instruction before an address
	end         = 0x0b    // and after it
)

// segment is a run of bytes at an address of memory.
type segment struct {
	at   int64
	data []byte
}

// joined returns a program with the zeros between segments of its memory. It does not change programs whose segments
// overlap or differ from the compiler's; they start as well.
func joined(program []byte) []byte {
	for at := header; at < len(program); {
		size, n := binary.Uvarint(program[at+1:])
		from := at + 1 + n
		to := from + int(size)
		if n <= 0 || to > len(program) || to < from {
			return program
		}
		if program[at] == dataSection {
			parts, ok := segments(program[from:to])
			if !ok {
				return program
			}
			section := written(filled(parts))
			out := append(slices.Clone(program[:at]), dataSection)
			out = append(binary.AppendUvarint(out, uint64(len(section))), section...)
			return append(out, program[to:]...)
		}
		at = to
	}
	return program
}

// segments reads a data section, sorted by address.
func segments(section []byte) (all []segment, ok bool) {
	count, n := binary.Uvarint(section)
	if n <= 0 {
		return nil, false
	}
	section = section[n:]
	for range count {
		if len(section) < 2 || section[0] != 0 || section[1] != constant {
			return nil, false // not a constant address of the only memory
		}
		at, n := signed(section[2:])
		if n <= 0 || len(section) < 3+n || section[2+n] != end {
			return nil, false
		}
		section = section[3+n:]
		size, n := binary.Uvarint(section)
		if n <= 0 || size > uint64(len(section)-n) {
			return nil, false
		}
		all = append(all, segment{at, section[n:][:size]})
		section = section[n+int(size):]
	}
	slices.SortStableFunc(all, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	for i := range all[:max(1, len(all))-1] {
		if all[i].at < 0 || all[i].at+int64(len(all[i].data)) > all[i+1].at {
			return nil, false
		}
	}
	return all, len(section) == 0
}

// filled puts zeros between nearby segments.
func filled(parts []segment) (all []segment) {
	for _, p := range parts {
		if len(all) > 0 {
			last := &all[len(all)-1]
			if gap := p.at - last.at - int64(len(last.data)); gap <= widest {
				last.data = append(append(last.data, make([]byte, gap)...), p.data...)
				continue
			}
		}
		all = append(all, segment{p.at, slices.Clone(p.data)})
	}
	return all
}

// written encodes a data section.
func written(parts []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(parts)))
	for _, p := range parts {
		out = append(appendSigned(append(out, 0, constant), p.at), end)
		out = append(binary.AppendUvarint(out, uint64(len(p.data))), p.data...)
	}
	return out
}

// signed reads a number with seven bits per byte, the lowest first. The highest bit is the sign; n is the number of
// bytes.
func signed(from []byte) (value int64, n int) {
	for n < len(from) && n < 5 {
		b := from[n]
		value |= int64(b&0x7f) << (7 * n)
		n++
		if b < 0x80 {
			if b&0x40 != 0 {
				value -= 1 << (7 * n)
			}
			return value, n
		}
	}
	return 0, 0
}

func appendSigned(to []byte, value int64) []byte {
	for {
		b := byte(value & 0x7f)
		value >>= 7
		if value == 0 && b&0x40 == 0 || value == -1 && b&0x40 != 0 {
			return append(to, b)
		}
		to = append(to, b|0x80)
	}
}
