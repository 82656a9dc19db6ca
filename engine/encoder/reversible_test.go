package encoder_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func reversibleConfig(mechanism string, options map[string]string) encoder.Config {
	c := config(mechanism, encoder.PreNorm)
	c.Stack, c.Options, c.Layers = encoder.Reversible.ID, options, 3
	if mechanism == attention.Reformer.ID {
		c.MixerOptions = map[string]string{"chunk": "3", "buckets": "4"} // so that short texts are hashed, too
	}
	return c
}

// gradients returns the gradients of a loss, by parameter.
func gradients(m *encoder.Model) (l float64, grads map[string]*tensor.T) {
	p := nn.NewPass(ad.NewTape())
	p.Rand = rand.New(rand.NewPCG(1, 2))
	v := loss(m, p)
	p.Tape.Backward(v, tensor.From([]tensor.Elem{1}))
	grads = map[string]*tensor.T{}
	for _, w := range m.Params {
		if g := p.Grad(w); g != nil {
			grads[w.Name] = g.Clone()
		}
	}
	return float64(v.Value.Data[0]), grads
}

// TestReversibleTrainsAsStored: for every mixer, including those with random or discrete choices,
// the gradients equal those with stored layers.
func TestReversibleTrainsAsStored(t *testing.T) {
	for _, e := range attention.Catalog {
		l, got := gradients(newModel(t, reversibleConfig(e.ID, nil)))
		want, grads := gradients(newModel(t, reversibleConfig(e.ID, map[string]string{"memory": "stored"})))
		if math.Abs(l-want) > 1e-5 || len(got) != len(grads) {
			t.Errorf("%s: loss %v with %d gradients, stored %v with %d", e.ID, l, len(got), want, len(grads))
		}
		steepest := 0.0
		for _, g := range grads {
			steepest = max(steepest, math.Sqrt(float64(tensor.Dot(g.Data, g.Data))))
		}
		for name, g := range grads {
			for i, v := range g.Data {
				if d := math.Abs(float64(got[name].Data[i] - v)); d > 1e-4*steepest {
					t.Fatalf("%s: gradient %s[%d] is %v, stored %v", e.ID, name, i, got[name].Data[i], v)
				}
			}
		}
	}
}

// TestReversibleGradients compares the gradients with differences of the loss.
func TestReversibleGradients(t *testing.T) {
	for _, id := range []string{"reformer", "dot-product", "fastformer"} {
		m := newModel(t, reversibleConfig(id, map[string]string{"chunk": "3"}))
		p := nn.NewPass(ad.NewTape())
		p.Tape.Backward(loss(m, p), tensor.From([]tensor.Elem{1}))
		for _, w := range m.Params {
			if g := p.Grad(w); g != nil {
				checkDirection(t, m, w, g, loss)
			} else if !w.Frozen {
				t.Errorf("%s: no gradient arrives at %s", id, w.Name)
			}
		}
	}
}

// TestOneReversibleLayerByHand: Y1 = E + Mix(LN E), Y2 = E + FFN(LN Y1), LN [Y1;Y2].
func TestOneReversibleLayerByHand(t *testing.T) {
	c := reversibleConfig("dot-product", nil)
	c.Layers = 1
	m := newModel(t, c)
	p := nn.NewPass(ad.NewFrozen())
	got := m.Encode(p, []int{1, 4, 7, 2, 9}, 1).Value

	find := func(name string) *ad.Var {
		for _, w := range m.Params {
			if w.Name == name {
				return p.Use(w)
			}
		}
		t.Fatalf("there is no parameter %s", name)
		return nil
	}
	norm := func(x *ad.Var, name string) *ad.Var {
		return ad.LayerNorm(x, find(name+"/gamma"), find(name+"/beta"), 1e-5)
	}
	linear := func(x *ad.Var, name, of string) *ad.Var {
		return ad.Linear(x, find(name+"/W_"+of), find(name+"/b_"+of))
	}
	e := ad.AddRows(ad.Reshape(ad.Rows(find("words"), []int{1, 4, 7, 2, 9}), 1, 5, 8), ad.Narrow(find("positions"), -2, 5))
	x := norm(e, "layer 1/mixer norm")
	a := ad.Softmax(ad.HeadScores(linear(x, "layer 1/mixer", "Q"), linear(x, "layer 1/mixer", "K"), 2, 0.5))
	y1 := ad.Add(e, linear(ad.HeadMix(a, linear(x, "layer 1/mixer", "V")), "layer 1/mixer", "O"))
	hidden := ad.GELU(linear(norm(y1, "layer 1/ffn norm"), "layer 1/ffn", "1"))
	y2 := ad.Add(e, linear(hidden, "layer 1/ffn", "2"))
	want := norm(ad.Concat(y1, y2), "norm").Value
	if !got.SameShape(want) {
		t.Fatalf("shape %v, wanted %v", got.Shape, want.Shape)
	}
	for i, v := range want.Data {
		if math.Abs(float64(got.Data[i]-v)) > 1e-5 {
			t.Fatalf("element %d is %v, by hand %v", i, got.Data[i], v)
		}
	}
}

