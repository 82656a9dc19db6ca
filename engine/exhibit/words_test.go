package exhibit_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// kinds are maps of every kind and form of values, by name.
func kinds() engine.Result {
	signed := pairs("scores", trace.Activation, -2)
	sum := pairs("weights", trace.Probability, 1)
	steps := over("halting", trace.Gate, 1, trace.Ponder, trace.Token)
	res := result("dense", []trace.Map{
		sum, signed, over("norms", trace.Length, 1.5, trace.Query, trace.Key), over("meeting", trace.Count, 4, trace.Query, trace.Key),
		over("gates", trace.Gate, 0.5, trace.Query, trace.Key), over("pattern", trace.Category, 2, trace.Query, trace.Key), over("updates", trace.Count, 3, trace.Token),
		over("one gate", trace.Gate, 0.5, trace.Token), steps, over("gates by round", trace.Gate, 1, trace.Round, trace.Query, trace.Key),
		pairs("lengths", trace.Weight, 3), over(engine.Influence, trace.Weight, 2, trace.Query, trace.Key), over(engine.Rollout, trace.Probability, 1, trace.Query, trace.Key),
	})
	return res
}

// TestNormsWithoutMeaning: a map is scaled to its largest value where the chosen normalisation
// says nothing of it, which its legend says; rows that are steps are compared in any case.
func TestNormsWithoutMeaning(t *testing.T) {
	want := map[string]string{ // absolute, map, row, log, uniform, shared
		"weights":  "absolute map row log uniform shared",
		"scores":   "absolute map row map! map! shared",
		"norms":    "map! map row map! map! shared",
		"meeting":  "map! map row map! map! shared",
		"gates":    "absolute map row log map! shared",
		"pattern":  "map map map map map map", // classes are not scaled
		"updates":  "map! map map map! map! shared",
		"one gate": "absolute map map log map! shared",
		"halting":  "absolute map map map map! map",
		"lengths":  "absolute map row log uniform shared",

		"gates by round": "absolute shared row log shared! shared", // planes are compared
		engine.Influence: "map! map row map! map! shared",
		engine.Rollout:   "absolute map row log uniform shared",
	}
	nouns := map[string]string{
		"scores": "values of any sign", "norms": "lengths", "meeting": "counts", "updates": "counts", "gates": "gates", "one gate": "gates", "halting": "gates", "gates by round": "gates", engine.Influence: "influences",
	}
	r := report(kinds())
	for i, norm := range figure.Norms() {
		s := first(r, norm)
		for name, norms := range want {
			x := show(t, s, "dense", name)
			is, without := strings.CutSuffix(strings.Fields(norms)[i], "!")
			if x.Norm().String() != is {
				t.Errorf("%s by %v: %v, not %s", name, norm, x.Norm(), is)
			}
			says := "; " + messages.English.T("norm."+norm.String()+".label") + " has no meaning for " + nouns[name]
			if legend := x.Legend().Text.String(); strings.HasSuffix(legend, says) != without || strings.Contains(legend, "no meaning") != without {
				t.Errorf("%s by %v: %s", name, norm, legend)
			}
		}
	}
	// Of weights with a minus sign there are no shares either.
	r.Mechanisms[0].Layers[0].Maps[10].Value.Data[0] = -1
	for norm, want := range map[figure.Norm]string{
		figure.Uniform: "weight, scaled to this map's largest, symmetric around 0; × uniform has no meaning for weights of both signs",
		figure.Log:     "weight, scaled to this map's largest, symmetric around 0; logarithmic has no meaning for weights of both signs",
		figure.PerMap:  "weight, scaled to this map's largest, symmetric around 0",
	} {
		if got := show(t, first(r, norm), "dense", "lengths").Legend().Text.String(); got != want {
			t.Errorf("%v: %s", norm, got)
		}
	}
}

