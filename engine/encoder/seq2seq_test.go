package encoder_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func seq2seqConfig(mechanism string, norm encoder.Norm) encoder.Config {
	return encoder.Config{
		Stack: encoder.EncoderDecoder.ID, Mechanism: mechanism, Layers: 2, Width: 8, Heads: 2, Inner: 12,
		Length: 8, Vocab: 11,
		Norm: norm, Objective: encoder.TargetWords, Tasks: []encoder.Task{{Name: "reverse"}, {Name: "sort"}},
	}
}

func newSeq2Seq(t *testing.T, c encoder.Config) *encoder.Seq2Seq {
	t.Helper()
	m, err := encoder.NewSeq2Seq(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, p := range m.Params {
		for i := range p.Value.Data {
			p.Value.Data[i] += tensor.Elem(r.NormFloat64() * 0.2)
		}
	}
	return m
}

// pairs returns two sources of five words and two targets of four, padded differently.
func pairs(task int) encoder.Pair {
	return encoder.Pair{
		Source: []int{1, 5, 7, 3, 2, 1, 8, 2, 0, 0}, Target: []int{1, 3, 7, 5, 1, 8, 0, 0}, Count: 2, Task: task,
		SourceMask: nn.Mask{Keys: []bool{true, true, true, true, true, true, true, true, false, false}, N: 5},
		TextMask:   nn.Mask{Keys: []bool{true, true, true, true, true, true, false, false}, N: 4},
	}
}

func targetLoss(m *encoder.Seq2Seq, p *nn.Pass) *ad.Var {
	one := ad.CrossEntropy(m.Words(p, m.Run(p, pairs(0)), []int{0, 1, 2, 3, 4, 5}), []int{3, 7, 5, 2, 8, 2})
	return ad.Add(one, ad.CrossEntropy(m.Words(p, m.Run(p, pairs(1)), []int{1}), []int{4}))
}

// TestEveryMechanismInAnEncoderDecoder: all mechanisms with a causal mask can be trained. The
// others are rejected with their reason.
func TestEveryMechanismInAnEncoderDecoder(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, norm := range []encoder.Norm{encoder.PreNorm, encoder.PostNorm} {
			if norm == encoder.PostNorm && e.ID != attention.DotProduct.ID {
				continue // the parameters around the mixers are the same for all mechanisms
			}
			c := seq2seqConfig(e.ID, norm)
			if reason := e.Masks.NoCausal; !reason.IsZero() {
				if _, err := encoder.NewSeq2Seq(c, 1); err == nil || !strings.Contains(err.Error(), reason.String()) {
					t.Errorf("%s: %v, wanted %q", e.ID, err, reason)
				}
				continue
			}
			if !e.Masks.NoPadding.IsZero() {
				continue
			}
			m := newSeq2Seq(t, c)
			p := nn.NewPass(ad.NewTape())
			p.Tape.Backward(targetLoss(m, p), tensor.From([]tensor.Elem{1}))
			for _, w := range m.Params {
				g := p.Grad(w)
				if g == nil {
					if !w.Frozen {
						t.Errorf("%s/%s: no gradient arrives at %s", e.ID, norm, w.Name)
					}
					continue
				}
				checkSlope(t, e.ID+"/"+string(norm)+"/"+w.Name, w, g,
					func() *ad.Var { return targetLoss(m, nn.NewPass(ad.NewFrozen())) })
			}
		}
	}
}

// checkSlope compares a gradient with the change of the loss along it.
func checkSlope(t *testing.T, name string, w *nn.Param, g *tensor.T, loss func() *ad.Var) {
	t.Helper()
	length := math.Sqrt(float64(tensor.Dot(g.Data, g.Data)))
	if length < directionFloor { // too small: lost in the rounding of the loss
		return
	}
	at := func(step float64) float64 {
		old := w.Value.Clone()
		tensor.Axpy(w.Value.Data, tensor.Elem(step/length), g.Data)
		l := float64(loss().Value.Data[0])
		copy(w.Value.Data, old.Data)
		return l
	}
	difference := func(h float64) float64 { return (at(h) - at(-h)) / (2 * h) }
	wrong := func(numeric float64) bool {
		return math.Abs(numeric-length) > directionTolerance*(length+directionFloor)
	}
	numeric := difference(directionStep)
	if wrong(numeric) { // remove the error of order step² (Richardson)
		numeric = (4*difference(directionStep/2) - numeric) / 3
	}
	if wrong(numeric) {
		t.Errorf("%s: along the gradient the loss changes by %v, the gradient says %v", name, numeric, length)
	}
}

