package verify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/tensor"
	"attnatlas/engine/verify"
)

// Parts of a case that a mutation changes.
const (
	configuration = iota
	shapeOfWeight
	shapeOfInput
	weightGone
	inputGone
	numberOfWeight
	numberOfInput
	nameOfInput
	mutations
)

// FuzzCase changes one part of a case. The comparison then gives an error of one line, in limited
// time and memory.
func FuzzCase(f *testing.F) {
	cases, _ := filepath.Glob("testdata/*/*")
	for i := range cases {
		f.Add(uint8(i), uint8(i), uint16(i), int64(i)<<i%40)
	}
	for _, c := range []struct { // numbers in configurations that once took all memory, or years
		name   string
		at     uint16
		number int64
	}{
		{"seed003_fixed_random/batch2_n13", 38, 1 << 40}, {"seed003_fixed_random/batch2_n13", 38, 1 << 16},
		{"universal_transformer/act_b2_causal", 142, 100_000}, {"longformer/n16_w4_local", 7, 1 << 17},
		{"bigbird/n32_blk4_r1", 2, 1 << 36}, {"albert/n10_b1", 10, 1 << 36}, {"albert/n10_b1", 20, 1 << 36},
	} {
		if i := slices.Index(cases, "testdata/"+c.name); i >= 0 {
			f.Add(uint8(i), uint8(configuration), c.at, c.number)
		} else {
			f.Errorf("there is no case %s", c.name)
		}
	}
	waves := slices.Index(cases, "testdata/positional_encoding/sinusoidal")
	f.Add(uint8(waves), uint8(nameOfInput), uint16(8), int64(1<<40)) // a table of 2⁴⁰ × 8 waves
	f.Fuzz(func(t *testing.T, which, what uint8, at uint16, number int64) {
		dir := filepath.Join(t.TempDir(), strings.TrimPrefix(cases[int(which)%len(cases)], "testdata/"))
		if err := os.CopyFS(dir, os.DirFS(cases[int(which)%len(cases)])); err != nil {
			t.Fatal(err)
		}
		mutate(t, dir, int(what)%mutations, int(at), number)
		began, before := time.Now(), allocated()
		c, err := verify.Open(dir)
		if err == nil {
			_, err = verify.Run(c)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("more than one line: %v", err)
		}
		if used, spent := allocated()-before, time.Since(began); used > 2<<30 || spent > 20*time.Second {
			t.Errorf("%d MiB in %v: %v", used>>20, spent, err)
		}
	})
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// mutate changes one part of the case in a folder.
func mutate(t *testing.T, dir string, what, at int, number int64) {
	if what == configuration {
		change(t, filepath.Join(dir, "config.json"), func(data []byte) []byte { return otherNumber(t, data, at, number) })
		return
	}
	file := "weights.safetensors"
	if what == shapeOfInput || what == inputGone || what == numberOfInput || what == nameOfInput {
		file = "io.safetensors"
	}
	change(t, filepath.Join(dir, file), func(data []byte) []byte {
		f, err := checkpoint.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for name, whole := range f.Ints {
			f.Arrays[name] = tensor.New(whole.Shape...)
			for i, v := range whole.Data {
				f.Arrays[name].Data[i] = tensor.Elem(v)
			}
		}
		for name, a := range f.Arrays {
			if a.Rank() == 0 {
				f.Arrays[name] = a.Reshape(1)
			}
		}
		names := slices.Sorted(maps.Keys(f.Arrays))
		if len(names) == 0 {
			return data
		}
		name := names[at%len(names)]
		a := f.Arrays[name]
		switch what {
		case shapeOfWeight, shapeOfInput:
			f.Arrays[name] = reshaped(a, number)
		case weightGone, inputGone:
			delete(f.Arrays, name)
		case nameOfInput:
			f.Arrays[fmt.Sprintf("%s_%dx%d", strings.TrimRight(name, "0123456789x_"), number, at)] = a
		default:
			if a.Len() > 0 {
				a.Data[at%a.Len()] = tensor.Elem(math.Float32frombits(uint32(number)))
			}
		}
		var b bytes.Buffer
		if err := checkpoint.Write(&b, f.Arrays, nil, checkpoint.All(checkpoint.Single)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	})
}

// reshaped returns an array of up to four axes of up to seven, chosen by a number, with the values
// of an array.
func reshaped(a *tensor.T, number int64) *tensor.T {
	var shape []int
	for range number&3 + 1 {
		number >>= 2
		shape = append(shape, int(number&7))
	}
	b := tensor.New(shape...)
	copy(b.Data, a.Data)
	return b
}

func change(t *testing.T, path string, by func([]byte) []byte) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, by(data), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// otherNumber returns a configuration with one of its numbers, booleans or lists replaced by a
// whole number.
func otherNumber(t *testing.T, raw []byte, at int, number int64) []byte {
	var config any
	if err := json.Unmarshal(raw, &config); err != nil {
		t.Fatal(err)
	}
	var places []func()
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k], func(to any) { v[k] = to })
			}
		case []any:
			for i := range v {
				walk(v[i], func(to any) { v[i] = to })
			}
		default:
			places = append(places, func() { set(number) })
		}
	}
	walk(config, func(any) {})
	places[at%len(places)]()
	out, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
