package encoder_test

import (
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// lengths are the lengths around which models with 64 or 256 positions change their behaviour.
var lengths = []int{1, 2, 63, 64, 65, 255, 256, 257, 511, 512}

// lengthModel returns a small model of a stack with a mechanism, for the given number of positions.
func lengthModel(t *testing.T, stack, mechanism string, positions encoder.Positions, length int) *encoder.Model {
	t.Helper()
	c, err := encoder.Default(stack, mechanism, 50)
	if err != nil {
		t.Fatal(err)
	}
	c.Width, c.Embed, c.Heads, c.Inner, c.Length = 16, 0, 2, 16, length
	if positions != "" {
		c.Positions = positions
	}
	m, err := encoder.New(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// encodeLong runs a model on a text of n tokens.
func encodeLong(m *encoder.Model, n int) *trace.Run {
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{}
	ids := make([]int, n)
	for i := range ids {
		ids[i] = (i*i + 3*i) % 50
	}
	m.Encode(p, ids, 1)
	return p.Run
}

// TestLongest: the number of tokens that a model reads follows from its mixer and its positions.
func TestLongest(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, length := range []int{26, 64, 256, 1024} {
			want := length
			if e.Endless(attention.Config{Width: 16, Heads: 2, Length: length}) {
				want = max(length, 512)
			}
			for _, stack := range []string{"", "bert", "universal"} {
				if got := (encoder.Config{Stack: stack, Mechanism: e.ID, Width: 16, Heads: 2,
					Length: length}).Longest(); got != want {
					t.Errorf("%s.%s of %d positions reads %d", stack, e.ID, length, got)
				}
			}
		}
	}
	if got := (encoder.Config{Stack: "encoder-decoder", Mechanism: "dot-product", Length: 26}).Longest(); got != 26 {
		t.Errorf("an encoder–decoder of 26 positions reads %d", got)
	}
}

// TestBeyondTheTrained: within its positions, a model computes the same whether or not there are
// more. Beyond them, learned positions repeat, and sinusoids come from a longer table.
func TestBeyondTheTrained(t *testing.T) {
	for _, positions := range []encoder.Positions{encoder.Learned, encoder.Sinusoidal, encoder.SinusoidalHalves} {
		short := lengthModel(t, "", "dot-product", positions, 64)
		long := lengthModel(t, "", "dot-product", positions, 512)
		for i, p := range long.Params { // the others depend only on seed and name
			if p.Name == "positions" {
				for at := range p.Value.Data {
					p.Value.Data[at] = short.Params[i].Value.Data[at%short.Params[i].Value.Len()]
				}
			}
		}
		for _, n := range lengths {
			a, b := encodeLong(short, n), encodeLong(long, n)
			if len(a.Parts) != 4 || len(a.Steps) == 0 {
				t.Fatalf("%d parts and %d steps", len(a.Parts), len(a.Steps))
			}
			sameMaps(t, n, a, b)
			for i := range a.Parts {
				sameMaps(t, n, a.Parts[i], b.Parts[i])
			}
		}
	}
}

// sameMaps compares two runs of the same text.
func sameMaps(t *testing.T, n int, a, b *trace.Run) {
	t.Helper()
	for i := range a.Steps {
		if !slices.Equal(a.Steps[i].Value.Data, b.Steps[i].Value.Data) {
			t.Errorf("%q of %d tokens differs", a.Steps[i].Name, n)
		}
	}
}

// TestStacksBeyond: every stack has the limits of its mixer.
func TestStacksBeyond(t *testing.T) {
	for _, stack := range encoder.StackIDs() {
		if stack == "encoder-decoder" {
			continue
		}
		m := lengthModel(t, stack, "dot-product", "", 64)
		for _, n := range lengths {
			if x, ok := encodeLong(m, n).Find("output"); !ok || x.Value.Dim(-2) != n {
				t.Errorf("%s of %d tokens: %v", stack, n, x.Value)
			}
		}
		limited := lengthModel(t, stack, "random", "", 64)
		encodeLong(limited, 64)
		if got := refuses(func() { encodeLong(limited, 65) }); !got {
			t.Errorf("%s with learned random reads more than its R has positions", stack)
		}
	}
}

func refuses(do func()) (panics bool) {
	defer func() { panics = recover() != nil }()
	do()
	return false
}