// answers returns the decoder's scores for one text.
func answers(m *encoder.Seq2Seq, source, target []int) *tensor.T {
	p := nn.NewPass(ad.NewFrozen())
	return m.Run(p, encoder.Pair{Source: source, Target: target, Count: 1}).Value
}

// TestNobodyReadsWhatIsNotWrittenYet: no position depends on later target words, but every position
// depends on the whole source.
func TestNobodyReadsWhatIsNotWrittenYet(t *testing.T) {
	for _, e := range attention.Catalog {
		if !e.Masks.NoCausal.IsZero() || e.ID == attention.Reformer.ID {
			continue // Reformer hashes all words: see its Differences
		}
		m := newSeq2Seq(t, seq2seqConfig(e.ID, encoder.PreNorm))
		source := []int{1, 5, 7, 3, 2}
		a, b := answers(m, source, []int{1, 3, 7, 5}), answers(m, source, []int{1, 3, 7, 9})
		c := answers(m, []int{1, 5, 7, 9, 2}, []int{1, 3, 7, 5})
		for i := range 4 {
			before, after, other := a.Sub(0).Sub(i).Data, b.Sub(0).Sub(i).Data, c.Sub(0).Sub(i).Data
			if same := slices.EqualFunc(before, after, func(x,
				y tensor.Elem) bool {
				return math.Abs(float64(x-y)) < 1e-6
			}); same != (i < 3) {
				t.Errorf("%s: word 3 changed, and place %d stays the same: %v", e.ID, i, same)
			}
			if slices.Equal(before, other) {
				t.Errorf("%s: place %d does not read the source", e.ID, i)
			}
		}
	}
}

// TestPaddingIsNotRead: padding of the source or the target has no effect.
func TestPaddingIsNotRead(t *testing.T) {
	m := newSeq2Seq(t, seq2seqConfig("dot-product", encoder.PostNorm))
	both := m.Run(nn.NewPass(ad.NewFrozen()), pairs(0)).Value
	for i, want := range []*tensor.T{answers(m, []int{1, 5, 7, 3, 2}, []int{1, 3, 7, 5}),
		answers(m, []int{1, 8, 2}, []int{1, 8})} {
		for at, v := range want.Data {
			if got := both.Sub(i).Data[at]; math.Abs(float64(got-v)) > 1e-5 {
				t.Fatalf("sequence %d, element %d is %v with padding, %v without", i, at, got, v)
			}
		}
	}
}

// TestCrossMapsAreRectangular: maps of cross-attention have a row per target word and a column per
// source word, and each row sums to 1. The decoder's own maps are triangular.
func TestCrossMapsAreRectangular(t *testing.T) {
	m := newSeq2Seq(t, seq2seqConfig("dot-product", encoder.PreNorm))
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{}
	m.Run(p, encoder.Pair{Source: []int{1, 5, 7, 3, 2}, Target: []int{1, 3, 7}, Count: 1})
	if len(p.Run.Parts) != 4 {
		t.Fatalf("%d layers are shown, not 2 + 2", len(p.Run.Parts))
	}
	layer := p.Run.Parts[3]
	if layer.Name != "decoder layer 2" || len(layer.Parts) != 1 || layer.Parts[0].Name != encoder.CrossPart {
		t.Fatalf("the last part is %q with %d parts", layer.Name, len(layer.Parts))
	}
	cross, _ := layer.Parts[0].Find("weights")
	if cross.Value == nil || !slices.Equal(cross.Value.Shape, []int{2, 3, 5}) ||
		!slices.Equal(cross.Roles(), []trace.Role{trace.Head, trace.Query, trace.Key}) {
		t.Fatalf("cross-attention %+v", cross)
	}
	if cross.Reach != nil {
		t.Error("cross-attention has cells out of reach")
	}
	for i := range 2 * 3 {
		sum := tensor.Elem(0)
		for _, v := range cross.Value.Data[i*5:][:5] {
			sum += v
		}
		if math.Abs(float64(sum-1)) > 1e-5 {
			t.Errorf("row %d sums to %v", i, sum)
		}
	}
	self, _ := layer.Find("weights")
	if self.Reach == nil || self.Reach(0, 1) || !self.Reach(1, 0) {
		t.Error("the decoder's own map does not say what is out of reach")
	}
}

