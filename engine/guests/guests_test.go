package guests

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/predict"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tokenizer"
)

// TestIDs: names become parts of addresses, and two equal names get two ids.
func TestIDs(t *testing.T) {
	taken := map[string]bool{}
	for _, one := range []struct{ name, want string }{
		{"google-bert/bert-base-uncased", "hf-bert-base-uncased"}, {"Qwen/Qwen3-0.6B", "hf-qwen3-0-6b"},
		{"bert-base-uncased", "hf-bert-base-uncased-2"},
	} {
		got := unlike(id(one.name), taken)
		if taken[got] = true; got != one.want {
			t.Errorf("%s is %s, wanted %s", one.name, got, one.want)
		}
	}
}

// TestGuest: the engine answers with a guest's own tokens and the library's attention.
func TestGuest(t *testing.T) {
	dir := os.Getenv("VIZ_GOLDENS")
	if dir == "" {
		t.Skip("no VIZ_GOLDENS: goldens with tokenizers")
	}
	for _, name := range []string{"bert-mlm", "roberta-classify", "modernbert-mlm", "gpt2-hub-names", "mpnet",
		"deberta-v3"} {
		dir := filepath.Join(dir, name)
		guest := Invite(huggingface.Given([]string{dir}))[0]
		const text = "The cat sat on the mat because it was tired."
		rep, err := engine.New().Inspect(context.Background(), engine.Request{Text: text, Mechanisms: []string{guest.ID}})
		if err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(name, err, rep.Mechanisms[0].Err)
		}
		raw, err := os.ReadFile(dir + huggingface.ExpectedSuffix)
		if err != nil {
			t.Fatal(err)
		}
		want, err := checkpoint.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		weights, _ := rep.Mechanisms[0].Layers[1].Find("weights")
		for i, w := range want.Arrays["attn.0.2"].Data {
			if math.Abs(float64(weights.Value.Data[i]-w)) > 1e-5 {
				t.Fatalf("%s: weight %d is %g, wanted %g", name, i, weights.Value.Data[i], w)
			}
		}
		for i, token := range rep.Tokens {
			if token.Start > token.End || token.End > len(text) || i > 0 && token.Start < rep.Tokens[i-1].Start {
				t.Errorf("%s: token %d is %+v", name, i, token)
			}
		}
		if rep, err = engine.New().Inspect(context.Background(),
			engine.Request{Text: "A [MASK] b.", Mechanisms: []string{guest.ID}}); err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(name, err)
		}
		if p := rep.Mechanisms[0].Predictions; name != "roberta-classify" && (len(p) == 0 || len(p[0].Words) != 10) {
			t.Errorf("%s predicts %v", name, p)
		}
	}
}

// TestGuestContinues: the probabilities of the next token in decoders of other programs do not depend on what
// follows in the text.
func TestGuestContinues(t *testing.T) {
	dir := os.Getenv("VIZ_GOLDENS")
	if dir == "" {
		t.Skip("no VIZ_GOLDENS: goldens with tokenizers")
	}
	for _, name := range []string{"gpt2-hub-names", "llama-gqa", "llama3-scaled-tied", "qwen3"} {
		guest := Invite(huggingface.Given([]string{filepath.Join(dir, name)}))[0]
		e, r := engine.New(), predict.Continue{Text: "The cat sat", Words: 6}
		c, err := e.Continue(t.Context(), guest.ID, r)
		if err != nil || len(c.Written) < 2 || !e.Continues(guest.ID) || e.ContinueCost(guest.ID, r).Bytes == 0 {
			t.Fatal(name, c, err)
		}
		rep, err := e.Inspect(t.Context(), engine.Request{Text: r.Text + " on.", Mechanisms: []string{guest.ID}})
		if err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(name, err, rep.Mechanisms[0].Err)
		}
		last, first := len(c.Tokens)-1, c.Written[0]
		if want := rep.Mechanisms[0].Predictions[last].Words[0]; want.Piece != first.Piece ||
			math.Abs(want.P-first.P) > 1e-5 {
			t.Errorf("%s: %+v, wanted %+v", name, first, want)
		}
		if rows := c.Written[1].Weights; len(rows) == 0 || rows[0].Dim(1) != len(c.Tokens)+1 {
			t.Errorf("%s: %d layers of weights", name, len(rows))
		}
	}
}

// small is a test model with its tokenizer.
const small = "../huggingface/testdata/t5"

