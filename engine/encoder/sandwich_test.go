package encoder_test

import (
	"math"
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

func sandwich(layers int, options ...string) encoder.Config {
	c := universal(layers, options...)
	delete(c.Options, "input")
	return c
}

// TestOrdinaryOrderIsTheEncoder: the order sf sf equals an encoder of two layers, bit for bit and
// with the same initial values.
func TestOrdinaryOrderIsTheEncoder(t *testing.T) {
	for _, norm := range []encoder.Norm{encoder.PreNorm, encoder.PostNorm} {
		for _, order := range []string{"0", "sfsf", "sf.sf"} {
			c := sandwich(2, "order", order)
			c.Norm = norm
			s := newSubject(t, encoder.Sandwich, c, 2, 6)
			e := newSubject(t, encoder.Encoder, encoder.Config{Layers: 2, Norm: norm}, 2, 6)
			for _, p := range e.params {
				if norm == encoder.PostNorm && strings.HasPrefix(p.Name, "norm/") {
					continue // the norm of the embeddings, which Sandwich does not have
				}
				copy(p.Value.Data, s.param(t, p.Name).Value.Data)
			}
			e.x = s.x
			want, _, _ := e.run(nn.Mask{})
			if norm == encoder.PostNorm {
				gamma, beta := e.param(t, "norm/gamma").Value, e.param(t, "norm/beta").Value
				tape := ad.NewFrozen()
				s.x = ad.LayerNorm(tape.Const(s.x), tape.Const(gamma), tape.Const(beta), 1e-5).Value
			}
			got, _, _ := s.run(nn.Mask{})
			same(t, string(norm)+" "+order, got, want, 0)
		}
	}
}

// TestOrderIsShown: the strip shows the kind of each sublayer, and every sublayer s has its maps.
func TestOrderIsShown(t *testing.T) {
	for order, want := range map[string]string{"0": "sfsfsf", "1": "ssfsff", "2": "sssfff", "3": "sssfff",
		"fsfssff": "fsfssff", "s.sfsf.f": "ssfsff"} {
		s := newSubject(t, encoder.Sandwich, sandwich(3, "order", order), 1, 5)
		_, run, _ := s.run(nn.Mask{})
		m, _ := run.Find("sublayers")
		got := ""
		for i, v := range m.Value.Data {
			kind := "sf"[int(v):][:1]
			if got += kind; !strings.HasSuffix(m.Axes[0].Labels[i], kind) {
				t.Errorf("%s: sublayer %d is labelled %q and is %s", order, i+1, m.Axes[0].Labels[i], kind)
			}
		}
		if got != want {
			t.Errorf("order %s is %s, wanted %s", order, got, want)
		}
		if len(run.Parts) != 3 {
			t.Errorf("order %s shows the maps of %d sublayers s", order, len(run.Parts))
		}
		norms, states := shown(t, run, "residual norms"), shown(t, run, "residual stream")
		added, outputs := shown(t, run, "sublayer norms"), shown(t, run, "sublayer outputs")
		for i, v := range added.Data {
			row := outputs.Data[i*stackWidth:][:stackWidth]
			if math.Abs(float64(v)-math.Sqrt(float64(tensor.Dot(row, row)))) > 1e-5 {
				t.Fatalf("order %s: length %d of what is added is %v", order, i, v)
			}
		}
		if m, _ := run.Find("residual norms"); m.Kind != trace.Length {
			t.Errorf("order %s: lengths are of the kind %s", order, m.Kind)
		}
		for i, v := range norms.Data {
			row := states.Data[i*stackWidth:][:stackWidth]
			if math.Abs(float64(v)-math.Sqrt(float64(tensor.Dot(row, row)))) > 1e-5 {
				t.Fatalf("order %s: norm %d is %v", order, i, v)
			}
		}
	}
}

// TestSublayersAddUp: in a pre-norm stack, the state after a sublayer is the state before it plus
// its output.
func TestSublayersAddUp(t *testing.T) {
	s := newSubject(t, encoder.Sandwich, sandwich(2, "order", "sfffs"), 2, 4)
	_, run, _ := s.run(nn.Mask{})
	stream, outputs := shown(t, run, "residual stream"), shown(t, run, "sublayer outputs")
	for b := range 2 {
		x := s.x.Sub(b).Clone()
		for i := range 5 {
			tensor.Add(x.Data, x.Data, outputs.Sub(b).Sub(i).Data)
			same(t, "stream", stream.Sub(b).Sub(i), x, 1e-5)
		}
	}
}

func TestBadOrdersAreRefused(t *testing.T) {
	for order, reason := range map[string]string{
		"4": "0 to 3", "-1": "0 to 3", "sfx": "sublayers, such as", "": "sublayers, such as", "sfsf": "2 of them s", "sss" +
			strings.Repeat("f", 62): "at most 64",
	} {
		c := config("dot-product", encoder.PreNorm)
		c.Stack, c.Layers, c.Options = "sandwich", 3, map[string]string{"order": order}
		if _, err := encoder.New(c, 1); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("order %q: %v", order, err)
		}
	}
}

// span runs a single sublayer of span attention.
func span(t *testing.T, width string, layers, batch, n int) subject {
	return newSubject(t, encoder.Sandwich, sandwich(layers, "order", strings.Repeat("s", layers), "attention", "span",
		"span", width), batch, n)
}

