package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"attnatlas/web/browsertest"
)

// TestStacksFromTheCommandLine: the maps of architectures are printed with the names of their axes, and drawn.
func TestStacksFromTheCommandLine(t *testing.T) {
	v := view{weights: weights{Weights: browsertest.Stacks(t)}, Text: "The cat sat."}
	for _, c := range []struct{ id, mapName, pattern string }{
		{"universal", "effective weights", `^universal, effective weights\n  step 1 +\S+ \d\.\d{3} · `},
		{"universal", "running", `^universal, running\n  step 1 +\[CLS\] (goes on|halts) · `},
		{"sandwich", "sublayers", `^sandwich, sublayers\n +1 s s: mixes words · 2 s s: mixes words · 3 f f: `},
		{"reversible", "reconstruction error", `(?m)^reversible, reconstruction error\n  layer 1 +\S+ \d\.\S+ · `},
		{"gpt2", "rollout", `(?m)^gpt2, layer 1, rollout\n  \[CLS\] comes from \[CLS\] 1\.000 · `},
	} {
		var out bytes.Buffer
		must(t, (&attendCmd{view: v, Mechanism: []string{c.id}, Map: []string{c.mapName}}).Run(context.Background(),
			streams{out: &out, err: &out}))
		if !regexp.MustCompile(c.pattern).MatchString(out.String()) {
			t.Errorf("%s %s prints\n%s", c.id, c.mapName, &out)
		}
		file := filepath.Join(t.TempDir(), "map.png")
		must(t, (&renderCmd{view: v, Mechanism: c.id, Map: c.mapName, Out: file}).Run(context.Background(),
			streams{out: &out, err: &out}))
		raw, err := os.ReadFile(file)
		must(t, err)
		if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
			t.Errorf("%s %s: %v", c.id, c.mapName, err)
		}
	}
}

// TestSummariesLeaveNothingOut: the command also prints the other statements of cards about a text, and every value
// of maps with one value for each token.
func TestSummariesLeaveNothingOut(t *testing.T) {
	small := weights{Weights: browsertest.Stacks(t)}
	for _, c := range []struct{ id, text, pattern string }{
		{"bert", "The cat sat. ||| It ran.", `(?m)^bert, next sentence\n  (follows|from elsewhere) \d\.\d{3} · (follows|from elsewhere) \d\.\d{3}$`},
		{"albert", "The cat sat. ||| It ran.", `(?m)^albert, sentence order\n  (in order|swapped) \d\.\d{3} · (in order|swapped) \d\.\d{3}$`},
		{"gpt2", "The cat sat.", `(?m)^gpt2: Always causal: `},
		{"universal", "The cat sat.", `(?m)^universal, ponder cost\n  \d\S*$`},
		{"universal", "The cat sat.", `(?m)^universal, updates\n +\[CLS\] [1-3] · The [1-3] · cat [1-3] · sat [1-3] · \. [1-3] · \[SEP\] [1-3]$`},
		{"universal", "The cat sat.", `(?m)^universal, remainders\n +\[CLS\] [01]\.\d{3} · The [01]\.\d{3} · cat \S+ · sat \S+ · \. \S+ · \[SEP\] [01]\.\d{3}$`},
	} {
		var out bytes.Buffer
		v := view{weights: small, Text: c.text}
		must(t, (&attendCmd{view: v, Mechanism: []string{c.id}}).Run(context.Background(), streams{out: &out, err: &out}))
		if !regexp.MustCompile(c.pattern).MatchString(out.String()) {
			t.Errorf("%s lacks %s:\n%s", c.id, c.pattern, &out)
		}
	}
}