// TestNouns: values that are made of others have names of their own.
func TestNouns(t *testing.T) {
	s := first(report(kinds(), generation()), figure.PerRow)
	for name, want := range map[string]string{
		"dense weights": "probability", "dense influence": "influence", "dense rollout": "share", "dense norms": "length", "encoder-decoder encoder": "probability", "encoder-decoder encoder-rollout": "share",
	} {
		id, name, _ := strings.Cut(name, " ")
		if got := show(t, s, id, name).Legend().Text.String(); got != want+" ÷ largest in its row" {
			t.Errorf("%s %s: %s", id, name, got)
		}
	}
}

// TestReading says what a number counts, where the number alone would mislead.
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
		{"weights", 1, 0, "forbidden", ""},
		{"weights", 1, n, "–", ""},
		{"weights", n, 1, "–", ""},
		{"scores", 1, 3, "−2.00", "-2"},
		{"norms", 1, 3, "length 1.50", "1.5"},
		{"meeting", 1, 3, "meet after 4 stages", "4"},
		{"meeting", 0, 0, "meet after 1 stage", "1"},
		{"updates", 0, 3, "–", ""}, // it is no map of pairs
	} {
		if got := show(t, s, "dense", c.name).Reading(c.row, c.col); got.Text.String() != c.says || got.Exact != c.exact {
			t.Errorf("%s %d, %d: %q, %q", c.name, c.row, c.col, got.Text, got.Exact)
		}
	}
	for name, want := range map[string]string{"weights": "", "meeting": "reading.meeting", "updates": "reading.count", "norms": "reading.length"} {
		if got := show(t, s, "dense", name).Saying(); got != want {
			t.Errorf("%s is said by %q", name, got)
		}
	}
	if got := show(t, s, "dense", "updates").Says("3", 3).String(); got != "3 steps" {
		t.Error(got)
	}
}

// TestAlt: a picture's words name mechanism, map, layer and head, and the largest cell of
// maps of words, within their reach.
func TestAlt(t *testing.T) {
	r := report(result("dense", []trace.Map{pairs("weights", trace.Probability, 1)}), result("longformer", []trace.Map{over("pattern", trace.Category, 2, trace.Query, trace.Key), pairs("weights", trace.Probability, 1)}),
		result("reformer", []trace.Map{over("weights by round", trace.Probability, 1, trace.Head, trace.Round, trace.Query, trace.Key)}),
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

// TestNames: titles, captions and files name the map where its symbol alone would not.
func TestNames(t *testing.T) {
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1)}, []trace.Map{pairs("weights", trace.Probability, 1), over(engine.Rollout, trace.Probability, 1, trace.Query, trace.Key)})
	stack.Layers = numbered("step", stack.Layers[0].Maps, stack.Layers[1].Maps)
	stack.Maps = []trace.Map{over("effective weights", trace.Gate, 1, trace.Ponder, trace.Token)}
	dense := result("dense", []trace.Map{over(engine.Rollout, trace.Probability, 1, trace.Query, trace.Key), over(engine.Influence, trace.Weight, 1, trace.Query, trace.Key), pairs("weights", trace.Probability, 1)})
	reformer := result("reformer", []trace.Map{pairs("weights", trace.Probability, 1), over("weights by round", trace.Probability, 1, trace.Head, trace.Round, trace.Query, trace.Key)})
	r := report(dense, stack, reformer, generation())
	for _, c := range []struct {
		id, name, title, where, file, caption string
		choice                                exhibit.Choice
	}{
		{"dense", "", "Dense synthesizer · A", "layer 1, head 2", "dense-layer1-2.png", "how much the row's word reads", exhibit.Choice{Head: 2}},
		{"dense", engine.Rollout, "Dense synthesizer · rollout R", "layer 1, all heads together", "dense-rollout-layer1-all.png", "after layer 1, if", exhibit.Choice{Head: 2}},
		{"dense", engine.Influence, "Dense synthesizer · ‖∂yᵢ/∂xⱼ‖", "layer 1, all heads together", "dense-influence-layer1-all.png", "of this layer’s mixer alone", exhibit.Choice{}},
		{"universal", "", "Universal · A", "step 2, mean of 2 heads", "universal-step2-mean.png", "", exhibit.Choice{Layer: 2}},
		{"universal", engine.Rollout, "Universal · rollout R", "step 2, all heads together", "universal-rollout-step2-all.png", "through steps 1 to 2, if", exhibit.Choice{Layer: 2}},
		{"universal", "effective weights", "Universal · effective weights ŵ", "the whole model", "universal-effective-weights.png", "", exhibit.Choice{Layer: 9, Head: 9}},
		{"reformer", "weights by round", "Reformer · ", "layer 1, head 1, round 1", "reformer-weights-by-round-round1-layer1-1.png", "", exhibit.Choice{Head: 1}},
		{"encoder-decoder", engine.CrossPart, "Encoder–decoder · cross-attention", "layer 2, mean of 2 heads", "encoder-decoder-cross-layer2-mean.png", "the step that writes the row’s word", exhibit.Choice{}},
		{"encoder-decoder", engine.EncoderRolloutPart, "Encoder–decoder · encoder rollout", "layer 1, all heads together", "encoder-decoder-encoder-rollout-layer1-all.png", "after this layer of the encoder", exhibit.Choice{Layer: 1}},
		{"encoder-decoder", "", "Encoder–decoder · A", "layer 1, mean of 2 heads", "encoder-decoder-layer1-mean.png", "", exhibit.Choice{}},
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
	if got := show(t, first(r, figure.PerRow), "encoder-decoder", engine.DecoderPart).Subtitle().String(); got != "layer 2 · head 1 · “one two three” → “three two one”" {
		t.Error(got)
	}
	for long, want := range map[string]string{
		"\ta\n b\u202e\n": "a b⟨U+202E⟩", strings.Repeat("word ", 20): strings.Repeat("word ", 9) + "wor…", "": "",
	} {
		if got := exhibit.Beginning(long); got != want {
			t.Errorf("%q begins %q", long, got)
		}
	}
}

