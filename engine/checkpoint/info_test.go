package checkpoint_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/tensor"
)

// TestIn: a model is found as it is and compressed; one that cannot be unpacked is not
// passed over, so that somebody can say what is wrong with it.
func TestIn(t *testing.T) {
	plain := bytes.Repeat([]byte("weights "), 100)
	packed, err := checkpoint.Pack(plain)
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) >= len(plain) {
		t.Errorf("%d bytes are packed into %d", len(plain), len(packed))
	}
	folder := fstest.MapFS{
		"plain.safetensors":     {Data: plain},
		"packed.safetensors.gz": {Data: packed},
		"broken.safetensors.gz": {Data: packed[:len(packed)/2]},
	}
	for name, want := range map[string][]byte{"plain": plain, "packed": plain, "broken": packed[:len(packed)/2]} {
		if got, ok := checkpoint.In(folder, name); !ok || !bytes.Equal(got, want) {
			t.Errorf("%s: found %v, %d bytes instead of %d", name, ok, len(got), len(want))
		}
	}
	for _, name := range []string{"absent", "../plain", "", "plain\x00"} {
		if _, ok := checkpoint.In(folder, name); ok {
			t.Errorf("there is a model %q", name)
		}
	}
}

// TestShipped: large arrays are bytes, a mixer's small ones float16.
func TestShipped(t *testing.T) {
	small, large := tensor.New(2, 4), tensor.New(128, 128)
	for _, c := range []struct {
		name string
		t    *tensor.T
		want checkpoint.Precision
	}{
		{"layer 1/mixer/R", small, checkpoint.Half},
		{"layer 1/mixer/W_Q", large, checkpoint.Bytes},
		{"words", small, checkpoint.Bytes},
	} {
		if got := checkpoint.Shipped(c.name, c.t); got != c.want {
			t.Errorf("%s %v is stored as %v", c.name, c.t.Shape, got)
		}
	}
}
