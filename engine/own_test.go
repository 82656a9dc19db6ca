package engine_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/formula"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/tokenizer"
)

// stackConfig returns the configuration of a small model of an architecture.
func stackConfig(t *testing.T, id string) encoder.Config {
	t.Helper()
	stack, mechanism, err := encoder.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	c, err := encoder.Default(stack, mechanism, tokenizer.Default().Size())
	if err != nil {
		t.Fatal(err)
	}
	c.Width, c.Inner = 16, 16
	if c.Embed > 0 {
		c.Embed = 8
	}
	return c
}

// edited returns a model's file with other metadata.
func edited(t *testing.T, c encoder.Config, change func(*encoder.Config)) []byte {
	t.Helper()
	f, err := checkpoint.Parse(file(t, c))
	if err != nil {
		t.Fatal(err)
	}
	change(&c)
	meta, err := checkpoint.Metadata(c, checkpoint.Info{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := checkpoint.Write(&b, f.Arrays, meta, checkpoint.All(checkpoint.Single)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOwnModels: an invalid file of the user's own affects only its model, and the error has its name and cause.
func TestOwnModels(t *testing.T) {
	folder := fstest.MapFS{"dense.safetensors": {Data: file(t, config("dense"))}, "notes.txt": {}, "my.safetensors": {}}
	cases := []struct {
		id     string
		change func(*encoder.Config)
		says   string
	}{
		{"sandwich", func(c *encoder.Config) { c.Options = map[string]string{"order": "ssfsff"} },
			"the order ssfsff has 6 sublayers, 3 of them s; a model of 4 layers needs 4 s"},
		{"universal", func(c *encoder.Config) { c.Options = map[string]string{"halting": "soon"} },
			`option halting=“soon” must be one of basic`},
		{"albert.linformer", func(c *encoder.Config) { c.MixerOptions = map[string]string{"slots": "8"} }, "has shape"},
		{"bert", func(c *encoder.Config) { c.Heads = 0 }, "multiple of heads 0"},
		{"gpt2", func(c *encoder.Config) { c.Mechanism = "linformer" },
			"the file holds a model of gpt2.linformer, not of gpt2"},
		{"reversible", func(c *encoder.Config) { c.Vocab = 5 }, "has shape"},
	}
	for _, c := range cases {
		folder[c.id+".safetensors"] = &fstest.MapFile{Data: edited(t, stackConfig(t, c.id), c.change)}
	}
	folder["random.safetensors.gz"] = &fstest.MapFile{Data: []byte("rubbish")}
	e := engine.NewIn(folder)
	if got := strings.Join(e.Models(), " "); got != "albert.linformer bert dense gpt2 random reversible sandwich universal" {
		t.Error(got)
	}
	ids := []string{"dense", "random"}
	for _, c := range cases {
		ids = append(ids, c.id)
	}
	results := inspect(t, e, engine.Request{Text: "cat", Mechanisms: ids}).Mechanisms
	if results[0].Err != nil {
		t.Error(results[0].Err)
	}
	says := func(err error, file, why string) {
		t.Helper()
		if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), "Your model "+file+
			" cannot be opened: ") || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "encoder: ") {
			t.Errorf("%s: %v", file, err)
		}
	}
	says(results[1].Err, "random.safetensors.gz", "not a safetensors file")
	for i, c := range cases {
		says(results[i+2].Err, c.id+".safetensors", c.says)
	}
	if _, err := e.Info("sandwich"); fault.KindOf(err) != fault.Unsupported {
		t.Error(err)
	}
	if _, err := e.Info("linear"); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
}

// TestOwnModelsOfOtherSizes: no configuration takes more memory than the file's own arrays, and none may leave some
// of them out.
func TestOwnModelsOfOtherSizes(t *testing.T) {
	const huge = 2_000_000_000
	bits := 33
	wide := 1 << bits
	for name, c := range map[string]struct {
		id     string
		change func(*encoder.Config)
		says   string
	}{
		"length": {"bert", func(c *encoder.Config) { c.Length = huge }, "exceed the limits of a model"},
		"width": {"bert", func(c *encoder.Config) { c.Width, c.Inner = wide, wide },
			"exceed the limits of a model"},
		"one place": {"bert", func(c *encoder.Config) { c.Width, c.Length = wide, 1 },
			"exceed the limits of a model"},
		"vocabulary":         {"bert", func(c *encoder.Config) { c.Vocab = huge }, "exceed the limit"},
		"another vocabulary": {"bert", func(c *encoder.Config) { c.Vocab-- }, "has shape"},
		"inner":              {"bert", func(c *encoder.Config) { c.Inner = huge }, "exceed the limit"},
		"inner, a little":    {"bert", func(c *encoder.Config) { c.Inner++ }, "has shape"},
		"one position":       {"encoder-decoder", func(c *encoder.Config) { c.Length = 1 }, "must be at least 3"},
		"writes for ever": {"encoder-decoder", func(c *encoder.Config) { c.Length = 5632 },
			"too much time or memory for a text of 5632 tokens"},
		"in the dark": {"universal", func(c *encoder.Config) { c.Layers, c.Heads = 900, 16 },
			"900 layers of width 16 with 16 heads need too much time"},
		"layers":        {"bert", func(c *encoder.Config) { c.Layers = huge }, "layers, limit 1000"},
		"shared layers": {"universal", func(c *encoder.Config) { c.Layers = huge }, "layers, limit 1000"},
		"waves": {"encoder-decoder", func(c *encoder.Config) { c.Length = huge },
			"exceed the limits of a model"},
		"random":         {"albert.random", func(c *encoder.Config) { c.Length = 60000 }, "has shape"},
		"a layer less":   {"bert", func(c *encoder.Config) { c.Layers-- }, "it belongs to another model"},
		"a layer more":   {"bert", func(c *encoder.Config) { c.Layers++ }, "is missing"},
		"no segments":    {"bert", func(c *encoder.Config) { c.Types = 0; c.Tasks = nil }, "it belongs to another model"},
		"no classifiers": {"albert.random", func(c *encoder.Config) { c.Tasks = nil }, "it belongs to another model"},
	} {
		e := engine.NewIn(fstest.MapFS{c.id + ".safetensors": {Data: edited(t, stackConfig(t, c.id), c.change)}})
		if _, err := e.Info(c.id); fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOverrides lists the settings in which a model differs from the bundled one of its name.
func TestOverrides(t *testing.T) {
	for id, c := range map[string]struct {
		change func(*encoder.Config)
		want   string
	}{
		"bert": {func(*encoder.Config) {}, ""},
		"gpt2": {func(c *encoder.Config) { c.Norm, c.Layers = encoder.PostNorm, 3 }, "layers = 3, norm = post"},
		"universal": {func(c *encoder.Config) { c.Options, c.Positions = nil, encoder.Learned },
			"positions = learned, ponder = 0.01"},
		"sandwich.linformer": {func(c *encoder.Config) { c.MixerOptions = map[string]string{"order": "compress-first"} },
			"mixer = linformer, order of the token mixer = compress-first"},
		"encoder.random": {func(*encoder.Config) {}, "layers = 4"},
		"mixture-rv": {func(c *encoder.Config) { c.MixerOptions = map[string]string{"mix": "sum"} },
			"layers = 4, mix = sum"},
	} {
		stack, mechanism, _ := encoder.Parse(id)
		m, err := encoder.Default(stack, mechanism, tokenizer.Default().Size())
		if err != nil {
			t.Fatal(err)
		}
		c.change(&m)
		var got []string
		for _, choice := range modelfile.Overrides(infoOf(m)) {
			got = append(got, choice.Name.String()+" = "+choice.Value.String())
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %v", id, got)
		}
	}
}

func infoOf(c encoder.Config) *engine.ModelInfo {
	return &engine.ModelInfo{
		Stack: c.Stack, Mechanism: c.Mechanism, Layers: c.Layers, Width: c.Width, Heads: c.Heads, Length: c.Length,
		Norm: string(c.Norm), Positions: string(c.Known()), MixerOptions: c.MixerOptions, Options: c.Options,
	}
}

// TestAs: formula and summary fit the model, and for the bundled model they are unchanged.
func TestAs(t *testing.T) {
	post := func(c *encoder.Config) { c.Norm = encoder.PostNorm }
	option := func(name, value string) func(*encoder.Config) {
		return func(c *encoder.Config) { c.Options = map[string]string{name: value} }
	}
	for _, c := range []struct {
		id               string
		change           func(*encoder.Config)
		formula, summary string // parts; empty: unchanged
	}{
		{"encoder", func(*encoder.Config) {}, "", ""},
		{"encoder", post, "x ← LN(x + Mix(x))", ""},
		{"gpt2.dense", post, "softmax(E x)", ""},
		{"bert", func(c *encoder.Config) { c.Norm = encoder.PreNorm }, "x ← x + Mix(LN(x))", ""},
		{"bert", post, "", ""},
		{"encoder-decoder", post, "y ← LN(y + Cross(y, M))", ""},
		{"albert", option("groups", "2"), "Group", "4 layers share the weights of 2"},
		{"albert", option("groups", "4"), "Group", "Every layer has weights of its own"},
		{"universal", option("halting", "accumulated"), "", ""},
		{"universal", option("halting", "none"), "for t = 1", "the same number of times for every word"},
		{"universal", option("halting", "global"), "1/N", "together"},
		{"universal", option("signal", "none"), "Layer(sₜ₋₁)", ""},
		{"sandwich", option("order", "0"), "", "sfsfsfsf"},
		{"sandwich", option("order", "ssfsfsff"), "s s f s f s f f", "ssfsfsff"},
		{"reversible", option("memory", "stored"), "", ""},
		{"mixture-rv", func(c *encoder.Config) { c.MixerOptions = map[string]string{"mix": "outputs"} },
			attention.MixtureRV.Forms[1].Formula, ""},
	} {
		entry, stack, ok := engine.Find(c.id)
		id, mechanism, err := encoder.Parse(c.id)
		if !ok || err != nil {
			t.Fatal(c.id, err)
		}
		m := encoder.Config{Mechanism: mechanism}
		if id != "" {
			m, _ = encoder.Default(id, mechanism, 9)
		}
		c.change(&m)
		as := engine.As(entry, stack, infoOf(m))
		f, err := formula.Parse(as.Formula)
		if err != nil {
			t.Fatal(c.id, err)
		}
		if (c.formula == "") != (as.Formula == entry.Formula) || !strings.Contains(as.Formula+" "+f.Text(), c.formula) {
			t.Errorf("%s: %s", c.id, f.Text())
		}
		if (c.summary == "") != (as.Summary.String() == entry.Summary.String()) ||
			!strings.Contains(as.Summary.String(), c.summary) {
			t.Errorf("%s: %s", c.id, as.Summary.String())
		}
	}
}
