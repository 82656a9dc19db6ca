//go:build !amd64 || purego || f64

package tensor

const machine = noISA

// Portable does nothing, because all kernels are portable in this build.
func Portable() {}

func (isa) gemm(c, a, b Matrix, alpha Elem, u Update) { product(c, a, b, alpha, u) }

func (s isa) gemmRow(c, a, b Matrix, row []Elem) {
	product(c, a, b, 1, Overwrite)
	addToRows(c, row)
}

func (s isa) gemmPackedRow(c, a Matrix, b *Packed, row []Elem) {
	product(c, a, b.matrix(), 1, Overwrite)
	addToRows(c, row)
}

func (isa) gemmBatch(c, a, b Batch, alpha Elem, u Update) {
	for i := range c.Count {
		product(c.At(i), a.At(i), b.At(i), alpha, u)
	}
}

func (isa) packAll(data []Elem, b Matrix) []Elem { return packAllPortable(data, b) }

func (isa) packedLen(b Matrix) int { return b.Rows * b.Cols }

func (isa) gemmPacked(c, a Matrix, b *Packed, alpha Elem, u Update) {
	product(c, a, b.matrix(), alpha, u)
}

func (isa) setAttention(*Attention) {}

func (s isa) attend(a *Attention, y, q Matrix) { s.attendExactly(a, y, q) }

func (isa) softmaxRows(dst, src []Elem, cols int) { softmaxRowsPortable(dst, src, cols) }

func (isa) softmaxRowsBackward(dx, y, dy []Elem, cols int) {
	softmaxRowsBackwardPortable(dx, y, dy, cols)
}

func (isa) relu(dst, x []Elem) { reluPortable(dst, x) }

func (isa) reluBackward(dx, x, dy []Elem) { reluBackwardPortable(dx, x, dy) }

func (isa) gelu(dst, x []Elem) { geluPortable(dst, x) }

func (isa) geluBackward(dx, x, dy []Elem) { geluBackwardPortable(dx, x, dy) }

func (isa) geluTanh(dst, x []Elem) { geluTanhPortable(dst, x) }

func (isa) geluTanhBackward(dx, x, dy []Elem) { geluTanhBackwardPortable(dx, x, dy) }

func (isa) sigmoid(dst, x []Elem) { sigmoidPortable(dst, x) }

func (isa) layerNormRows(dst, x []Elem, n LayerNorm, eps Elem) {
	layerNormRowsPortable(dst, x, n, eps)
}

func (isa) layerNormRowsBackward(dx, x, dy []Elem, n, grad LayerNorm) {
	layerNormRowsBackwardPortable(dx, x, dy, n, grad)
}

func (isa) add(dst, a, b []Elem) { addPortable(dst, a, b) }

func (isa) mul(dst, a, b []Elem) { mulPortable(dst, a, b) }

func (isa) axpy(dst []Elem, alpha Elem, x []Elem) { axpyPortable(dst, alpha, x) }

func (isa) scale(dst []Elem, alpha Elem, x []Elem) { scalePortable(dst, alpha, x) }

func (isa) addRow(dst, x, row []Elem) { addRowPortable(dst, x, row) }

func (isa) mulRows(dst, x, row []Elem) { mulRowsPortable(dst, x, row) }

func (isa) sumRows(dst, x []Elem) { sumRowsPortable(dst, x) }

func (isa) mulSumRows(dst, a, b []Elem) { mulSumRowsPortable(dst, a, b) }

func (isa) dot(a, b []Elem) Elem { return dotPortable(a, b) }

func (isa) adamW(p, m, v, g []Elem, f adamFactors) { adamWPortable(p, m, v, g, f) }
