package figure

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

var update = flag.Bool("update", false, "write the golden images anew")

const sentence = "The cat sat on the mat because it was warm and nobody had thought of internationalization yet ."

// causal allows a token only itself and earlier ones.
func causal(q, k int) bool { return k <= q }

// numberedWords returns n words, repeating the words of a sentence.
func numberedWords(n int) []string {
	words, out := strings.Fields(sentence), make([]string, n)
	for i := range out {
		out[i] = words[i%len(words)]
	}
	return out
}

func strip(n int, labels []string) trace.Map {
	m := softmaxMap(n, 1, 5)
	return trace.Map{Name: "alpha", Kind: trace.Probability, Value: m.Value.Sub(n / 2),
		Axes: []trace.Axis{{Role: trace.Token, Labels: labels}}}
}

// slots returns a map of n tokens that attend to k slots.
func slots(n, k int) trace.Map {
	m := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(n, k),
		Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Slot}}}
	for i, from := range softmaxMap(n, 1, 2).Value.Data {
		if i%n < k {
			m.Value.Set(from, i/n, i%n)
		}
	}
	return m
}

// scores returns signed values before a softmax.
func scores(n int) trace.Map {
	m := softmaxMap(n, 1, 9)
	for i, v := range m.Value.Data {
		m.Value.Data[i] = tensor.Elem(float32(math.Log(float64(v)) + 3))
	}
	m.Kind = trace.Activation
	return m
}

// everyNothing returns a map with all kinds of cells without a visible amount.
func everyNothing() (trace.Map, func(r, c int) bool) {
	m := softmaxMap(8, 1, 3)
	m.Value.Set(0, 5, 1)
	m.Value.Set(0, 7, 3)
	m.Value.Set(1e-7, 6, 2)
	m.Value.Set(tensor.Elem(math.NaN()), 4, 4)
	m.Value.Set(tensor.Elem(math.Inf(1)), 6, 0)
	m.Reach = causal
	return m, func(r, c int) bool { return r < 3 || c != 0 || r == 6 }
}

