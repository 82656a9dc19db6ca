package exhibit_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/trace"
)

// TestReading: a reading says what a number counts if the number alone would mislead.
func TestReading(t *testing.T) {
	r := report(kinds())
	r.Mechanisms[0].Layers[0].Maps[0].Reach = func(q, k int) bool { return k != 0 }
	r.Mechanisms[0].Layers[0].Maps[3].Value.Set(1, 0, 0)
	s := first(r, figure.PerRow)
	for _, c := range []struct {
		name        string
		row, col    int
		says, exact string
	}{
		{"weights", 1, 3, "1", "1"},
		{"weights", 1, 0, "masked out", ""},
		{"weights", 1, n, "–", ""},
		{"weights", n, 1, "–", ""},
		{"scores", 1, 3, "−2.00", "-2"},
		{"norms", 1, 3, "length 1.50", "1.5"},
		{"meeting", 1, 3, "meet after 4 stages", "4"},
		{"meeting", 0, 0, "meet after 1 stage", "1"},
		{"updates", 0, 3, "–", ""}, // it is not a map of pairs
	} {
		if got := show(t, s, "dense", c.name).Reading(c.row, c.col); got.Text.String() != c.says || got.Exact != c.exact {
			t.Errorf("%s %d, %d: %q, %q", c.name, c.row, c.col, got.Text, got.Exact)
		}
	}
	for name, want := range map[string]string{"weights": "", "meeting": "reading.meeting", "updates": "reading.count",
		"norms": "reading.length"} {
		if got := show(t, s, "dense", name).Saying(); got != want {
			t.Errorf("%s is said by %q", name, got)
		}
	}
	if got := show(t, s, "dense", "updates").Says("3", 3).String(); got != "3 steps" {
		t.Error(got)
	}
}

// TestAlt: the alternative text names mechanism, map, layer and head. For maps of words, it gives the largest cell
// within reach.
func TestAlt(t *testing.T) {
	r := report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1)}),
		result("longformer", []trace.Map{over("pattern", trace.Category, 2, trace.Query, trace.Key),
			pairs("weights", trace.Probability, 1)}),
		result("reformer", []trace.Map{over("weights by round", trace.Probability, 1, trace.Head, trace.Round, trace.Query,
			trace.Key)}),
		result("fastformer", []trace.Map{pairs("contribution", trace.Weight, 1), strip("alpha", 0.5)}), generation())
	causal := &r.Mechanisms[0].Layers[0].Maps[0]
	causal.Value.Set(0.25, 0, 2, 0)
	causal.Reach = func(q, k int) bool { return k <= q }
	s := first(r, figure.PerRow)
	for name, want := range map[string]string{
		"dense weights":                   "Dense synthesizer A, layer 1, head 1, 5×5; largest: two → [CLS] 0.250",
		"longformer pattern":              "Longformer pattern, layer 1, the same for all heads, 5×5",
		"reformer weights by round":       "Reformer A⁽ʳ⁾, layer 1, head 1, round 1, 5×5; largest: one → three 1",
		"fastformer contribution":         "Fastformer ‖C‖, layer 1, head 1, 5×5; largest: one → three 1",
		"fastformer alpha":                "Fastformer α, layer 1, head 1, 5; largest: three 0.500",
		"encoder-decoder cross":           "Encoder–decoder cross-attention, layer 2, head 1, 5×5; largest: one → three 0.625",
		"encoder-decoder encoder-rollout": "Encoder–decoder encoder rollout, layer 2, all heads together, 5×5; largest: one → three 0.750",
	} {
		id, name, _ := strings.Cut(name, " ")
		if got := show(t, s, id, name).Alt().String(); got != want {
			t.Errorf("%s %s: %q, want %q", id, name, got, want)
		}
	}
}

