package checkpoint_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/tensor"
)

// TestIn: a model is found both uncompressed and compressed.
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
	}
	for name, want := range map[string][]byte{"plain": plain, "packed": packed} {
		if got, err := checkpoint.In(folder, name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %d bytes instead of %d", name, err, len(got), len(want))
		}
	}
	for _, name := range []string{"absent", "../plain", "", "plain\x00"} {
		if _, err := checkpoint.In(folder, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("there is a model %q: %v", name, err)
		}
	}
}

// TestShipped: large arrays are stored as bytes, and a mixer's small arrays as float16.
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

// TestDescribe reads provenance from the beginning of a file, compressed or not. The end can be
// missing.
func TestDescribe(t *testing.T) {
	type config struct{ Width int }
	meta, err := checkpoint.Metadata(config{7}, checkpoint.Info{Mechanism: "dense", Steps: 12})
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[string]*tensor.T{"x": tensor.New(40, 1000)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range arrays["x"].Data {
		arrays["x"].Data[i] = tensor.Elem(r.NormFloat64()) // cannot be compressed
	}
	var b bytes.Buffer
	if err := checkpoint.Write(&b, arrays, meta, checkpoint.All(checkpoint.Single)); err != nil {
		t.Fatal(err)
	}
	packed, err := checkpoint.Pack(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"plain": b.Bytes(), "packed": packed} {
		for _, part := range [][]byte{data, data[:len(data)/2]} {
			var c config
			info, err := checkpoint.Describe(part, &c)
			if err != nil || info.Mechanism != "dense" || info.Steps != 12 || c.Width != 7 {
				t.Errorf("%s, %d bytes: %+v, %+v, %v", name, len(part), info, c, err)
			}
		}
		if f, err := checkpoint.Parse(data); err != nil || !slices.Equal(f.Arrays["x"].Data, arrays["x"].Data) {
			t.Errorf("%s: %v", name, err)
		}
		for _, part := range [][]byte{data[:len(data)/2], data[:5], nil,
			append([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), data...)} {
			if _, err := checkpoint.Parse(part); err == nil {
				t.Errorf("%s: %d of %d bytes are parsed", name, len(part), len(data))
			}
		}
		for _, part := range [][]byte{data[:5], nil, append([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), data...)} {
			if _, err := checkpoint.Describe(part, &config{}); err == nil {
				t.Errorf("%s: %d of %d bytes are described", name, len(part), len(data))
			}
		}
	}
}

// TestCut: the beginning of a file gives the same description as the whole file.
func TestCut(t *testing.T) {
	whole, ok := checkpoint.Embedded("dense")
	if !ok {
		t.Fatal("there is no model")
	}
	header, err := checkpoint.Cut(whole)
	if err != nil || len(header) > 64<<10 {
		t.Fatalf("%d bytes, %v", len(header), err)
	}
	var config, same map[string]any
	info, err := checkpoint.Describe(whole, &config)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := checkpoint.Describe(header, &same); err != nil || !reflect.DeepEqual(got, info) ||
		!reflect.DeepEqual(same, config) {
		t.Errorf("%v, %+v instead of %+v", err, got, info)
	}
	if _, err := checkpoint.Shapes(header); err != nil {
		t.Error(err)
	}
	if _, err := checkpoint.Cut(whole[:100]); err == nil {
		t.Error("a hundred bytes are enough")
	}
}
