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
	"strings"
	"testing"

	"attnatlas/components"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// script runs a piece of JavaScript that has imported the named modules as M,
// with input as the variable input, and decodes what it returns.
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

// sheet is a map in the form that norm.js takes, with what the figure says of it.
type sheet struct {
	Rows   int        `json:"rows"`
	Cols   int        `json:"cols"`
	Kind   string     `json:"kind"`
	Values []*float64 `json:"values"` // nil: not finite
	Reach  string     `json:"reach,omitempty"`
	Norm   string     `json:"norm"`
	Shared float64    `json:"shared"`

	index   []uint8
	classes []figure.Class
}

// randomSheet makes a map with everything in it that a scale can meet.
func randomSheet(r *rand.Rand, kind trace.Kind, norm figure.Norm) (sheet, error) {
	rows, cols := 1+r.IntN(9), 1+r.IntN(9)
	m := trace.Map{Name: "weights", Kind: kind, Value: tensor.New(rows, cols), Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
	reach := make([]bool, rows*cols)
	s := sheet{Rows: rows, Cols: cols, Kind: kind.String(), Norm: norm.String(), Shared: math.Exp(r.NormFloat64())}
	for i := range reach {
		reach[i] = r.IntN(6) > 0
		s.Reach += map[bool]string{true: "1", false: "0"}[reach[i]]
		m.Value.Data[i] = tensor.Elem(randomValue(r, kind))
	}
	m.Reach = func(q, k int) bool { return reach[q*cols+k] }
	grid, err := figure.Quantise(figure.Spec{Map: m, Norm: norm, SharedMax: s.Shared})
	if err != nil {
		return s, err
	}
	for _, v := range m.Value.Data {
		f := float64(v)
		if p := &f; math.IsNaN(f) || math.IsInf(f, 0) {
			s.Values = append(s.Values, nil)
		} else {
			s.Values = append(s.Values, p)
		}
	}
	s.index, s.classes = grid.Index, grid.Class
	return s, nil
}

func randomValue(r *rand.Rand, kind trace.Kind) float64 {
	if kind == trace.Category || kind == trace.Count {
		return float64(r.IntN(20) - r.IntN(3))
	}
	switch r.IntN(12) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return math.Inf(1)
	case 3:
		return math.Exp2(-float64(r.IntN(12)))
	case 4:
		return math.Exp(-30 * r.Float64())
	}
	if kind == trace.Activation {
		return r.NormFloat64()
	}
	return r.Float64()
}

func TestNormEqualsFigure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var sheets []sheet
	kinds := []trace.Kind{trace.Probability, trace.Activation, trace.Weight, trace.Category}
	for _, norm := range figure.Norms() {
		for range 200 {
			s, err := randomSheet(r, kinds[r.IntN(len(kinds))], norm)
			if err != nil {
				t.Fatal(err)
			}
			sheets = append(sheets, s)
		}
	}
	var got []struct{ Index, Classes []int }
	script(t, "norm.js", `return input.map((s) => {
		const g = M.quantise({ ...s, values: s.values.map((v) => v === null ? NaN : v) }, s.norm, s.shared);
		return { Index: [...g.index], Classes: [...g.classes] };
	})`, sheets, &got)
	for i, s := range sheets {
		for k := range s.index {
			if got[i].Index[k] != int(s.index[k]) || got[i].Classes[k] != int(s.classes[k]) {
				t.Fatalf("map %d (%s, %s), cell %d: script says index %d class %d, figure says %d and %v",
					i, s.Kind, s.Norm, k, got[i].Index[k], got[i].Classes[k], s.index[k], s.classes[k])
			}
		}
	}
}

func TestNumbersEqualGo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []float64{0, 1, -1, 0.5, 0.001, 0.0009995, 0.00099949, 99999, 100000, 12345.678, 1e-30, -0.0312, 0.9999, 9.995, 2}
	for range 3000 {
		values = append(values, float64(float32(r.NormFloat64()*math.Exp(20*r.NormFloat64()))))
	}
	var got []string
	script(t, "format.js", `return input.map((v) => M.number(v))`, values, &got)
	for i, v := range values {
		if want := components.Number(v); got[i] != want {
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

// TestClassesAndOrdersEqualFigure: classes without a name are nothing, and tokens have the
// colour of their class.
func TestClassesAndOrdersEqualFigure(t *testing.T) {
	axes := []trace.Axis{{Role: trace.Round}, {Role: trace.Slot}}
	order := trace.Map{Name: "order", Kind: trace.Category, Axes: axes, Value: tensor.From([]tensor.Elem{2, 0, 1, 3, 1, 2, 0, 3}, 2, 4)}
	by := trace.Map{Name: "buckets", Kind: trace.Category, Axes: []trace.Axis{{Role: trace.Round}, {Role: trace.Token}},
		Value: tensor.From([]tensor.Elem{5, 0, 9, 1, 4, 0}, 2, 3)}
	named := order
	named.Classes = []string{"", "window", "global"}
	for _, c := range []struct {
		spec figure.Spec
		code string
	}{
		{figure.Spec{Map: order, By: &by}, `by: { values: [5, 0, 9, 1, 4, 0], cols: 3 }`},
		{figure.Spec{Map: named}, `classes: ['', 'window', 'global']`},
	} {
		grid, err := figure.Quantise(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Index, Classes []int }
		script(t, "norm.js", `const g = M.quantise({ rows: 2, cols: 4, kind: 'category', values: input, `+c.code+` }, 'row');
			return { Index: [...g.index], Classes: [...g.classes] };`, order.Value.Data, &got)
		for i := range grid.Index {
			if got.Index[i] != int(grid.Index[i]) || got.Classes[i] != int(grid.Class[i]) {
				t.Errorf("%s: the script says %v, the figure %v and %v", c.code, got, grid.Index, grid.Class)
				break
			}
		}
	}
}

// TestTracesThroughAWiring holds the traces of the butterfly against a walk along every
// single way from a place at the left to a place at the right.
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