// TestHeads: whose the map is that is shown for a head or the mean of all.
func TestHeads(t *testing.T) {
	r := report(result("reformer", []trace.Map{
		pairs("weights", trace.Probability, 1), over("scale", trace.Gate, 1, trace.Token), pairs("pattern", trace.Category, 1),
		over("buckets", trace.Category, 1, trace.Head, trace.Round, trace.Token), over("global query", trace.Activation, 1, trace.Head, trace.Channel), over(engine.Influence, trace.Weight, 1, trace.Query, trace.Key),
	}), result("dense", []trace.Map{over("weights", trace.Probability, 1, trace.Query, trace.Key)}))
	for name, want := range map[string]struct {
		mean, one    string
		usual, apart bool // the mean's
	}{
		"reformer weights":      {"mean of 2 heads", "head 2", true, true},
		"reformer scale":        {"the same for all heads", "the same for all heads", false, false},
		"reformer pattern":      {"any of 2 heads", "head 2", false, true},
		"reformer buckets":      {"head 1, since classes have no mean", "head 2", false, true},
		"reformer global query": {"head 1, since features of heads have no mean", "head 2", false, true},
		"reformer influence":    {"all heads together", "all heads together", false, false},
		"dense weights":         {"without heads", "without heads", true, false},
	} {
		id, name, _ := strings.Cut(name, " ")
		mean, one := show(t, exhibit.Select(r, exhibit.Choice{}), id, name), show(t, exhibit.Select(r, exhibit.Choice{Head: 2}), id, name)
		if mean.Head.String() != want.mean || one.Head.String() != want.one || mean.UsualHead() != want.usual || mean.Apart() != want.apart {
			t.Errorf("%s %s: %q, %q, usual %v, apart %v", id, name, mean.Head, one.Head, mean.UsualHead(), mean.Apart())
		}
	}
}

