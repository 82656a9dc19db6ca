package lzma

// writer is a range coder. Each bit narrows, by its probability, the range that contains the number of the whole
// stream.
type writer struct {
	out   []byte
	low   uint64
	width uint32
	held  byte // the last byte, to which a carry may still be added,
	full  int  // and the number of bytes of 255 that follow it
}

const (
	chanceBits = 11
	adapting   = 5 // a bit moves its probability by 1/32 of the difference
	least      = 1 << 24
)

func (w *writer) bit(c *chance, bit uint32) {
	bound := w.width >> chanceBits * uint32(*c)
	if bit == 0 {
		w.width = bound
		*c += (1<<chanceBits - *c) >> adapting
	} else {
		w.low += uint64(bound)
		w.width -= bound
		*c -= *c >> adapting
	}
	w.settle()
}

func (w *writer) direct(value uint32, n int) {
	for n--; n >= 0; n-- {
		w.width >>= 1
		if value>>n&1 == 1 {
			w.low += uint64(w.width)
		}
		w.settle()
	}
}

// settle writes a byte once the range is so small that the byte is known.
func (w *writer) settle() {
	if w.width < least {
		w.width <<= 8
		w.shift()
	}
}

// shift moves the highest byte out of low. It holds the byte back while a carry is possible.
func (w *writer) shift() {
	if carry := byte(w.low >> 32); carry == 1 || w.low < 0xff<<24 {
		w.out = append(w.out, w.held+carry) // the first byte is always 0
		for ; w.full > 0; w.full-- {
			w.out = append(w.out, 0xff+carry)
		}
		w.held = byte(w.low >> 24)
	} else {
		w.full++
	}
	w.low = w.low & 0xffffff << 8
}

// end writes the remaining bytes.
func (w *writer) end() []byte {
	for range 5 {
		w.shift()
	}
	return w.out
}