// TestNames: titles, captions and file names include the map's name if its symbol is ambiguous.
func TestNames(t *testing.T) {
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1)},
		[]trace.Map{pairs("weights", trace.Probability, 1),
			over(method.Rollout, trace.Probability, 1, trace.Query, trace.Key)})
	stack.Layers = numbered("step", stack.Layers[0].Maps, stack.Layers[1].Maps)
	stack.Maps = []trace.Map{over("effective weights", trace.Gate, 1, trace.Ponder, trace.Token)}
	dense := result("dense", []trace.Map{over(method.Rollout, trace.Probability, 1, trace.Query, trace.Key),
		over(method.Influence, trace.Weight, 1, trace.Query, trace.Key), pairs("weights", trace.Probability, 1)})
	reformer := result("reformer", []trace.Map{pairs("weights", trace.Probability, 1),
		over("weights by round", trace.Probability, 1, trace.Head, trace.Round, trace.Query, trace.Key)})
	r := report(dense, stack, reformer, generation())
	for _, c := range []struct {
		id, name, title, where, file, caption string
		choice                                exhibit.Choice
	}{
		{"dense", "", "Dense synthesizer · A", "layer 1, head 2", "dense-layer1-2.png", "how much the row’s word attends",
			exhibit.Choice{Head: 2}},
		{"dense", method.Rollout, "Dense synthesizer · rollout R", "layer 1, all heads together",
			"dense-rollout-layer1-all.png", "after layer 1, if", exhibit.Choice{Head: 2}},
		{"dense", method.Influence, "Dense synthesizer · ‖∂yᵢ/∂xⱼ‖", "layer 1, all heads together",
			"dense-influence-layer1-all.png", "how much the row’s output changes when the column’s input changes, in this layer’s token mixer", exhibit.Choice{}},
		{"universal", "", "Universal · A", "step 2, mean of 2 heads", "universal-step2-mean.png", "",
			exhibit.Choice{Layer: 2}},
		{"universal", method.Rollout, "Universal · rollout R", "step 2, all heads together",
			"universal-rollout-step2-all.png", "through steps 1 to 2, if", exhibit.Choice{Layer: 2}},
		{"universal", "effective weights", "Universal · effective weights ŵ", "the whole model",
			"universal-effective-weights.png", "", exhibit.Choice{Layer: 9, Head: 9}},
		{"reformer", "weights by round", "Reformer · ", "layer 1, head 1, round 1",
			"reformer-weights-by-round-round1-layer1-1.png", "", exhibit.Choice{Head: 1}},
		{"encoder-decoder", engine.CrossPart, "Encoder–decoder · cross-attention", "layer 2, mean of 2 heads",
			"encoder-decoder-cross-layer2-mean.png", "the decoding step that writes the row’s word", exhibit.Choice{}},
		{"encoder-decoder", engine.EncoderRolloutPart, "Encoder–decoder · encoder rollout", "layer 1, all heads together",
			"encoder-decoder-encoder-rollout-layer1-all.png", "after this layer of the encoder", exhibit.Choice{Layer: 1}},
		{"encoder-decoder", "", "Encoder–decoder · A", "layer 1, mean of 2 heads", "encoder-decoder-layer1-mean.png", "",
			exhibit.Choice{}},
	} {
		x := show(t, exhibit.Select(r, c.choice), c.id, c.name)
		if got := x.Title().String(); !strings.HasPrefix(got, c.title) {
			t.Errorf("%s %s is called %s", c.id, c.name, got)
		}
		if got := x.Where(", ").String(); got != c.where {
			t.Errorf("%s %s is of %s", c.id, c.name, got)
		}
		if got := x.FileName("png"); got != c.file {
			t.Errorf("%s %s is saved as %s", c.id, c.name, got)
		}
		if got := x.Caption().String(); !strings.Contains(got, c.caption) {
			t.Errorf("%s %s: %s", c.id, c.name, got)
		}
	}
	if got := show(t, first(r, figure.PerRow), "encoder-decoder",
		engine.DecoderPart).Subtitle().String(); got != "layer 2 · head 1 · “one two three” → “three two one”" {
		t.Error(got)
	}
	for long, want := range map[string]string{
		"\ta\n b\u202e\n": "a b⟨U+202E⟩", strings.Repeat("word ", 20): strings.Repeat("word ", 9) + "wor…", "": "",
	} {
		if got := exhibit.Beginning(long); got != want {
			t.Errorf("%q begins %q", long, got)
		}
	}
	if text := strings.Repeat("word ", 20); exhibit.Opening(text) != strings.TrimSpace(text) {
		t.Errorf("%q opens %q", text, exhibit.Opening(text))
	}
	longer := strings.TrimSpace(strings.Repeat("one two three ",
		5)) // the lines below the title of a figure
	of := &engine.Report{Text: longer, Tokens: r.Tokens, Mechanisms: r.Mechanisms}
	if got := show(t, first(of, figure.PerRow), "encoder-decoder", "").Subtitle().String(); !strings.Contains(got, "“"+
		longer+"”") {
		t.Error(got)
	}
}