// TestRowSums: the badge of a card is about its probabilities, on screen.
func TestRowSums(t *testing.T) {
	even := func(m trace.Map, v float64) trace.Map {
		for i := range m.Value.Data {
			m.Value.Data[i] = tensor.Elem(v)
		}
		return m
	}
	third := even(pairs("weights", trace.Probability, 1), 1./n)
	for _, c := range []struct {
		res         engine.Result
		rule, holds bool
		says        string
	}{
		{result("dense", []trace.Map{third, even(pairs("scores", trace.Probability, 1), 7)}), true, true, "rows Σ = 1, max deviation "},
		{result("dense", []trace.Map{pairs("weights", trace.Probability, 0.5)}), true, false, "rows Σ = 1, max deviation 1"},
		{result("dense", []trace.Map{pairs("weights", trace.Probability, math.NaN())}), true, false, "deviation NaN"},
		{result("fastformer", []trace.Map{pairs("contribution", trace.Weight, 3), even(strip("alpha", 1), 1./n), strip("beta", 1)}), false, true, "α, β: Σ = 1, max deviation "},
		{result("fastformer", []trace.Map{pairs("contribution", trace.Weight, 3), strip("alpha", 0.5), strip("beta", 1)}), false, false, "α, β: Σ = 1, max deviation 0.500; ‖C‖ is not row-stochastic by design"},
		{result("dense", []trace.Map{pairs("weights", trace.Gate, 3)}), false, true, "A is not row-stochastic by design"},
	} {
		for _, name := range []string{"scores", "logits", "hidden", "contribution of all heads", "alpha scores", "beta scores", "global query", "global key"} {
			if _, ok := c.res.Layers[0].Find(name); !ok {
				c.res.Layers[0].Maps = append(c.res.Layers[0].Maps, over(name, trace.Activation, 1, trace.Token))
			}
		}
		s := first(report(c.res), figure.PerRow)
		card, err := s.Card(&s.Report.Mechanisms[0])
		if err != nil {
			t.Fatal(err)
		}
		sums := card.RowSums()
		if sums.Rule != c.rule || sums.Holds != c.holds || !strings.Contains(sums.Text.String(), c.says) {
			t.Errorf("%+v: %s", sums, sums.Text)
		}
	}
}

// TestFacts: what was measured on the maps on screen, and on the pass.
func TestFacts(t *testing.T) {
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1), pairs("scores", trace.Activation, 1), over(engine.Influence, trace.Weight, 1, trace.Query, trace.Key)})
	stack.Elapsed, stack.Measured = 1500*time.Microsecond, 20*time.Millisecond
	stack.Model = &engine.ModelInfo{Stack: "universal", Mechanism: "dot-product", Layers: 6, Params: 12345}
	stack.Charges = []engine.Charge{{Name: "ponder", Value: 0.0025}}
	stack.Maps = []trace.Map{over("updates", trace.Count, 15, trace.Token)}
	r := report(stack)
	weights := stack.Layers[0].Maps[0].Value.Sub(0)
	for shown, want := range map[exhibit.Show][]string{
		exhibit.Maps: {
			"entropy " + messages.Number(metrics.Entropy(trace.Map{Value: weights})) + " bits", "mean distance " + messages.Number(metrics.MeanDistance(trace.Map{Value: weights})) + " tokens",
			"steps 3.00 of 6", "ponder cost 0.00250", "time 1.5 ms", "parameters 12\u202f345",
		},
		exhibit.Influence: {"mean distance 0.400 tokens", "diagonal 0 %", "time 20 ms"},
	} {
		card, err := exhibit.Select(r, exhibit.Choice{Head: 1, Show: shown}).Card(&r.Mechanisms[0])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range card.Facts() {
			got = append(got, f.Label.String()+" "+f.Value.String())
			if f.Help.String() == f.Help.ID {
				t.Errorf("%s has no help", f.Label)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", shown, got, want)
		}
	}
}