// TestPair: a guest with encoder and decoder shows the attention of its encoder, its decoder and its cross-attention.
// The probabilities with a KV cache equal those of one pass over the whole text.
func TestPair(t *testing.T) {
	guest := Invite(huggingface.Given([]string{small}))[0]
	e, text := engine.New(), "The cat sat on the mat."
	rep, err := e.Inspect(t.Context(), engine.Request{Text: text, Mechanisms: []string{guest.ID}})
	if err != nil || rep.Mechanisms[0].Err != nil {
		t.Fatal(err, rep.Mechanisms[0].Err)
	}
	res := rep.Mechanisms[0]
	if info, err := guest.Info(); err != nil || info.Params == 0 || info.Params != res.Model.Params {
		t.Errorf("%+v has not the %d parameters of the opened model: %v", info, res.Model.Params, err)
	}
	g, n, m := res.Generated, len(res.Tokens), len(res.Generated.Steps)
	for name, shape := range map[string][]int{engine.CrossPart: {3, m, n}, engine.DecoderPart: {3, m, m},
		engine.EncoderPart: {3, n, n}} {
		part, _ := res.Part(name)
		if len(part.Layers) != 2 {
			t.Fatalf("%s has %d layers", name, len(part.Layers))
		}
		weights, _ := part.Layers[1].Find("weights")
		if !slices.Equal(weights.Value.Shape, shape) {
			t.Errorf("%s has the shape %v, wanted %v", name, weights.Value.Shape, shape)
		}
		for row := range weights.Value.Len() / weights.Value.Dim(2) {
			sum := 0.0
			for _, w := range weights.Value.Data[row*weights.Value.Dim(2):][:weights.Value.Dim(2)] {
				sum += float64(w)
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Fatalf("row %d of %s sums to %g", row, name, sum)
			}
		}
	}
	if heads, err := res.Profiles(); err != nil || heads[0].Sinks == 0 {
		t.Errorf("no head reads </s>: %+v %v", heads, err)
	}
	cross, _ := res.Part(engine.CrossPart)
	rows, _ := cross.Layers[1].Find("weights")
	c, err := e.Continue(t.Context(), guest.ID, predict.Continue{Text: text, Words: 4, Layer: 2})
	if err != nil || len(c.Written) < 2 || !e.Continues(guest.ID) || c.Begins != "<pad>" {
		t.Fatal(c, err)
	}
	for i, one := range c.Written {
		if top := g.Steps[i].Top[0]; one.Piece != g.Steps[i].Piece || math.Abs(top.P-one.P) > 1e-5 {
			t.Errorf("token %d is %s with %g, in one pass %+v", i+1, one.Piece, one.P, top)
		}
		own := one.Own[0]
		if len(one.Weights) != 1 || one.Weights[0].Dim(1) != n || own.Dim(1) != i+1 {
			t.Fatalf("token %d: %v, %v", i+1, one.Weights[0].Shape, own.Shape)
		}
		for h := range 3 {
			for j := range n {
				if d := one.Weights[0].At(h, j) - rows.Value.At(h, i, j); math.Abs(float64(d)) > 1e-5 {
					t.Fatalf("token %d, head %d: the weight of %d differs by %g", i+1, h+1, j+1, d)
				}
			}
		}
	}
}

// TestPairCost: a text takes no positions of the decoder, so writing after a long text costs at least as much.
func TestPairCost(t *testing.T) {
	guest := Invite(huggingface.Given([]string{small}))[0]
	e := engine.New()
	written := func(text string) float64 {
		r := predict.Continue{Text: text}
		nothing := e.ContinueCost(guest.ID, r).Operations
		r.Words = 100
		return e.ContinueCost(guest.ID, r).Operations - nothing
	}
	long := strings.TrimSpace(strings.Repeat("cat ", 2040)) // two tokens each, of 4096
	if short, long := written("cat"), written(long); short <= 0 || long < short {
		t.Errorf("100 words cost %g operations behind a short text and %g behind a long one", short, long)
	}
}

