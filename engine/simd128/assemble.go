package simd128

import (
	_ "embed" // the kernel
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

//go:embed kernel.wat
var text string

// Kernel is the assembled kernel.
func Kernel() ([]byte, error) { return assemble(text) }

// Types of values (5.3), kinds of imports and exports (5.5), and numbers of sections.
const (
	typeI32, typeV128, typeFunc, typeEmpty         = 0x7F, 0x7B, 0x60, 0x40
	kindFunc, kindMemory                           = 0, 2
	sectionType, sectionImport, sectionFunc        = 1, 2, 3
	sectionExport, sectionCode                     = 7, 10
	opBlock, opLoop, opEnd, opBranch, opBranchIf   = 0x02, 0x03, 0x0B, 0x0C, 0x0D
	opLocalGet, opLocalSet, opI32Const, prefixSIMD = 0x20, 0x21, 0x41, 0xFD
	opV128Const                                    = 12
)

// plain are instructions without operands of their own.
var plain = map[string][]byte{
	"i32.lt_u": {0x49}, "i32.ge_u": {0x4F}, "i32.add": {0x6A}, "i32.sub": {0x6B}, "i32.mul": {0x6C}, "i32.and": {0x71}, "i32.shl": {0x74},
	"f32x4.add": simd(228), "f32x4.mul": simd(230),
}

// memory are instructions that read or write at an address and an offset, with the power of two at which their
// addresses are promised to stand.
var memory = map[string]struct {
	code  []byte
	align byte
}{
	"i32.load": {[]byte{0x28}, 2}, "i32.store": {[]byte{0x36}, 2},
	"v128.load": {simd(0), 2}, "v128.load32_splat": {simd(9), 2}, "v128.store": {simd(11), 2},
}

func simd(code uint64) []byte { return binary.AppendUvarint([]byte{prefixSIMD}, code) }

// assemble translates a module with an imported memory and exported functions without results.
func assemble(text string) ([]byte, error) {
	module, err := parse(text)
	if err != nil {
		return nil, err
	}
	if module.head() != "module" {
		return nil, unknown("a text", module)
	}
	var imports, types, functions, exports, code vector
	for _, part := range module.list[1:] {
		switch part.head() {
		case "import":
			imports.add(imported(part))
		case "func":
			f := function{locals: map[string]uint64{}}
			if err := f.read(part); err != nil {
				return nil, err
			}
			number := binary.AppendUvarint(nil, uint64(types.count))
			types.add(f.signature())
			functions.add(number)
			exports.add(append(append(name(f.name), kindFunc), number...))
			code.add(f.sized())
		default:
			return nil, unknown("a part", part)
		}
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		number byte
		vector vector
	}{{sectionType, types}, {sectionImport, imports}, {sectionFunc, functions}, {sectionExport, exports}, {sectionCode, code}} {
		out = append(append(out, s.number), sized(s.vector.bytes())...)
	}
	return out, nil
}

// imported is (import "go" "mem" (memory 1)).
func imported(f form) []byte {
	pages, _ := strconv.ParseUint(f.list[3].list[1].word, 10, 32)
	out := append(name(unquoted(f.list[1])), name(unquoted(f.list[2]))...)
	return binary.AppendUvarint(append(out, kindMemory, 0), pages)
}

// vector is a list with its length (5.1.3).
type vector struct {
	count int
	body  []byte
}

func (v *vector) add(item []byte) { v.count, v.body = v.count+1, append(v.body, item...) }

func (v *vector) bytes() []byte {
	return append(binary.AppendUvarint(nil, uint64(v.count)), v.body...)
}

// sized are bytes after their number.
func sized(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }

func name(s string) []byte { return sized([]byte(s)) }

func unquoted(f form) string { return strings.Trim(f.word, `"`) }

// typeOf is that of a parameter or local variable, (param $c i32).
func typeOf(f form) (byte, error) {
	if len(f.list) == 3 {
		switch f.list[2].word {
		case "i32":
			return typeI32, nil
		case "v128":
			return typeV128, nil
		}
	}
	return 0, fmt.Errorf("simd128: a variable has no type that is known here: %v", f)
}
