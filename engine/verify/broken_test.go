package verify_test

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/verify"
)

// eachReference runs a test on one case of every reference in testdata, the last one.
func eachReference(t *testing.T, test func(t *testing.T, name string)) {
	references, err := filepath.Glob("testdata/*")
	if err != nil || len(references) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, dir := range references {
		cases, _ := filepath.Glob(dir + "/*")
		name := strings.TrimPrefix(cases[len(cases)-1], "testdata/")
		t.Run(name, func(t *testing.T) { test(t, name) })
	}
}

// TestOneNumberIsSeen: if one number of an array changes, the array differs.
func TestOneNumberIsSeen(t *testing.T) {
	eachReference(t, func(t *testing.T, name string) {
		c := open(t, name)
		rows := mustRun(t, c).Rows
		for _, row := range rows {
			number, _ := steepest(c.IO.Arrays[row.Name])
			*number += 1 + tensor.Elem(math.Abs(float64(*number)))/8
		}
		for _, row := range mustRun(t, c).Rows {
			if row.OK {
				t.Errorf("%s has another number, and agrees", row.Name)
			}
		}
	})
}

// TestOneWeightIsSeen: if the weight with the largest gradient changes, a case does not agree.
func TestOneWeightIsSeen(t *testing.T) {
	eachReference(t, func(t *testing.T, name string) {
		c, top, at := open(t, name), tensor.Elem(0), (*tensor.Elem)(nil)
		for array, w := range c.Weights.Arrays {
			if g := c.IO.Arrays["grad."+array]; g != nil {
				if slope, i := steepest(g); at == nil || max(*slope, -*slope) > top {
					top, at = max(*slope, -*slope), &w.Data[i]
				}
			}
		}
		if at == nil {
			t.Skip("no gradients")
		}
		if *at += 0.5; mustRun(t, c).OK() {
			t.Error("another weight makes no difference")
		}
	})
}

// steepest returns the finite number of the largest magnitude in an array, and its index.
func steepest(t *tensor.T) (number *tensor.Elem, at int) {
	for i, v := range t.Data {
		if v = max(v, -v); v < 1e8 && v >= max(t.Data[at], -t.Data[at]) || math.IsInf(float64(t.Data[at]), 0) {
			at = i
		}
	}
	return &t.Data[at], at
}

// TestBrokenCases: any fault in the files of a case gives an error of one line.
func TestBrokenCases(t *testing.T) {
	files := []string{"config.json", "weights.safetensors", "io.safetensors"}
	eachReference(t, func(t *testing.T, name string) {
		for _, file := range files {
			for what, of := range map[string]func(data []byte) []byte{
				"missing": nil, "truncated": func(data []byte) []byte { return data[:2*len(data)/3] },
				"empty": func([]byte) []byte { return nil },
			} {
				dir := filepath.Join(t.TempDir(), name)
				if err := os.CopyFS(dir, os.DirFS("testdata/"+name)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, file)
				data, _ := os.ReadFile(path)
				if os.Remove(path); of != nil {
					os.WriteFile(path, of(data), 0o644)
				}
				if _, err := verify.Open(dir); err == nil || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s is %s: %v", file, what, err)
				}
			}
		}
	})
}

// TestMissingAndMisshapenArrays: a missing or misshapen array gives an error of one line, or one
// array less to compare, but no panic. A misshapen array to compare gives an error.
func TestMissingAndMisshapenArrays(t *testing.T) {
	eachReference(t, func(t *testing.T, name string) {
		c, compared := open(t, name), map[string]bool{}
		for _, row := range mustRun(t, c).Rows {
			compared[row.Name] = true
		}
		for _, arrays := range []map[string]*tensor.T{c.Weights.Arrays, c.IO.Arrays} {
			for array, whole := range maps.Clone(arrays) {
				if strings.HasPrefix(array, "grad.") || strings.ContainsAny(array, "123456789") ||
					strings.Contains(array, ".sample") {
					continue // more of the same
				}
				for _, other := range []*tensor.T{nil, tensor.New(3, 1, 5)} {
					if arrays[array] = other; other == nil {
						delete(arrays, array)
					}
					if other == nil && compared[array] {
						continue
					}
					_, err := verify.Run(c)
					if err != nil && strings.Contains(err.Error(), "\n") || err == nil && other != nil && compared[array] {
						t.Errorf("%s is %v: %v", array, other, err)
					}
				}
				arrays[array] = whole
			}
		}
	})
}
