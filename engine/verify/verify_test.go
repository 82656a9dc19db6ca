package verify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/verify"
)

// TestReferences compares every mechanism with the reference computations in testdata, which
// independent implementations produced.
func TestReferences(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, dir := range dirs {
		t.Run(dir[len("testdata/"):], func(t *testing.T) {
			c, err := verify.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			o, err := verify.Run(c)
			if err != nil {
				t.Fatal(err)
			}
			if !o.OK() {
				o.Print(os.Stderr)
				t.Error("does not agree with the reference")
			}
		})
	}
}

// open opens a case of testdata.
func open(t *testing.T, name string) *verify.Case {
	t.Helper()
	c, err := verify.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mustRun computes a case.
func mustRun(t *testing.T, c *verify.Case) *verify.Outcome {
	t.Helper()
	o, err := verify.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestTooLittleCompared: a case with more than a tenth of its arrays uncompared does not agree, and
// its last line states the reason.
func TestTooLittleCompared(t *testing.T) {
	const name = "seed003_dense/pad_b2"
	rows := len(mustRun(t, open(t, name)).Rows)
	for more, agrees := range map[int]bool{rows / 9: true, rows/9 + 1: false} {
		c := open(t, name)
		for i := range more {
			c.IO.Arrays[fmt.Sprint("unheard of ", i)] = tensor.New(1)
		}
		o := mustRun(t, c)
		var printed strings.Builder
		o.Print(&printed)
		if len(o.Missing) != more || o.OK() != agrees || strings.Contains(printed.String(), "TOO FEW compared") == agrees {
			t.Errorf("%d compared and %d not: agrees %v\n%s", len(o.Rows), more, o.OK(), printed.String())
		}
	}
}

// TestHeadsNeedNotDivideTheWidth: a text with one more feature, which all weights ignore, gives the
// same result, although its heads do not divide 33.
func TestHeadsNeedNotDivideTheWidth(t *testing.T) {
	for _, name := range []string{"reformer_lsh/n32_r2_b2", "reformer_local/n32_b1"} {
		c := open(t, name)
		c.IO.Arrays["influence"] = tensor.New(32, 32)
		influence := mustRun(t, c).Values["influence"]
		c = open(t, name)
		c.IO.Arrays["influence"] = influence
		for w, weights := range c.Weights.Arrays {
			if weights.Rank() == 2 {
				c.Weights.Arrays[w] = widened(weights, 0)
				delete(c.IO.Arrays, "grad."+w) // its new column is not 0
			}
		}
		c.IO.Arrays["x"] = widened(c.IO.Arrays["x"], 0.7)
		c.IO.Arrays["grad.input.x"] = widened(c.IO.Arrays["grad.input.x"], 0)
		if o := mustRun(t, c); !o.OK() {
			o.Print(os.Stderr)
			t.Errorf("%s: one more feature makes a difference", name)
		}
	}
}

// widened appends a value to every row of the last axis.
func widened(t *tensor.T, value tensor.Elem) *tensor.T {
	d := t.Dim(-1)
	shape := append([]int(nil), t.Shape...)
	shape[len(shape)-1]++
	var data []tensor.Elem
	for at := 0; at < t.Len(); at += d {
		data = append(append(data, t.Data[at:at+d]...), value)
	}
	return tensor.From(data, shape...)
}
