package static_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"attnatlas/components"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
)

// script runs a piece of JavaScript that has imported the named modules as M, with input as the variable input. It
// decodes the result.
func script(t *testing.T, module, code string, input, output any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED, NOT CHECKED: node is not installed, so the scripts were not compared with Go")
	}
	source, err := os.ReadFile("js/" + module)
	if err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf(`import * as M from 'data:text/javascript;base64,%s';
import { readFileSync } from 'node:fs';
const input = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify((() => { %s })()));`, base64.StdEncoding.EncodeToString(source), code)
	cmd := exec.Command(node, "--input-type=module", "-e", program)
	cmd.Stdin = bytes.NewReader(in)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	if err := json.Unmarshal(out, output); err != nil {
		t.Fatalf("node printed %.200s: %v", out, err)
	}
}

func TestNumbersEqualGo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []float64{0, 1, -1, 0.5, 0.001, 0.0009995, 0.00099949, 99999, 100000, 12345.678, 1e-30, -0.0312,
		0.9999, 9.995, 2}
	for range 3000 {
		values = append(values, float64(float32(r.NormFloat64()*math.Exp(20*r.NormFloat64()))))
	}
	var got []string
	script(t, "format.js", `return input.map((v) => M.number(v))`, values, &got)
	for i, v := range values {
		if want := messages.Number(v); got[i] != want {
			t.Errorf("number(%v) is %q in the script, %q in Go", v, got[i], want)
		}
	}
	labels := []string{"", "a", "internationalization", "小猫坐在垫子上小猫坐在垫子上", "123456789", "1234567890"}
	script(t, "format.js", `return input.map((v) => M.shorten(v, 9))`, labels, &got)
	for i, l := range labels {
		if want := components.Shorten(l, 9); got[i] != want {
			t.Errorf("shorten(%q) is %q in the script, %q in Go", l, got[i], want)
		}
	}
}

// TestDecimalsEqualJSON: a float32 of a drawing is formatted as its shortest decimal, as in JSON.
func TestDecimalsEqualJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	bits := []uint32{0, 1, 2, 0x7f7fffff, 0x80000000, 0x00800000, 0x007fffff, 0x3f800001, 0x3f7fffff}
	for e := range uint32(255) {
		bits = append(bits, e<<23, e<<23+1, e<<23|0x7fffff) // powers of two and their neighbours
	}
	for range 20000 {
		if b := r.Uint32(); b&0x7f800000 != 0x7f800000 {
			bits = append(bits, b)
		}
	}
	decimals := make([]float64, len(bits))
	for i, b := range bits {
		var err error
		if decimals[i], err = strconv.ParseFloat(strconv.FormatFloat(float64(math.Float32frombits(b)), 'g', -1, 32),
			64); err != nil {
			t.Fatal(err)
		}
	}
	var got []struct{ Is, Want [2]string }
	script(t, "format.js", `const floats = new Float32Array(Uint32Array.from(input.bits).buffer);
		const strings = (v) => [M.exact(v), M.number(v)];
		return input.decimals.map((d, i) => ({ Is: strings(M.decimal(floats[i])), Want: strings(d) }))`,
		map[string]any{"bits": bits, "decimals": decimals}, &got)
	for i, g := range got {
		if g.Is != g.Want {
			t.Errorf("bits %08x read as %q, want %q", bits[i], g.Is, g.Want)
		}
	}
}

func TestPalettesAreFresh(t *testing.T) {
	dir := t.TempDir()
	js, css := filepath.Join(dir, "palettes.js"), filepath.Join(dir, "palettes.css")
	if out, err := exec.Command("go", "run", "palettes_gen.go", "-js", js, "-css", css).CombinedOutput(); err != nil {
		t.Fatalf("palettes_gen.go: %v\n%s", err, out)
	}
	for committed, fresh := range map[string]string{"js/palettes.js": js, "css/palettes.css": css} {
		a, errA := os.ReadFile(committed)
		b, errB := os.ReadFile(fresh)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not what palettes_gen.go writes: run go generate ./static", committed)
		}
	}
}

func TestScriptsAreFresh(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "scripts.css")
	if out, err := exec.Command("go", "run", "scripts_gen.go", "-css", fresh).CombinedOutput(); err != nil {
		t.Fatalf("scripts_gen.go: %v\n%s", err, out)
	}
	a, errA := os.ReadFile("css/scripts.css")
	b, errB := os.ReadFile(fresh)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Error("css/scripts.css is not what scripts_gen.go writes: run go generate ./static")
	}
}

func TestPalettesEqualFigure(t *testing.T) {
	var got map[string]map[string]string
	script(t, "palettes.js", `return M.TABLES`, nil, &got)
	for _, p := range figure.Palettes() {
		for theme, name := range map[figure.Theme]string{figure.Light: "light", figure.Dark: "dark"} {
			var want strings.Builder
			for _, c := range p.Table(theme) {
				fmt.Fprintf(&want, "%02x%02x%02x", c[0], c[1], c[2])
			}
			if got[p.String()][name] != want.String() {
				t.Errorf("%s, %s: the script's table differs from the figure's", p, name)
			}
		}
	}
	for _, name := range []string{"diverging", "categorical"} {
		if len(got[name]["light"]) != 6*256 || len(got[name]["dark"]) != 6*256 {
			t.Errorf("the table %s is missing or too short", name)
		}
	}
}

// TestTracesThroughAWiring compares the traces of the butterfly with a walk along every single way from a slot on the
// left to a slot on the right.
func TestTracesThroughAWiring(t *testing.T) {
	const places = 8
	r := rand.New(rand.NewPCG(5, 6))
	stages := make([][]int, 4)
	for s := range stages {
		stages[s] = r.Perm(places)
	}
	flat := []int{}
	for _, s := range stages {
		flat = append(flat, s...)
	}
	var got [][2][][]bool
	script(t, "wiring.js", `return Array.from({ length: 8 }, (_, i) => [M.forward(input, i), M.backward(input, i)])`,
		map[string]any{"rows": len(stages), "cols": places, "values": flat}, &got)
	var passed, wanted [places][4][places]bool
	var walk func(start, place, stage int, via [4]int)
	walk = func(start, place, stage int, via [4]int) {
		if stage == len(stages) {
			for s, at := range via {
				passed[start][s][at], wanted[place][s][at] = true, true
			}
			return
		}
		for _, out := range []int{place, place ^ 1} { // a switch passes on or swaps
			via[stage] = out
			for to, from := range stages[stage] {
				if from == out {
					walk(start, to, stage+1, via)
				}
			}
		}
	}
	for start := range places {
		walk(start, start, 0, [4]int{})
	}
	for i := range places {
		for s := range stages {
			for at := range places {
				if got[i][0][s][at] != passed[i][s][at] {
					t.Errorf("forward from %d: stage %d, place %d is %v", i, s, at, got[i][0][s][at])
				}
				if got[i][1][s][at] != wanted[i][s][at] {
					t.Errorf("backward from %d: stage %d, place %d is %v", i, s, at, got[i][1][s][at])
				}
			}
		}
	}
}
