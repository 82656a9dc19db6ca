package huggingface

import (
	"math"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// window returns a function for the visible pairs of queries from … to-1 and n keys. Each query
// attends to before tokens before it, and to behind tokens after it.
func window(before, behind int) func(from, to, n int) []bool {
	return func(from, to, n int) []bool {
		pairs := make([]bool, (to-from)*n)
		for i := from; i < to; i++ {
			for j := max(0, i-before); j <= min(n-1, i+behind); j++ {
				pairs[(i-from)*n+j] = true
			}
		}
		return pairs
	}
}

// alibi returns a slope along the keys for every head of layer l, from 0 (Press et al. 2022, arXiv:2108.12409,
// sec. 3).
func (f *Form) alibi(l int) func(p *nn.Pass, q, k *ad.Var, from, to int) *ad.Var {
	heads, scale := f.Heads, 1.0
	round := func(x float64) float64 { return x }
	if f.AlibiRounded {
		scale, round = f.scale(l), bfloat
	}
	slopes, power := make([]float64, heads), 1
	for 2*power <= heads {
		power *= 2
	}
	for a := range slopes {
		exponent := 8 * float64(a+1) / float64(power)
		if a >= power { // every second slope of twice the number of heads
			exponent = 4 * float64(2*(a-power)+1) / float64(power)
		}
		slopes[a] = round(math.Pow(2, -exponent))
	}
	return func(p *nn.Pass, _, k *ad.Var, from, to int) *ad.Var {
		n := k.Dim(-2)
		bias := tensor.New(heads, to-from, n)
		for i := range bias.Data {
			bias.Data[i] = tensor.Elem(round(slopes[i/n/(to-from)]*float64(i%n)) * scale)
		}
		return p.Tape.Const(bias)
	}
}

// bfloat rounds a number to bfloat16.
func bfloat(x float64) float64 {
	bits := math.Float32bits(float32(x))
	return float64(math.Float32frombits((bits + 0x7fff + bits>>16&1) &^ 0xffff))
}

// rootMeanSquare is RMSNorm with factors.
func rootMeanSquare(x, gamma, _ *ad.Var, eps ad.Elem) *ad.Var {
	return ad.ScaleColumns(ad.RMSNorm(x, float64(eps)), gamma)
}

// plusOne returns a copy of factors that are stored minus 1.
func plusOne(t *tensor.T) *tensor.T {
	t = t.Clone()
	for i := range t.Data {
		t.Data[i]++
	}
	return t
}

// buckets adds a learned number per head to the scores for the distance of two tokens (Raffel et
// al. 2020, arXiv:1910.10683, sec. 2.1), from one table for all layers.
type buckets struct {
	table    *nn.Param // [rows,heads], of which the first count are used
	count    int
	farthest int
	backward bool // causal attention, so later tokens need no buckets
}

// bias returns the summand of the scores [H,to-from,M].
func (b buckets) bias(p *nn.Pass, q, k *ad.Var, from, to int) *ad.Var {
	n, count, heads := k.Dim(-2), b.count, b.table.Value.Dim(1)
	before := n - q.Dim(-2) // positions in a cache
	ids := make([]int, 0, (to-from)*n)
	for i := before + from; i < before+to; i++ {
		for j := range n {
			if b.backward {
				ids = append(ids, bucket(min(j-i, 0), count, b.farthest))
			} else {
				ids = append(ids, bucket(j-i, count/2, b.farthest))
			}
		}
	}
	return ad.Reshape(ad.Transpose(ad.Rows(p.Use(b.table), ids)), heads, to-from, n)
}

// bucket returns the row for a distance key − query in a table with count buckets per direction.
// Half of the buckets are exact; the others grow with the logarithm up to farthest.
func bucket(distance, count, farthest int) int {
	row := 0
	if distance > 0 {
		row = count
	}
	far := max(distance, -distance)
	half := count / 2
	if far < half {
		return row + far
	}
	// in float32, as in the library, because distances at the edge of a bucket depend on it
	share := float32(math.Log(float64(float32(far)/float32(half)))) / float32(math.Log(float64(farthest)/float64(half)))
	return row + min(half+int(float32(share*float32(count-half))), count-1)
}

// compares reports whether disentangled scores have a part.
func (f *Form) compares(part string) bool { return slices.Contains(f.Compared, part) }

// far returns the distance from which positions are equal.
func (f *Form) far() int {
	if f.Farthest > 0 {
		return f.Farthest
	}
	return f.Length
}

// span returns half the number of rows in the table of relative positions.
func (f *Form) span() int {
	if f.Buckets > 0 {
		return f.Buckets
	}
	return f.far()
}

// disentangled scores compare words with relative positions (He et al. 2020, arXiv:2006.03654, eq.
// 4), in addition to words with words.
type disentangled struct {
	form     *Form
	scale    ad.Elem
	table    *nn.Param    // [2·span,d]
	norm     nn.LayerNorm // applied to the table
	positive nn.Linear    // keys of positions, for c2p
	negative nn.Linear    // queries of positions, for p2c
}

// bias returns the summand of the scores [B,H,to-from,M].
func (m disentangled) bias(p *nn.Pass, q, k *ad.Var, from, to int) *ad.Var {
	n := k.Dim(-2)
	table := m.norm.Apply(p, p.Use(m.table))
	project := func(l nn.Linear) *ad.Var { return ad.Tile(l.Apply(p, table), k.Dim(0)) } // [2·span,d]
	var sum *ad.Var
	add := func(x *ad.Var) {
		if sum != nil {
			x = ad.Add(sum, x)
		}
		sum = x
	}
	if m.form.compares("c2p") {
		at := make([]int, 0, (to-from)*n)
		for i := from; i < to; i++ {
			for j := range n {
				at = append(at, m.form.row(i-j))
			}
		}
		add(ad.Pick(ad.HeadScores(ad.Slice(q, -2, from, to), project(m.positive), m.form.Heads, m.scale), at))
	}
	if m.form.compares("p2c") {
		at := make([]int, 0, (to-from)*n)
		for j := range n {
			for i := from; i < to; i++ {
				at = append(at, m.form.row(i-j))
			}
		}
		add(ad.Transpose(ad.Pick(ad.HeadScores(k, project(m.negative), m.form.Heads, m.scale), at)))
	}
	return sum
}

// row returns the row for a distance query − key: in logarithmic buckets, or plain.
func (f *Form) row(distance int) int {
	if f.Buckets > 0 {
		distance = logBucket(distance, f.Buckets/2, f.far())
	}
	return min(max(distance+f.span(), 0), 2*f.span()-1)
}

// logBucket keeps distances up to mid and compresses longer ones logarithmically.
func logBucket(distance, mid, far int) int {
	size := max(distance, -distance)
	if size <= mid {
		return distance
	}
	grown := math.Ceil(float64(float32(math.Log(float64(float32(size)/float32(mid))))/float32(math.Log(float64(far-1)/float64(mid)))*float32(mid-1))) + float64(mid)
	return int(math.Copysign(grown, float64(distance)))
}