// TestInputsComeBack: the recomputed inputs that the stack shows equal the original ones.
func TestInputsComeBack(t *testing.T) {
	for _, memory := range []string{"reversible", "stored"} {
		m := newModel(t, reversibleConfig("reformer", map[string]string{"memory": memory}))
		p := nn.NewPass(ad.NewFrozen())
		p.Run = &trace.Run{}
		m.Encode(p, []int{1, 5, 7, 3, 8, 5, 8, 2, 1, 9, 0, 6, 10, 4, 3, 2}, 2)
		wrong, ok := p.Run.Find("reconstruction error")
		if !ok || wrong.Kind != trace.Length || len(wrong.Axes) != 3 || wrong.Axes[1].Role != trace.Layer ||
			wrong.Axes[2].Role != trace.Token {
			t.Fatalf("reconstruction error: %v %+v", ok, wrong.Axes)
		}
		some := false
		for _, v := range wrong.Value.Data {
			if some = some || v > 0; v > 1e-4 || v < 0 {
				t.Errorf("%s: an error of %v", memory, v)
			}
		}
		if !some {
			t.Errorf("%s: every error is exactly 0: nothing was computed back", memory)
		}
		if len(p.Run.Parts) != 3 {
			t.Fatalf("%d layers are shown, not 3", len(p.Run.Parts))
		}
		for i, part := range p.Run.Parts {
			if _, ok := part.Find("weights"); !ok {
				t.Errorf("layer %d does not show its weights", i+1)
			}
			again, _ := part.Find("x1 again")
			before, ok := embedded(m), true
			if i > 0 {
				var y1 trace.Map
				y1, ok = p.Run.Parts[i-1].Find("y1")
				before = y1.Value
			}
			if !ok || again.Value == nil || !again.Value.SameShape(before) {
				t.Fatalf("layer %d does not show its reconstructed input", i+1)
			}
			for at, v := range before.Data {
				if math.Abs(float64(again.Value.Data[at]-v)) > 1e-4 {
					t.Fatalf("layer %d: x1 is %v again, was %v", i+1, again.Value.Data[at], v)
				}
			}
		}
	}
}

// TestFeedForwardInChunksIsExact: chunks change nothing, also if the length is not a multiple of
// the chunk size.
func TestFeedForwardInChunksIsExact(t *testing.T) {
	want, grads := gradients(newModel(t, reversibleConfig("dot-product", nil)))
	for _, chunk := range []string{"1", "3", "8", "100"} {
		l, got := gradients(newModel(t, reversibleConfig("dot-product", map[string]string{"chunk": chunk})))
		if math.Abs(l-want) > 1e-5 {
			t.Errorf("chunks of %s: loss %v, wanted %v", chunk, l, want)
		}
		for name, g := range grads {
			for i, v := range g.Data {
				if math.Abs(float64(got[name].Data[i]-v)) > 1e-4 {
					t.Fatalf("chunks of %s: gradient %s[%d] is %v, wanted %v", chunk, name, i, got[name].Data[i], v)
				}
			}
		}
	}
}

func TestOneWordIsReversible(t *testing.T) {
	m := newModel(t, reversibleConfig("reformer", nil))
	x := m.Encode(nn.NewPass(ad.NewFrozen()), []int{3}, 1)
	if x.Dim(-1) != 16 || x.Dim(-2) != 1 {
		t.Errorf("shape %v", x.Shape())
	}
}

func TestPostNormIsNotReversible(t *testing.T) {
	c := reversibleConfig("dot-product", nil)
	c.Norm = encoder.PostNorm
	if _, err := encoder.New(c, 1); err == nil {
		t.Error("post-norm is accepted")
	}
}

// BenchmarkReversibleMemory reports the peak memory of a training step for 2, 4 and 8 layers, with
// and without storing them.
func BenchmarkReversibleMemory(b *testing.B) {
	for _, memory := range []string{"stored", "reversible"} {
		for _, layers := range []int{2, 4, 8} {
			b.Run(fmt.Sprintf("%s/%d layers", memory, layers), func(b *testing.B) {
				c := encoder.Config{
					Stack: encoder.Reversible.ID, Mechanism: "reformer", Layers: layers, Width: 64, Heads: 4, Inner: 256, Length: 256,
					Vocab: 100,
					Norm:  encoder.PreNorm, Options: map[string]string{"memory": memory},
				}
				m, err := encoder.New(c, 1)
				if err != nil {
					b.Fatal(err)
				}
				ids := make([]int, 4*256)
				for i := range ids {
					ids[i] = i * 7 % 100
				}
				p := nn.NewPass(ad.NewTape())
				for b.Loop() {
					p.Reset()
					l := ad.CrossEntropy(m.Words(p, m.Encode(p, ids, 4), []int{3}), []int{5})
					p.Tape.Backward(l, tensor.From([]tensor.Elem{1}))
				}
				b.ReportMetric(float64(p.Tape.Held())/1e6, "MB-held")
			})
		}
	}
}

// embedded returns the embedded words of TestInputsComeBack with their positions.
func embedded(m *encoder.Model) *tensor.T {
	ids, n := []int{1, 5, 7, 3, 8, 5, 8, 2, 1, 9, 0, 6, 10, 4, 3, 2}, 8
	tables := map[string]*tensor.T{}
	for _, w := range m.Params {
		tables[w.Name] = w.Value
	}
	x := tensor.New(2, n, 8)
	for i, id := range ids {
		tensor.Add(x.Data[i*8:][:8], tables["words"].Sub(id).Data, tables["positions"].Sub(i%n).Data)
	}
	return x
}