// withTokenizer returns a copy of a model of the tests with the tokenizer of another folder, and with fields of its
// configuration changed.
func withTokenizer(t *testing.T, dir string, files map[string]string, change ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(to, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	files["config.json"] = strings.NewReplacer(change...).Replace(string(raw))
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// pieces returns a vocabulary of this many tokens for small models of the tests.
func pieces(count int) map[string]string {
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "sat", "."}
	for len(words) < count {
		words = append(words, "[unused"+strconv.Itoa(len(words))+"]")
	}
	return map[string]string{"vocab.txt": strings.Join(words, "\n"),
		"tokenizer_config.json": `{"tokenizer_class": "BertTokenizer"}`}
}

// TestDecoderHeads: the rows that a decoder shows take the memory of its own heads, not of the encoder’s.
func TestDecoderHeads(t *testing.T) {
	e, words := engine.New(), 20
	costs, shown := map[int]int64{}, map[int]int64{}
	for _, heads := range []int{2, 4} {
		dir := withTokenizer(t, "../huggingface/testdata/bart", pieces(300),
			`"decoder_attention_heads": 2`, `"decoder_attention_heads": `+strconv.Itoa(heads))
		guest := Invite(huggingface.Given([]string{dir}))[0]
		costs[heads] = e.ContinueCost(guest.ID, predict.Continue{Text: "a", Words: words}).Bytes
		shown[heads] = e.Cost(engine.Request{Text: "a", Mechanisms: []string{guest.ID}}).Bytes
	}
	const side = 48 // tokens that are written
	if more := shown[4] - shown[2]; shown[2] == 0 || more < 2*2*2*side*side*4 {
		t.Errorf("with 4 heads instead of 2, the maps of a text take %d bytes more than %d", more, shown[2])
	}
	more := costs[4] - costs[2]
	if least := int64(2 * 2 * words * words * 4); costs[2] == 0 || more < least {
		t.Errorf("with 4 heads instead of 2 it takes %d bytes more than %d", more, costs[2])
	}
}

// TestLayer: an attention layer without a model shows the maps of its mechanism for the Atlas' own tokens. It refuses
// requests that need a whole model.
func TestLayer(t *testing.T) {
	guest := Invite(huggingface.Given([]string{"../huggingface/testdata/layer-mixture"}))[0]
	e, text := engine.New(), "The [MASK] sat."
	rep, err := e.Inspect(t.Context(), engine.Request{Text: text, Mechanisms: []string{guest.ID}})
	if err != nil || rep.Mechanisms[0].Err != nil {
		t.Fatal(err, rep.Mechanisms[0].Err)
	}
	res, own := rep.Mechanisms[0], tokenizer.Default().Encode(text)
	if !slices.Equal(rep.Tokens, own) || len(res.Predictions) > 0 || len(res.Layers) != 1 {
		t.Errorf("%d tokens, wanted %d; %d predictions, %d layers", len(rep.Tokens), len(own), len(res.Predictions),
			len(res.Layers))
	}
	for _, name := range []string{"weights", "random weights", "dense weights", "dot-product weights"} {
		m, ok := res.Layers[0].Find(name)
		if want := []int{2, len(own), len(own)}; !ok || !slices.Equal(m.Value.Shape, want) {
			t.Errorf("%s: %v, wanted %v", name, m.Value, want)
		}
	}
	if info, err := guest.Info(); err != nil || info.Params != res.Model.Params || info.Longest != 8 {
		t.Errorf("%+v does not describe the opened %+v: %v", info, res.Model, err)
	}
	rep, err = e.Inspect(t.Context(), engine.Request{Text: strings.Repeat("cat ", 9), Mechanisms: []string{guest.ID}})
	if err != nil || rep.Mechanisms[0].Err == nil {
		t.Error("a text of more tokens than the layer has positions is read", err)
	}
	question := similarity.Question{Mechanism: guest.ID, Query: "a", Passages: []string{"b"}}
	if _, err := e.Match(t.Context(), question); err == nil {
		t.Error("a layer matches texts")
	}
	if e.Continues(guest.ID) {
		t.Error("a layer continues texts")
	}
	if e := guest.Entry(); e.NoRollout.IsZero() || !strings.Contains(e.Summary.String(), "PyTorch") {
		t.Errorf("%s is described as a whole model: %s", guest.ID, e.Summary)
	}
}

// TestLayersSayWhatTheyAttendTo: a card says whether its layer has a window, or no positions, and shows all layers.
func TestLayersSayWhatTheyAttendTo(t *testing.T) {
	dirs := []string{"../huggingface/testdata/gemma2", "../huggingface/testdata/smollm3",
		"../huggingface/testdata/modernbert-mlm", "../huggingface/testdata/bert-classify"}
	want := [][]engine.LayerReach{
		{{Window: 6, Positioned: true}, {Positioned: true}, {Window: 6, Positioned: true}},
		{{Positioned: true}, {}, {Positioned: true}, {}},
		nil,
		{{Positioned: true}, {Positioned: true}},
	}
	for i, guest := range Invite(huggingface.Given(dirs)) {
		got := guest.Layers()
		if want[i] != nil && !slices.Equal(got, want[i]) {
			t.Errorf("%s: %+v, want %+v", dirs[i], got, want[i])
		}
		for l, one := range got {
			if is, ok := engine.Reach(guest.ID, l+1); !ok || is != one {
				t.Errorf("%s: layer %d attends to %+v", dirs[i], l+1, is)
			}
			if both := one.Window > 0 && !guest.Causal(); one.BothSides != both {
				t.Errorf("%s: layer %d has a window on both sides: %v", dirs[i], l+1, one.BothSides)
			}
		}
		if _, ok := engine.Reach(guest.ID, len(got)+1); ok {
			t.Errorf("%s has more layers than %d", dirs[i], len(got))
		}
	}
}
