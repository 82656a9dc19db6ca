package huggingface_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// layerFolder returns a folder with the weights of a reference and a config.json for its class.
func layerFolder(t *testing.T, of string, config map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	weights, err := filepath.Abs(filepath.Join(of, "weights.safetensors"))
	if err == nil {
		err = os.Symlink(weights, filepath.Join(dir, "model.safetensors"))
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(config)
	if err := os.WriteFile(filepath.Join(dir, "config.json"), raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// mapsOf maps the names of our maps to the names in the references.
var mapsOf = map[string]string{"weights": "weights.attn", "alpha": "alpha", "beta": "beta",
	"random weights": "weights.random", "dot-product weights": "weights.vanilla"}

// TestModules compares the maps and the output of every class with the results of PyTorch.
func TestModules(t *testing.T) {
	cases, err := filepath.Glob("../verify/testdata/*/batch2_n13")
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]int{}
	for _, dir := range cases {
		var c struct {
			Class string
			Heads int `json:"num_heads"`
		}
		raw, err := os.ReadFile(filepath.Join(dir, "config.json"))
		if err == nil {
			err = json.Unmarshal(raw, &c)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(huggingface.Modules(), c.Class) {
			continue
		}
		m, err := huggingface.Open(layerFolder(t, dir,
			map[string]any{"model_type": huggingface.ModuleType, "class": c.Class, "num_heads": c.Heads}))
		if err != nil {
			t.Errorf("%s: %v", c.Class, err)
			continue
		}
		if raw, err = os.ReadFile(filepath.Join(dir, "io.safetensors")); err != nil {
			t.Fatal(err)
		}
		io, err := checkpoint.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		mixer := mixerOf(m)
		for b := range 2 {
			x := io.Arrays["x"].Sub(b)
			p := nn.NewPass(ad.NewFrozen())
			p.Run = &trace.Run{}
			y := mixer.Mix(p, p.Tape.Const(x.Reshape(1, x.Dim(0), x.Dim(1))))
			near(t, c.Class+": output", y.Value, io.Arrays["out"].Sub(b))
			for ours, theirs := range mapsOf {
				want := io.Arrays[theirs]
				if want == nil {
					continue
				}
				got, ok := p.Run.Find(ours)
				if !ok {
					t.Errorf("%s shows no %s", c.Class, ours)
					continue
				}
				if want.Len() == 2*got.Value.Len() {
					want = want.Sub(b)
				}
				near(t, c.Class+": "+ours, got.Value, want)
				compared[c.Class]++
			}
		}
	}
	for _, class := range huggingface.Modules() {
		if compared[class] < 2 {
			t.Errorf("%d maps of %s were compared", compared[class], class)
		}
	}
}

// mixerOf returns the mixer of a layer.
func mixerOf(m *huggingface.Model) (mixer nn.Mixer) {
	p := nn.NewPass(ad.NewFrozen())
	p.OnMix = func(_ *nn.Pass, of nn.Mixer, _ *ad.Var) { mixer = of }
	m.Encode(p, []int{0}, 1)
	return mixer
}

// near compares an array with PyTorch's.
func near(t *testing.T, name string, got, want *tensor.T) {
	t.Helper()
	if got.Len() != want.Len() {
		t.Errorf("%s has the shape %v, wanted %v", name, got.Shape, want.Shape)
		return
	}
	for i, w := range want.Data {
		if d := math.Abs(float64(got.Data[i] - w)); !(d <= 1e-5) {
			t.Errorf("%s: number %d is %g, wanted %g", name, i, got.Data[i], w)
			return
		}
	}
}

// TestModulesRefused: a layer's folder that does not open gives an error with the name of the
// faulty part.
func TestModulesRefused(t *testing.T) {
	const dense, mixture = "../verify/testdata/seed003_dense/batch2_n13", "../verify/testdata/seed003_mix_rv/batch2_n13"
	for _, c := range []struct {
		of     string
		class  any
		heads  any
		change string // replaces the text before → in the header by the text after it
		says   string
	}{
		{dense, "Performer", 4, "", "DenseSynthesizer"},
		{dense, nil, 4, "", "class"},
		{dense, "DenseSynthesizer", nil, "", "num_heads"},
		{dense, "DenseSynthesizer", 0, "", "num_heads"},
		{dense, "DenseSynthesizer", 2.5, "", "num_heads"},
		{dense, "DenseSynthesizer", 3, "", "num_heads = 3 does not divide d_model = 16"},
		{dense, "DenseSynthesizer", 2, "", "synthesizer.2.0.bias"},
		{dense, "DenseSynthesizer", 8, "", "synthesizer.4.0.weight"},
		{dense, "RandomSynthesizer", 4, "", "missing: R"},
		{dense, "MultiHeadAttention", 4, "", "missing: W_q.weight, W_q.bias, W_k.weight"},
		{dense, "MixtureSynthesizer", 4, "", "vanilla_attn.W_o.weight"},
		{mixture, "MixtureSynthesizer", 4, "vanilla_attn.W_o.weight→vanilla_attn.W_x.weight", "two or three"},
		{dense, "DenseSynthesizer", 4, "W_v.weight→W_x.weight", "missing: W_v.weight"},
		{dense, "DenseSynthesizer", 4, "[32,16]→[16,32]", "synthesizer"},
		{dense, "DenseSynthesizer", 4, `"synthesizer.3.2.bias":{"dtype":"F32"→"synthesizer.3.2.bias":{"dtype":"I32"`,
			"synthesizer.3.2.bias has the type I32"},
	} {
		dir := layerFolder(t, c.of, map[string]any{"model_type": huggingface.ModuleType, "class": c.class,
			"num_heads": c.heads})
		if before, after, ok := strings.Cut(c.change, "→"); ok {
			raw, err := os.ReadFile(filepath.Join(c.of, "weights.safetensors"))
			if err != nil {
				t.Fatal(err)
			}
			weights := filepath.Join(dir, "model.safetensors")
			if err = os.Remove(weights); err == nil {
				err = os.WriteFile(weights, []byte(strings.Replace(string(raw), before, after, 1)), 0o644)
			}
			if err != nil || !strings.Contains(string(raw), before) {
				t.Fatal(before, err)
			}
		}
		_, opened := huggingface.Open(dir)
		_, told := huggingface.Check(dir)
		if opened == nil || told == nil || opened.Error() != told.Error() || !strings.Contains(told.Error(), c.says) {
			t.Errorf("%v with %v heads, %s: %v; %v; wanted: %s", c.class, c.heads, c.change, opened, told, c.says)
		}
	}
}