// TestHeads: the name of the head, or of the mean, whose map is shown.
func TestHeads(t *testing.T) {
	r := report(result("reformer", []trace.Map{
		pairs("weights", trace.Probability, 1), over("scale", trace.Gate, 1, trace.Token),
		pairs("pattern", trace.Category, 1),
		over("buckets", trace.Category, 1, trace.Head, trace.Round, trace.Token),
		over("global query", trace.Activation, 1, trace.Head, trace.Channel),
		over(method.Influence, trace.Weight, 1, trace.Query, trace.Key),
	}), result("dense", []trace.Map{over("weights", trace.Probability, 1, trace.Query, trace.Key)}))
	for name, want := range map[string]struct {
		mean, one    string
		usual, apart bool // of the mean
	}{
		"reformer weights":      {"mean of 2 heads", "head 2", true, true},
		"reformer scale":        {"the same for all heads", "the same for all heads", false, false},
		"reformer pattern":      {"any of 2 heads", "head 2", false, true},
		"reformer buckets":      {"head 1, because classes cannot be averaged", "head 2", false, true},
		"reformer global query": {"head 1, because features of heads cannot be averaged", "head 2", false, true},
		"reformer influence":    {"all heads together", "all heads together", false, false},
		"dense weights":         {"without heads", "without heads", true, false},
	} {
		id, name, _ := strings.Cut(name, " ")
		mean, one := show(t, exhibit.Select(r, exhibit.Choice{}), id, name), show(t,
			exhibit.Select(r, exhibit.Choice{Head: 2}), id, name)
		if mean.Head.String() != want.mean || one.Head.String() != want.one || mean.UsualHead() != want.usual ||
			mean.PerHead() != want.apart {
			t.Errorf("%s %s: %q, %q, usual %v, apart %v", id, name, mean.Head, one.Head, mean.UsualHead(), mean.PerHead())
		}
	}
}

// TestUnknownNames: a name that belongs to no map is an error that lists the existing maps, unless a mechanism
// without a result could have it.
func TestUnknownNames(t *testing.T) {
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1)})
	stack.Maps = []trace.Map{over("updates", trace.Count, 1, trace.Token)}
	all := []engine.Result{result("dense", []trace.Map{pairs("weights", trace.Probability, 1)},
		[]trace.Map{pairs("scores", trace.Activation, 1)}), stack}
	for names, want := range map[string]string{
		"weights,updates,scores": "", "weight": `No map named “weight”. Dense synthesizer has weights, scores; Universal has weights, updates.`,
	} {
		s := exhibit.Select(report(all...), exhibit.Choice{})
		if err := s.CheckNames(strings.Split(names, ",")); (err == nil) != (want == "") || err != nil &&
			(err.Error() != want || fault.KindOf(err) != fault.NotFound) {
			t.Errorf("%s: %v", names, err)
		}
	}
	refused := engine.Result{ID: "linear", Err: fault.Errorf(fault.Unsupported, "error.no-words")}
	if err := exhibit.Select(report(append(all, refused)...),
		exhibit.Choice{}).CheckNames([]string{"weight"}); err != nil {
		t.Error(err)
	}
}