// TestSpanAttention compares the weights with their definition.
func TestSpanAttention(t *testing.T) {
	const n, width, head = 7, 3, stackWidth / 2
	s := span(t, "3", 1, 1, n)
	_, run, _ := s.run(nn.Mask{})
	window, pairs := shown(t, run.Parts[0], "window weights"), shown(t, run.Parts[0], "weights")
	tape := ad.NewFrozen()
	normed := ad.LayerNorm(tape.Const(s.x), tape.Const(s.param(t, "layer 1/mixer norm/gamma").Value),
		tape.Const(s.param(t, "layer 1/mixer norm/beta").Value), 1e-5)
	q := ad.Linear(normed, tape.Const(s.param(t, "layer 1/mixer/W_Q").Value), nil).Value
	k := ad.Linear(normed, tape.Const(s.param(t, "layer 1/mixer/W_K").Value), nil).Value
	u := s.param(t, "span/u").Value
	for a := range 2 {
		for i := range n {
			var scores [width]float64
			sum := 0.0
			for j := range width {
				z := 0.0
				for f := range head {
					key := float64(u.Data[j*head+f])
					if from := i - width + j; from >= 0 {
						key += float64(k.Data[from*stackWidth+a*head+f])
					}
					z += float64(q.Data[i*stackWidth+a*head+f]) * key
				}
				scores[j] = math.Exp(z / math.Sqrt(head))
				sum += scores[j]
			}
			for j, v := range scores {
				if got := float64(window.Data[(a*n+i)*width+j]); math.Abs(got-v/sum) > 1e-5 {
					t.Fatalf("head %d: word %d reads %d back with %v, wanted %v", a, i, width-j, got, v/sum)
				}
				if from := i - width + j; from >= 0 && pairs.Data[(a*n+i)*n+from] != window.Data[(a*n+i)*width+j] {
					t.Fatalf("head %d: the pair %d, %d differs from the window", a, i, from)
				}
			}
		}
	}
	m, _ := run.Parts[0].Find("weights")
	for i, v := range m.Value.Data {
		if q, k := i/n%n, i%n; (v != 0) != m.Reach(q, k) {
			t.Errorf("word %d reads %d with %v, its reach says %v", q, k, v, m.Reach(q, k))
		}
	}
}

// TestBlocksContinue: a text in two blocks gives the same result as in one.
func TestBlocksContinue(t *testing.T) {
	const n, width = 9, 4
	for _, cut := range []int{2, 6} { // shorter and longer than the span
		s := newSubject(t, encoder.Sandwich, sandwich(3, "order", "sfssff", "attention", "span", "span", "4"), 2, n)
		whole, _, _ := s.run(nn.Mask{})
		p := nn.NewPass(ad.NewFrozen())
		before := make([]*tensor.T, 3)
		for i := range before {
			before[i] = tensor.New(2, width, stackWidth)
		}
		x := p.Tape.Const(s.x)
		for _, block := range [][2]int{{0, cut}, {cut, n}} {
			y, after := s.stack.(encoder.Continuing).Continue(p, ad.Slice(x, -2, block[0], block[1]), before)
			want := ad.Slice(p.Tape.Const(whole), -2, block[0], block[1])
			same(t, "block", y.Value, want.Value, 1e-5)
			before = after
		}
	}
}

// TestSpanIgnoresPadding: no word attends to padding.
func TestSpanIgnoresPadding(t *testing.T) {
	s := span(t, "4", 2, 2, 6)
	mask := nn.Mask{Keys: []bool{false, false, true, true, true, true, true, true, false, true, true, true}, N: 6}
	before, _, _ := s.run(mask)
	for i, text := range mask.Keys {
		if !text {
			s.x.Data[i*stackWidth] += 3
		}
	}
	after, _, _ := s.run(mask)
	for i, text := range mask.Keys {
		if text {
			for f := range stackWidth {
				if d := math.Abs(float64(after.Data[i*stackWidth+f] - before.Data[i*stackWidth+f])); d > 1e-6 {
					t.Fatalf("word %d reads padding", i)
				}
			}
		}
	}
}

// TestStacksTakeEveryMixer checks shapes and maps of the newer stacks with all mechanisms.
func TestStacksTakeEveryMixer(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, stack := range []string{"universal", "sandwich"} {
			c := config(e.ID, encoder.PreNorm)
			c.Stack = stack
			m := newModel(t, c)
			p := nn.NewPass(ad.NewFrozen())
			p.Run = &trace.Run{}
			y := m.Encode(p, []int{1, 4, 7, 2, 9}, 1)
			if !slices.Equal(y.Shape(), []int{1, 5, 8}) {
				t.Errorf("%s.%s: output %v", stack, e.ID, y.Shape())
			}
			entry, _ := encoder.FindStack(stack)
			for _, v := range entry.Views {
				if _, ok := p.Run.Find(v.Map); !ok {
					t.Errorf("%s.%s does not show %q", stack, e.ID, v.Map)
				}
			}
			for _, part := range p.Run.Parts {
				if _, ok := part.Find(e.Views[0].Map); !ok {
					t.Errorf("%s.%s: %s does not show %q", stack, e.ID, part.Name, e.Views[0].Map)
				}
			}
		}
	}
}
