package ad

import (
	"attnatlas/engine/tensor"
)

// HeadRows are rows of the scores of one head of one sequence, from row From on.
type HeadRows struct{ Sequence, Head, From int }

// Scorer gives as many rows of scores [N,M] as dst has: in dst, which has no gaps, or where they are already,
// to be read only. For each head it is asked for the first rows first.
type Scorer func(dst tensor.Matrix, at HeadRows) tensor.Matrix

// blockOfScores is how many scores Attend has at a time: they stay in the second-level cache.
const blockOfScores = 96 * 512

// scoredRows is how many rows of M scores that is: few, or a multiple of what is best for products.
func scoredRows(rows, cols int) int {
	const tile = 12
	return min(rows, max(4*tile, blockOfScores/max(cols, 1)/tile*tile))
}

// Attend is HeadMix(Softmax(S), v) for v [M,d] → [rows,d] where nothing is recorded: a head's scores
// exist for some rows at a time, and in one memory. Cost 2·rows·M·d FLOPs beside the scores.
func Attend(scores Scorer, v *Var, heads, rows int) *Var {
	hv := headsOf(v, heads)
	t, hy := v.tape, hv
	if t.records() {
		panic("ad: Attend has no gradient")
	}
	hy.n = rows
	y := t.result([]*Var{v}, hv.batch, rows, v.Dim(-1))
	mark := *t
	size := scoredRows(rows, hv.n)
	block := t.numbers.take(size * hv.n)
	each(hv.batch, heads, func(b, a int) {
		values, out := hv.view(v.Value.Data, b, a), hy.view(y.Value.Data, b, a)
		for from := 0; from < rows; from += size {
			span := Span{from, min(from+size, rows)}
			s := tensor.NewMatrix(block[:(span.To-from)*hv.n], span.To-from, hv.n)
			softmax(s, scores(s, HeadRows{b, a, from}))
			tensor.Gemm(rowsOf(out, span), s, values, 1, tensor.Overwrite)
		}
	})
	t.release(&mark)
	return y
}

// softmax is tensor.SoftmaxRows of scores that may have gaps between their rows.
func softmax(dst, scores tensor.Matrix) {
	if scores.Stride == scores.Cols {
		tensor.SoftmaxRows(dst.Data, scores.Data[:len(dst.Data)], dst.Cols)
		return
	}
	for i := range dst.Rows {
		tensor.SoftmaxRows(row(dst, i), row(scores, i), dst.Cols)
	}
}

// packedFactor is the right factor of a head's scores, which is packed for its first rows and serves all.
type packedFactor struct{ packed *tensor.Packed }

func (t *Tape) newFactor() packedFactor { return packedFactor{t.newPacked()} }

func (f packedFactor) of(at HeadRows, factor tensor.Matrix) *tensor.Packed {
	if at.From == 0 {
		f.packed.Set(factor)
	}
	return f.packed
}

// HeadScorer scores as HeadScores does: S_a = scale·q_a·k_aᵀ.
func HeadScorer(q, k *Var, count int, scale Elem) Scorer {
	hq, hk, f := headsOf(q, count), headsOf(k, count), q.tape.newFactor()
	if hq.batch != hk.batch || hq.width != hk.width {
		panic(shapeError("HeadScorer", q.Value, k.Value))
	}
	return func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		rows := rowsOf(hq.view(q.Value.Data, at.Sequence, at.Head), Span{at.From, at.From + dst.Rows})
		tensor.GemmPacked(dst, rows, f.of(at, hk.view(k.Value.Data, at.Sequence, at.Head).T()), scale, tensor.Overwrite)
		return dst
	}
}

// TableScorer has the scores from a table [H,L,L], the same for all sequences.
func TableScorer(table *Var) Scorer {
	p := planesOf(table.Value)
	return func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		all := rowsOf(p.view(table.Value.Data, 0, at.Head), Span{at.From, at.From + dst.Rows})
		all.Cols = dst.Cols
		return all
	}
}

// FactorScorer scores S_a = r_a·s_aᵀ with tables r [H,N,k] and s [H,M,k], the same for all sequences.
func FactorScorer(r, s *Var) Scorer {
	pr, ps, f := planesOf(r.Value), planesOf(s.Value), r.tape.newFactor()
	return func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		rows := rowsOf(pr.view(r.Value.Data, 0, at.Head), Span{at.From, at.From + dst.Rows})
		tensor.GemmPacked(dst, rows, f.of(at, ps.view(s.Value.Data, 0, at.Head).T()), 1, tensor.Overwrite)
		return dst
	}
}

// LinearScorer scores as HeadLinear does: S_a = x_a·W_aᵀ + b_a.
func LinearScorer(x, w, bias *Var) Scorer {
	pw, f := planesOf(w.Value), x.tape.newFactor()
	hx := headsOf(x, pw.heads)
	return func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		rows := rowsOf(hx.view(x.Value.Data, at.Sequence, at.Head), Span{at.From, at.From + dst.Rows})
		tensor.GemmPackedRow(dst, rows, f.of(at, pw.view(w.Value.Data, 0, at.Head).T()), bias.Value.Data[at.Head*pw.rows:][:pw.rows])
		return dst
	}
}

// ProductScorer scores as RowProducts does: S_ij = x_{i,⌊j/Z⌋}·z_{i,j mod Z}, for x [H,N,X] and z [H,N,Z].
func ProductScorer(x, z *Var) Scorer {
	px, pz := planesOf(x.Value), planesOf(z.Value)
	return func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		xs, zs := px.view(x.Value.Data, at.Sequence, at.Head), pz.view(z.Value.Data, at.Sequence, at.Head)
		whole := dst.Cols / pz.cols // numbers of x that meet all of z
		batch := func(data []Elem, rows, cols, step int) tensor.Batch {
			return tensor.Batch{First: tensor.NewMatrix(data, rows, cols), Step: step, Count: dst.Rows}
		}
		tensor.GemmBatch(batch(dst.Data, whole, pz.cols, dst.Cols),
			batch(xs.Data[at.From*px.cols:], whole, 1, px.cols), batch(zs.Data[at.From*pz.cols:], 1, pz.cols, pz.cols), 1, tensor.Overwrite)
		for i := range dst.Rows {
			if rest := row(dst, i)[whole*pz.cols:]; len(rest) > 0 {
				tensor.Scale(rest, row(xs, at.From+i)[whole], row(zs, at.From+i)[:len(rest)])
			}
		}
		return dst
	}
}

// MixScorer is Σ_c w_c·S_c for numbers w [C] and C kinds of scores [rows,M].
func MixScorer(w *Var, parts []Scorer, rows, cols int) Scorer {
	memory := w.tape.numbers.take(scoredRows(rows, cols) * cols)
	return func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		part := tensor.NewMatrix(memory[:len(dst.Data)], dst.Rows, dst.Cols)
		for c, scores := range parts {
			addScores(dst, w.Value.Data[c], scores(part, at), c == 0)
		}
		return dst
	}
}

// addScores adds scores, w times, to dst, or overwrites it with them.
func addScores(dst tensor.Matrix, w Elem, scores tensor.Matrix, first bool) {
	add := tensor.Axpy
	if first {
		add = tensor.Scale
	}
	if scores.Stride == scores.Cols {
		add(dst.Data, w, scores.Data[:len(dst.Data)])
		return
	}
	for i := range dst.Rows {
		add(row(dst, i), w, row(scores, i))
	}
}