func goldens() map[string]Spec {
	words := strings.Fields(sentence)
	nothing, computed := everyNothing()
	scripts := []string{"Attention", "日本語", "注意力", "한국어", "שלום", "مرحبا", "हिन्दी", "ภาษาไทย", "Ελλάδα", "Жизнь", "🙂",
		"👩🏽‍💻", "␣the", "a\tb", "\n", "naïve", "ab שלום", "⟨E2⟩"}
	heads := trace.Map{Name: "alpha", Kind: trace.Probability, Value: softmaxMap(18, 1, 4).Value.Reshape(18, 18),
		Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Token, Labels: words}}}
	heads.Value = tensor.From(heads.Value.Data[:4*18], 4, 18)
	buckets := square(trace.Category, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 3, -1, 2})
	buckets.Axes = []trace.Axis{{Role: trace.Round}, {Role: trace.Token}}
	order := square(trace.Category, []float64{1, 4, 0, 2, 3, 5}, []float64{0, 3, 1, 2, 4, 5})
	order.Axes = []trace.Axis{{Role: trace.Round}, {Role: trace.Slot, Name: "place in the order"}}
	by := square(trace.Category, []float64{1, 0, 1, 3, 0}, []float64{0, 2, 2, 1, 3})
	butterfly := square(trace.Category, []float64{0, 2, 4, 6, 1, 3, 5, 7}, []float64{0, 4, 1, 5, 2, 6, 3, 7},
		[]float64{0, 1, 2, 3, 4, 5, 6, 7})
	butterfly.Axes = []trace.Axis{{Role: trace.Stage}, {Role: trace.Slot, Name: "place"}}
	return map[string]Spec{
		"order":  {Title: "Reformer", Subtitle: "order", Map: order, By: &by, Words: words[:5], Theme: Dark},
		"wiring": {Title: "Shuffle-Exchange", Subtitle: "wiring", Map: named(butterfly, nil, words[:6])},
		"light": {Title: "Dot product", Subtitle: "layer 2, head mean, scaled per row — “The cat sat on the mat because it was warm …”",
			Map: named(softmaxMap(18, 1, 1), words, words), Norm: PerRow},
		"arcs": {Title: "Dot product", Subtitle: "the arcs of one row", Map: named(softmaxMap(18, 1, 1), words, words),
			Arcs: Arcs{On: true, Row: 9}},
		"allarcs": {Title: "Linformer", Subtitle: "the widest arc of every row",
			Map: named(softmaxMap(18, 1, 2), words, words), Arcs: Arcs{On: true}, Theme: Dark},
		"dark": {Title: "Dense synthesizer", Subtitle: "layer 1, head 3, scaled per map",
			Map: named(softmaxMap(18, 1, 2), words, words), Norm: PerMap, Palette: Ink, Theme: Dark},
		"scripts": {Title: "Skripte 文字 كتابة 🌍", Subtitle: "labels in many scripts: 日本語の文章、עברית and हिन्दी in one line",
			Map: named(softmaxMap(len(scripts), 1, 2), scripts, scripts), Norm: Log, Palette: Viridis},
		"strip": {Title: "Fastformer", Subtitle: "α, layer 1, head mean", Map: strip(18, words), Norm: PerMap,
			Palette: Magma},
		"heads": {Title: "Fastformer", Subtitle: "α of four heads", Map: heads, Norm: Absolute, Palette: Greys},
		"hatch": {Title: "Five kinds of nothing", Map: nothing, Computed: computed, Norm: Absolute, Scale: 28},
		"scores": {Title: "Scores before the softmax", Subtitle: "signed data",
			Map: named(scores(12), words[:12], words[:12]), Norm: PerMap},
		"uniform": {Title: "Times uniform", Map: named(causalMap(12), words[:12], words[:12]), Norm: Uniform, Theme: Dark},
		"buckets": {Title: "Reformer", Subtitle: "buckets", Map: buckets},
		"tiny":    {Title: "One token", Subtitle: "hello", Map: named(softmaxMap(2, 1, 1), words[:2], words[:2])},
		"tokens64": {Title: "Random", Subtitle: "64 tokens",
			Map: named(softmaxMap(64, 1, 6), numberedWords(64), numberedWords(64)), Norm: PerRow},
		"tokens128": {Title: "Random", Subtitle: "128 tokens",
			Map: named(softmaxMap(128, 1, 6), numberedWords(128), numberedWords(128)), Norm: PerRow, Palette: Greys},
		"tokens512": {Title: "Longformer", Subtitle: "512 tokens",
			Map: named(softmaxMap(512, 1, 7), numberedWords(512), numberedWords(512)), Norm: Uniform},
		"slots": {Title: "Linformer", Subtitle: "8 slots", Map: named(slots(48, 8), numberedWords(48), nil), Norm: PerRow,
			Palette: Viridis},
		"strip512": {Title: "Fastformer", Subtitle: "β of 512 tokens", Map: strip(512, nil), Norm: PerMap, Palette: Ink},
		"print300": {Title: "For print", Subtitle: "300 dots per inch", Map: named(softmaxMap(8, 1, 8), words[:8], words[:8]),
			DPI: 300, Palette: Greys, Norm: Shared, SharedMax: 0.37},
		"transparent": {Title: "Transparent", Map: causalMap(6), Transparent: true, Palette: Ink, Norm: PerMap},
	}
}

func causalMap(n int) trace.Map {
	m := softmaxMap(n, 1, 11)
	m.Reach = causal
	return m
}

func TestGoldenImages(t *testing.T) {
	for name, s := range goldens() {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			if err := PNG(&buf, s); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".png")
			if *update {
				if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if share := differing(t, buf.Bytes(), want); share > edgeShare {
				t.Errorf("%s of the pixels differ from %s", strconv.FormatFloat(100*share, 'f', 3, 64)+" %", path)
			}
		})
	}
}

// edgeShare is the fraction of pixels that can differ. The rasteriser's arithmetic depends on the
// processor, which can change a letter's edge by one degree of coverage. Visible differences are
// larger.
const edgeShare = 0.0005

func differing(t *testing.T, a, b []byte) float64 {
	t.Helper()
	x, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if x.Bounds() != y.Bounds() {
		t.Fatalf("the size is %v, was %v", x.Bounds().Size(), y.Bounds().Size())
	}
	n := 0
	for i := range x.Bounds().Dx() * x.Bounds().Dy() {
		p := image.Pt(i%x.Bounds().Dx(), i/x.Bounds().Dx())
		r0, g0, b0, a0 := x.At(p.X, p.Y).RGBA()
		r1, g1, b1, a1 := y.At(p.X, p.Y).RGBA()
		if r0 != r1 || g0 != g1 || b0 != b1 || a0 != a1 {
			n++
		}
	}
	return float64(n) / float64(x.Bounds().Dx()*x.Bounds().Dy())
}
