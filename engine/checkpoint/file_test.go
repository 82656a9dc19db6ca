package checkpoint_test

import (
	"bytes"
	"math"
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
	if err := checkpoint.Write(&b, sample(), map[string]string{"k": "v"}, p); err != nil {
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

func TestEqualContentGivesEqualBytes(t *testing.T) {
	for range 5 {
		if !bytes.Equal(write(t, checkpoint.Half), write(t, checkpoint.Half)) {
			t.Fatal("the same arrays were written as different bytes")
		}
	}
}

func TestRestoreIsStrict(t *testing.T) {
	p := nn.NewScope(1).Param("a", nn.Zeros, 2, 3)
	if err := checkpoint.Restore([]*nn.Param{p}, sample()); err != nil || p.Value.Data[1] != -2.5 {
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
