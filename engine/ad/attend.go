package ad

import (
	"attnatlas/engine/tensor"
)

// HeadRows identifies rows of the scores of one head of one sequence, starting with row From.
type HeadRows struct{ Sequence, Head, From int }

// Scorer computes the scores [N,M] of heads for Attend.
type Scorer struct {
	// rows returns as many rows of scores as dst has. It computes them in dst, which has no gaps,
	// or returns existing memory that must only be read. For each head, the first rows are
	// requested first.
	rows func(dst tensor.Matrix, at HeadRows) tensor.Matrix
	// factors returns q [N,d] and k [M,d] of a head whose scores are scale·q·kᵀ; nil for other
	// kinds of scores.
	factors func(sequence, head int) (q, k tensor.Matrix, scale Elem)
}

// Attend returns HeadMix(Softmax(S), v) for v [M,d] → [rows,d], on tapes that record nothing. Only
// some rows of a head's scores exist at once, and all use the same memory. Cost: 2·rows·M·d FLOPs,
// in addition to the scores.
func Attend(scores Scorer, v *Var, heads, rows int) *Var {
	hv := headsOf(v, heads)
	t, hy := v.tape, hv
	if t.records() {
		panic("ad: Attend has no gradient")
	}
	hy.n = rows
	y := t.result([]*Var{v}, hv.batch, rows, v.Dim(-1))
	mark := *t
	head := scores.head(t, rows, hv.n)
	each(hv.batch, heads, func(b, a int) {
		head(hy.view(y.Value.Data, b, a), hv.view(v.Value.Data, b, a), b, a)
	})
	t.release(&mark)
	return y
}

// head returns a function that computes out = Softmax(S)·values for one head, for scores
// [rows,cols].
func (s Scorer) head(t *Tape, rows, cols int) func(out, values tensor.Matrix, sequence, head int) {
	if s.factors != nil {
		return func(out, values tensor.Matrix, sequence, head int) {
			q, k, scale := s.factors(sequence, head)
			t.attention.Set(k, values, scale)
			t.attention.Rows(out, q)
		}
	}
	size := tensor.ScoredRows(rows, cols)
	block := t.numbers.take(size * cols)
	return func(out, values tensor.Matrix, sequence, head int) {
		for from := 0; from < rows; from += size {
			span := Span{from, min(from+size, rows)}
			part := tensor.NewMatrix(block[:(span.To-from)*cols], span.To-from, cols)
			softmax(part, s.rows(part, HeadRows{sequence, head, from}))
			tensor.Gemm(rowsOf(out, span), part, values, 1, tensor.Overwrite)
		}
	}
}

// softmax is tensor.SoftmaxRows for scores that can have gaps between their rows.
func softmax(dst, scores tensor.Matrix) {
	if scores.Stride == scores.Cols {
		tensor.SoftmaxRows(dst.Data, scores.Data[:len(dst.Data)], dst.Cols)
		return
	}
	for i := range dst.Rows {
		tensor.SoftmaxRows(row(dst, i), row(scores, i), dst.Cols)
	}
}

// packedFactor is the right factor of a head's scores. It is packed for the head's first rows and
// used for all.
type packedFactor struct{ packed *tensor.Packed }

func (t *Tape) newFactor() packedFactor { return packedFactor{t.newPacked()} }

func (f packedFactor) of(at HeadRows, factor tensor.Matrix) *tensor.Packed {
	if at.From == 0 {
		f.packed.Set(factor)
	}
	return f.packed
}

// HeadScorer computes the scores of HeadScores: S_a = scale·q_a·k_aᵀ.
func HeadScorer(q, k *Var, count int, scale Elem) Scorer {
	hq, hk, f := headsOf(q, count), headsOf(k, count), q.tape.newFactor()
	if hq.batch != hk.batch || hq.width != hk.width {
		panic(shapeError("HeadScorer", q.Value, k.Value))
	}
	return Scorer{
		rows: func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
			rows := rowsOf(hq.view(q.Value.Data, at.Sequence, at.Head), Span{at.From, at.From + dst.Rows})
			tensor.GemmPacked(dst, rows, f.of(at, hk.view(k.Value.Data, at.Sequence, at.Head).T()), scale, tensor.Overwrite)
			return dst
		},
		factors: func(sequence, head int) (tensor.Matrix, tensor.Matrix, Elem) {
			return hq.view(q.Value.Data, sequence, head), hk.view(k.Value.Data, sequence, head), scale
		},
	}
}