// TestShow: the view determines which maps are computed.
func TestShow(t *testing.T) {
	for names, want := range map[string]exhibit.Show{"": exhibit.Maps, "weights alpha": exhibit.Maps,
		"weights influence": exhibit.Influence, "rollout": exhibit.Show(method.Rollout)} {
		if got := exhibit.ShowOf(strings.Fields(names)...); got != want {
			t.Errorf("%q: %v", names, got)
		}
	}
	for show, want := range map[exhibit.Show][2]int{exhibit.Maps: {0, 0}, exhibit.Influence: {1, 2},
		exhibit.Show(method.Rollout): {0, 0}} {
		for i, layer := range []int{0, 2} {
			if got := (exhibit.Choice{Show: show, Layer: layer}).Measurement(); got.Layer != want[i] ||
				got.Name != string(show) {
				t.Errorf("%s of layer %d: %+v", show, layer, got)
			}
		}
	}
}

// TestProvenance: a file records enough to reproduce it.
func TestProvenance(t *testing.T) {
	res := generation()
	res.Model = &engine.ModelInfo{Commit: "abc", Steps: 3000, Tokens: 6_000_000, Seed: 7, Length: 64}
	s := exhibit.Select(report(res), exhibit.Choice{Norm: figure.Log})
	s.Result("encoder-decoder").Model.Hash = "0f"
	for name, want := range map[string]string{
		"weights":        "Encoder–decoder, map weights, layer 1, mean of 2 heads, colour range log. Text: one two three",
		engine.CrossPart: "Encoder–decoder, cross-attention, layer 2, mean of 2 heads, colour range log. Text: one two three. Written: three two one",
	} {
		got := fmt.Sprint(show(t, s, "encoder-decoder", name).Provenance(messages.English, "/export/x", "v1"))
		for _, want := range []string{
			"[{Software Attention Atlas v1} {Source /export/x} {Command viz render --address '/export/x' --out 'x'} {Description " + want + "} {Layer layer ",
			"} {Head mean of 2 heads} {Normalisation log: ", "} {Scale 0.001 … 1} ",
			"{Weights trained by Attention Atlas, commit abc: 3000 steps, 6000000 tokens, seed 7} {Hash sha256:0f}",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}

// TestBeyond: cards and figures say when a text is longer than the training texts, and that learned positions then
// start again.
func TestBeyond(t *testing.T) {
	never := "This model was trained on texts of up to 5 tokens; it never saw later positions in training."
	for _, c := range []struct {
		model *engine.ModelInfo
		want  string
	}{
		{nil, ""},
		{&engine.ModelInfo{Length: 5, Positions: "learned"}, ""},
		{&engine.ModelInfo{Length: 5, Positions: "none"}, never},
		{&engine.ModelInfo{Length: 5, Positions: "learned"}, never + " Position 6 reuses position 1."},
	} {
		n := 5
		if c.want != "" {
			n++
		}
		if got := messages.English.Say(exhibit.Beyond(c.model, n)); got != c.want {
			t.Errorf("%+v: %q", c.model, got)
		}
	}
	res := generation()
	res.Model = &engine.ModelInfo{Length: 4, Positions: "sinusoidal"}
	s := exhibit.Select(report(res), exhibit.Choice{})
	want := "{Comment This model was trained on texts of up to 4 tokens; it never saw later positions in training.}"
	if got := fmt.Sprint(show(t, s, "encoder-decoder", "weights").Provenance(messages.English, "/export/x",
		"v1")); !strings.Contains(got, want) {
		t.Errorf("%s has no %s", got, want)
	}
}
