package checkpoint_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

func sample() map[string]*tensor.T {
	return map[string]*tensor.T{
		"a": tensor.From([]tensor.Elem{1, -2.5, 0, tensor.Elem(math.Inf(1)), 3e-5, 65504}, 2, 3),
		"b": tensor.From([]tensor.Elem{}, 0, 4),
		"c": tensor.From([]tensor.Elem{7}, 1),
	}
}

func write(t testing.TB, p checkpoint.Precision) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := checkpoint.Write(&b, sample(), map[string]string{"k": "v"}, checkpoint.All(p)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for p, tolerance := range map[checkpoint.Precision]float64{checkpoint.Single: 0, checkpoint.Half: 1e-3} {
		f, err := checkpoint.Parse(write(t, p))
		if err != nil {
			t.Fatal(err)
		}
		if f.Meta["k"] != "v" || len(f.Arrays) != 3 {
			t.Fatalf("metadata %v, %d arrays", f.Meta, len(f.Arrays))
		}
		for name, want := range sample() {
			got := f.Arrays[name]
			if got == nil || !got.SameShape(want) {
				t.Fatalf("%s: %+v", name, got)
			}
			for i, w := range want.Data {
				g := float64(got.Data[i])
				if g != float64(w) && !(math.Abs(g-float64(w)) <= tolerance*math.Abs(float64(w))) {
					t.Errorf("%s[%d] is %v, was %v", name, i, g, w)
				}
			}
		}
	}
}

// TestBytes: the error in a row is at most half of its largest magnitude divided by 127. The
// largest magnitude itself is exact.
func TestBytes(t *testing.T) {
	want := tensor.From([]tensor.Elem{1, -0.5, 0.003, 0, 0, 0, 1e-6, -3e-6, 2e-6}, 3, 3)
	var b bytes.Buffer
	if err := checkpoint.Write(&b, map[string]*tensor.T{"w": want, "b": want.Sub(0)}, nil,
		checkpoint.All(checkpoint.Bytes)); err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Parse(b.Bytes())
	if err != nil || len(f.Arrays) != 2 || len(f.Ints) != 0 {
		t.Fatalf("%v: %+v", err, f)
	}
	for i, g := range f.Arrays["w"].Data {
		row := want.Data[i/3*3:][:3]
		top := max(math.Abs(float64(row[0])), math.Abs(float64(row[1])), math.Abs(float64(row[2])))
		if d := math.Abs(float64(g) - float64(want.Data[i])); d > top/254*1.001 {
			t.Errorf("element %d is %v, was %v", i, g, want.Data[i])
		}
	}
	if g := f.Arrays["w"].Data; g[0] != 1 || g[3] != 0 {
		t.Errorf("%v", g)
	}
	for i, g := range f.Arrays["b"].Data {
		if g != want.Data[i] {
			t.Errorf("an array of one axis lost something: %v", f.Arrays["b"].Data)
		}
	}
}

func TestEqualContentGivesEqualBytes(t *testing.T) {
	for range 5 {
		if !bytes.Equal(write(t, checkpoint.Half), write(t, checkpoint.Half)) {
			t.Fatal("the same arrays were written as different bytes")
		}
	}
}

func TestRestoreIsStrict(t *testing.T) {
	p := nn.NewScope(1).Param("a", nn.Zeros, 2, 3)
	arrays := sample()
	for _, value := range []float64{math.Inf(1), math.NaN(), math.Inf(-1)} {
		arrays["a"].Data[3] = tensor.Elem(value)
		if err := checkpoint.Restore([]*nn.Param{p}, arrays); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf(`“a” contains %v`, value)) {
			t.Errorf("%v: %v", value, err)
		}
	}
	arrays["a"].Data[3] = 0
	if err := checkpoint.Restore([]*nn.Param{p}, arrays); err != nil || p.Value.Data[1] != -2.5 {
		t.Errorf("restored %v, %v", p.Value.Data, err)
	}
	for name, shape := range map[string][]int{"missing": {2, 3}, "c": {2, 3}} {
		q := nn.NewScope(1).Param(name, nn.Zeros, shape...)
		if err := checkpoint.Restore([]*nn.Param{q}, sample()); err == nil {
			t.Errorf("%s %v was restored", name, shape)
		}
	}
}

func FuzzParse(f *testing.F) {
	good := write(f, checkpoint.Single)
	f.Add(good)
	f.Add(good[:len(good)-3])
	f.Add([]byte{})
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}"))
	f.Add(append([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"), 1, 2, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := checkpoint.Parse(data)
		if err != nil {
			return
		}
		for name, a := range file.Arrays {
			if tensor.Size(a.Shape...) != len(a.Data) {
				t.Errorf("%s: shape %v, %d numbers", name, a.Shape, len(a.Data))
			}
		}
	})
}