// TableScorer reads the scores from a table [H,L,L], the same for all sequences.
func TableScorer(table *Var) Scorer {
	p := planesOf(table.Value)
	return Scorer{rows: func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		all := rowsOf(p.view(table.Value.Data, 0, at.Head), Span{at.From, at.From + dst.Rows})
		all.Cols = dst.Cols
		return all
	}}
}

// FactorScorer computes S_a = r_a·s_aᵀ from tables r [H,N,k] and s [H,M,k], the same for all
// sequences.
func FactorScorer(r, s *Var) Scorer {
	pr, ps, f := planesOf(r.Value), planesOf(s.Value), r.tape.newFactor()
	return Scorer{rows: func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		rows := rowsOf(pr.view(r.Value.Data, 0, at.Head), Span{at.From, at.From + dst.Rows})
		tensor.GemmPacked(dst, rows, f.of(at, ps.view(s.Value.Data, 0, at.Head).T()), 1, tensor.Overwrite)
		return dst
	}}
}

// LinearScorer computes the scores of HeadLinear: S_a = x_a·W_aᵀ + b_a.
func LinearScorer(x, w, bias *Var) Scorer {
	pw, f := planesOf(w.Value), x.tape.newFactor()
	hx := headsOf(x, pw.heads)
	return Scorer{rows: func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		rows := rowsOf(hx.view(x.Value.Data, at.Sequence, at.Head), Span{at.From, at.From + dst.Rows})
		tensor.GemmPackedRow(dst, rows, f.of(at, pw.view(w.Value.Data, 0, at.Head).T()),
			bias.Value.Data[at.Head*pw.rows:][:pw.rows])
		return dst
	}}
}

// ProductScorer computes the scores of RowProducts: S_ij = x_{i,⌊j/Z⌋}·z_{i,j mod Z}, for x [H,N,X]
// and z [H,N,Z].
func ProductScorer(x, z *Var) Scorer {
	px, pz := planesOf(x.Value), planesOf(z.Value)
	return Scorer{rows: func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		xs, zs := px.view(x.Value.Data, at.Sequence, at.Head), pz.view(z.Value.Data, at.Sequence, at.Head)
		whole := dst.Cols / pz.cols // number of elements of x that are multiplied by all of z
		batch := func(data []Elem, rows, cols, step int) tensor.Batch {
			return tensor.Batch{First: tensor.NewMatrix(data, rows, cols), Step: step, Count: dst.Rows}
		}
		tensor.GemmBatch(batch(dst.Data, whole, pz.cols, dst.Cols),
			batch(xs.Data[at.From*px.cols:], whole, 1, px.cols), batch(zs.Data[at.From*pz.cols:], 1, pz.cols, pz.cols), 1,
			tensor.Overwrite)
		for i := range dst.Rows {
			if rest := row(dst, i)[whole*pz.cols:]; len(rest) > 0 {
				tensor.Scale(rest, row(xs, at.From+i)[whole], row(zs, at.From+i)[:len(rest)])
			}
		}
		return dst
	}}
}

// MixScorer computes Σ_c w_c·S_c for weights w [C] and C kinds of scores [rows,M].
func MixScorer(w *Var, parts []Scorer, rows, cols int) Scorer {
	memory := w.tape.numbers.take(tensor.ScoredRows(rows, cols) * cols)
	return Scorer{rows: func(dst tensor.Matrix, at HeadRows) tensor.Matrix {
		part := tensor.NewMatrix(memory[:len(dst.Data)], dst.Rows, dst.Cols)
		for c, scores := range parts {
			add := tensor.Axpy
			if c == 0 {
				add = tensor.Scale // the first part overwrites dst
			}
			addScores(dst, add, w.Value.Data[c], scores.rows(part, at))
		}
		return dst
	}}
}

// addScores adds w·scores to dst.
func addScores(dst tensor.Matrix, add func(y []Elem, a Elem, x []Elem), w Elem, scores tensor.Matrix) {
	if scores.Stride == scores.Cols {
		add(dst.Data, w, scores.Data[:len(dst.Data)])
		return
	}
	for i := range dst.Rows {
		add(row(dst, i), w, row(scores, i))
	}
}