// TestNotes: what readers of the maps of this text should know, by mechanism.
func TestNotes(t *testing.T) {
	note := func(change func(*engine.Result), id, text string, shown exhibit.Show) string {
		res := result(id, []trace.Map{pairs("weights", trace.Probability, 1)})
		res.Model = &engine.ModelInfo{Stack: id, Mechanism: "dot-product", Layers: 6, Width: 16, Heads: heads, Length: 64}
		if change != nil {
			change(&res)
		}
		r := report(res)
		r.Tokens, _ = engine.Tokens(tokenizer.Default(), text)
		return exhibit.Select(r, exhibit.Choice{Show: shown}).CardNote(&res).String()
	}
	steps := func(res *engine.Result) { res.Layers = numbered("step", res.Layers[0].Maps, res.Layers[0].Maps) }
	for _, c := range []struct{ got, want string }{
		{note(nil, "gpt2", "a cat", exhibit.Maps), "Always causal: it learned to guess the next word, so no word reads what comes later, whatever the mask says."},
		{note(nil, "gpt2", "a [MASK]", exhibit.Maps), "It has never seen [MASK] in training"},
		{note(steps, "universal", "a cat", exhibit.Maps), "This text stopped after 2 of up to 6 steps."},
		{note(nil, "bert", "a cat", exhibit.Maps), ""},
		{note(steps, "universal", "a cat", exhibit.Rollout), "This text stopped after 2 of up to 6 steps. "},
		{note(func(res *engine.Result) { res.Generated = &engine.Generation{Text: "cat a"} }, "encoder-decoder", "a cat", exhibit.Maps), "Its decoder then writes “cat a”; its page shows"},
	} {
		if !strings.Contains(c.got, c.want) || c.want == "" && c.got != "" {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestUnknownNames: a name that is of no map is an error that says which maps there are,
// unless a mechanism without an answer could have it.
func TestUnknownNames(t *testing.T) {
	stack := result("universal", []trace.Map{pairs("weights", trace.Probability, 1)})
	stack.Maps = []trace.Map{over("updates", trace.Count, 1, trace.Token)}
	all := []engine.Result{result("dense", []trace.Map{pairs("weights", trace.Probability, 1)}, []trace.Map{pairs("scores", trace.Activation, 1)}), stack}
	for names, want := range map[string]string{
		"weights,updates,scores": "", "weight": `There is no map "weight". Dense synthesizer shows weights, scores; Universal shows weights, updates.`,
	} {
		s := exhibit.Select(report(all...), exhibit.Choice{})
		if err := s.CheckNames(strings.Split(names, ",")); (err == nil) != (want == "") || err != nil && (err.Error() != want || engine.KindOf(err) != engine.NotFound) {
			t.Errorf("%s: %v", names, err)
		}
	}
	refused := engine.Result{ID: "linear", Err: engine.Errorf(engine.Unsupported, "error.no-words")}
	if err := exhibit.Select(report(append(all, refused)...), exhibit.Choice{}).CheckNames([]string{"weight"}); err != nil {
		t.Error(err)
	}
}

// TestShow: what has to be computed follows from what is shown.
func TestShow(t *testing.T) {
	for names, want := range map[string]exhibit.Show{"": exhibit.Maps, "weights alpha": exhibit.Maps, "weights influence": exhibit.Influence, "rollout": exhibit.Rollout} {
		if got := exhibit.ShowOf(strings.Fields(names)...); got != want {
			t.Errorf("%q: %v", names, got)
		}
	}
	for c, want := range map[exhibit.Choice]int{{}: 0, {Layer: 2}: 0, {Show: exhibit.Influence}: 1, {Show: exhibit.Influence, Layer: 2}: 2, {Show: exhibit.Rollout, Layer: 2}: 0} {
		if got := c.InfluenceLayer(); got != want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestProvenance: a file says what it takes to make it again.
func TestProvenance(t *testing.T) {
	res := generation()
	res.Model = &engine.ModelInfo{Commit: "abc", Steps: 3000, Tokens: 6_000_000, Seed: 7}
	s := exhibit.Select(report(res), exhibit.Choice{Norm: figure.Log})
	for name, want := range map[string]string{
		"weights":        "Encoder–decoder, map weights, layer 1, mean of 2 heads, normalisation log. Text: one two three",
		engine.CrossPart: "Encoder–decoder, cross-attention, layer 2, mean of 2 heads, normalisation log. Text: one two three. Written: three two one",
	} {
		got := fmt.Sprint(show(t, s, "encoder-decoder", name).Provenance(messages.English, "/export/x", "v1"))
		if want = "[{Software Attention Atlas v1} {Source /export/x} {Description " + want + "} {Weights trained by Attention Atlas at commit abc: 3000 steps, 6000000 tokens, seed 7}]"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