func greedy(t *testing.T, m *encoder.Seq2Seq, p *nn.Pass, in encoder.Pair, start, stop, limit int) []int {
	t.Helper()
	words, err := m.Greedy(t.Context(), p, in, encoder.Ends{Start: start, Stop: stop, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// TestGreedyIsTheLikeliestWord: each word is the most likely one according to a run over the whole
// target. The target ends after stop, or where the positions end. A source of one word is enough.
func TestGreedyIsTheLikeliestWord(t *testing.T) {
	m := newSeq2Seq(t, seq2seqConfig("dot-product", encoder.PreNorm))
	for _, source := range [][]int{{1, 5, 7, 3, 2}, {4}} {
		in := encoder.Pair{Source: source, Count: 1}
		got := greedy(t, m, nn.NewPass(ad.NewFrozen()), in, 1, -1, 100)
		if len(got) != 7 {
			t.Fatalf("%d words, wanted 7: there are 8 positions", len(got))
		}
		in.Target = append([]int{1}, got[:6]...)
		p := nn.NewPass(ad.NewFrozen())
		scores := m.Words(p, m.Run(p, in), []int{0, 1, 2, 3, 4, 5, 6}).Value
		for i, word := range got {
			row := scores.Sub(i).Data
			if slices.Max(row) != row[word] {
				t.Errorf("word %d is %d, which is not the likeliest", i, word)
			}
		}
		first := slices.Index(got, got[2])
		if short := greedy(t, m, nn.NewPass(ad.NewFrozen()), in, 1, got[2], 100); !slices.Equal(short, got[:first+1]) {
			t.Errorf("stopping at %d gives %v", got[2], short)
		}
		if short := greedy(t, m, nn.NewPass(ad.NewFrozen()), in, 1, -1, 2); !slices.Equal(short, got[:2]) {
			t.Errorf("at most 2 words are %v", short)
		}
	}
}

// TestSealedSeq2SeqComputesTheSame: packed weights change only the speed.
func TestSealedSeq2SeqComputesTheSame(t *testing.T) {
	m := newSeq2Seq(t, seq2seqConfig("dot-product", encoder.PreNorm))
	want := answers(m, []int{1, 5, 2}, []int{1, 5, 7}).Clone()
	nn.Seal(m.Params)
	for i, v := range answers(m, []int{1, 5, 2}, []int{1, 5, 7}).Data {
		if math.Abs(float64(v-want.Data[i])) > 1e-5 {
			t.Fatalf("element %d is %v, unsealed %v", i, v, want.Data[i])
		}
	}
}

func TestBadSeq2SeqsAreRefused(t *testing.T) {
	for name, change := range map[string]func(*encoder.Config){
		"mechanism": func(c *encoder.Config) { c.Mechanism = "telepathy" },
		"tasks":     func(c *encoder.Config) { c.Tasks = nil },
		"heads":     func(c *encoder.Config) { c.Heads = 3 },
		"option":    func(c *encoder.Config) { c.Options = map[string]string{"decoder layers": "many"} },
	} {
		c := seq2seqConfig("dot-product", encoder.PreNorm)
		change(&c)
		if _, err := encoder.NewSeq2Seq(c, 1); err == nil {
			t.Errorf("bad %s are accepted", name)
		}
	}
	if _, err := encoder.New(seq2seqConfig("dot-product", encoder.PreNorm), 1); err == nil {
		t.Error("an encoder–decoder is built as one stack")
	}
	c := seq2seqConfig("dot-product", encoder.PreNorm)
	c.Options = map[string]string{"decoder layers": "3"}
	if m := newSeq2Seq(t, c); nn.Count(m.Params) <= nn.Count(newSeq2Seq(t,
		seq2seqConfig("dot-product", encoder.PreNorm)).Params) {
		t.Error("a third decoder layer has no parameters")
	}
}
