package simd128

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// function is one that is being assembled.
type function struct {
	name   string
	params []byte // their types
	own    []byte // the types of its local variables
	locals map[string]uint64
	labels []string // of the blocks around, the innermost last
	code   []byte
}

// read assembles a function.
func (f *function) read(from form) error {
	for _, part := range from.list[1:] {
		var err error
		switch part.head() {
		case "export":
			f.name = unquoted(part.list[1])
		case "param", "local":
			err = f.declare(part)
		default:
			err = f.instruction(part)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	f.code = append(f.code, opEnd)
	return nil
}

func (f *function) declare(part form) error {
	t, err := typeOf(part)
	if err != nil {
		return err
	}
	f.locals[part.list[1].word] = uint64(len(f.params) + len(f.own))
	if part.head() == "param" {
		f.params = append(f.params, t)
	} else {
		f.own = append(f.own, t)
	}
	return nil
}

// signature is its type (5.3.6): its parameters, and no results.
func (f *function) signature() []byte {
	return append(append([]byte{typeFunc}, sized(f.params)...), 0)
}

// sized is its code (5.5.13) after its size.
func (f *function) sized() []byte {
	var locals vector
	for _, t := range f.own {
		locals.add([]byte{1, t})
	}
	return sized(append(locals.bytes(), f.code...))
}

// instruction assembles a folded instruction (6.5.9): first what it takes, then itself.
func (f *function) instruction(in form) error {
	op, operands := in.head(), in.list[min(1, len(in.list)):]
	switch op {
	case "loop", "block":
		return f.block(in)
	case "br", "br_if":
		depth := slices.Index(reversed(f.labels), operands[0].word)
		if depth < 0 {
			return unknown("a label", in)
		}
		code := map[string]byte{"br": opBranch, "br_if": opBranchIf}[op]
		return f.emit(operands[1:], binary.AppendUvarint([]byte{code}, uint64(depth)))
	case "local.get", "local.set":
		number, ok := f.locals[operands[0].word]
		if !ok {
			return unknown("a variable", in)
		}
		code := map[string]byte{"local.get": opLocalGet, "local.set": opLocalSet}[op]
		return f.emit(operands[1:], binary.AppendUvarint([]byte{code}, number))
	case "i32.const":
		value, err := strconv.ParseInt(operands[0].word, 10, 32)
		f.code = append(append(f.code, opI32Const), signed(value)...)
		return err
	case "v128.const": // of zeros
		f.code = append(append(f.code, simd(opV128Const)...), make([]byte, 16)...)
		return nil
	}
	if code, ok := plain[op]; ok {
		return f.emit(operands, code)
	}
	at, ok := memory[op]
	if !ok {
		return unknown("an instruction", in)
	}
	var offset uint64
	if text, has := strings.CutPrefix(operands[0].word, "offset="); has {
		var err error
		if offset, err = strconv.ParseUint(text, 10, 32); err != nil {
			return err
		}
		operands = operands[1:]
	}
	return f.emit(operands, binary.AppendUvarint(append(slices.Clone(at.code), at.align), offset))
}

// block assembles what a loop repeats, or what a branch leaves.
func (f *function) block(in form) error {
	code := map[string]byte{"loop": opLoop, "block": opBlock}[in.head()]
	f.code = append(f.code, code, typeEmpty)
	f.labels = append(f.labels, in.list[1].word)
	for _, part := range in.list[2:] {
		if err := f.instruction(part); err != nil {
			return err
		}
	}
	f.labels = f.labels[:len(f.labels)-1]
	f.code = append(f.code, opEnd)
	return nil
}

// emit assembles operands, and then an instruction.
func (f *function) emit(operands []form, code []byte) error {
	for _, o := range operands {
		if err := f.instruction(o); err != nil {
			return err
		}
	}
	f.code = append(f.code, code...)
	return nil
}

func reversed(labels []string) []string {
	labels = slices.Clone(labels)
	slices.Reverse(labels)
	return labels
}

// signed is a number in LEB128 (5.2.2).
func signed(v int64) []byte {
	var out []byte
	for {
		b := byte(v & 0x7F)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
