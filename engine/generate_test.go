package engine_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// writer returns an engine with an untrained encoder–decoder, which writes nonsense.
func writer(t *testing.T) *engine.Engine {
	t.Helper()
	c, err := encoder.Default(encoder.EncoderDecoder.ID, "dot-product", tokenizer.Default().Size())
	if err != nil {
		t.Fatal(err)
	}
	c.Width, c.Inner = 8, 8
	m, err := encoder.NewSeq2Seq(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: c.Mechanism, Stack: c.Stack, Heads: c.Heads})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := checkpoint.Write(&file, checkpoint.Arrays(m.Params), meta, checkpoint.Shipped); err != nil {
		t.Fatal(err)
	}
	return engine.NewFrom(func(id string) ([]byte, bool) { return file.Bytes(), id == encoder.EncoderDecoder.ID })
}

// generated returns the answer of an encoder–decoder to a request.
func generated(t *testing.T, e *engine.Engine, r engine.Request) engine.Result {
	t.Helper()
	r.Mechanisms = []string{encoder.EncoderDecoder.ID, "dense"}
	return inspect(t, e, r).Mechanisms[0]
}

// layersOf returns the layers of a part.
func layersOf(t *testing.T, res engine.Result, part string) []engine.Layer {
	t.Helper()
	p, ok := res.Part(part)
	if !ok || len(p.Layers) != 2 {
		t.Fatalf("%d layers of %s", len(p.Layers), part)
	}
	return p.Layers
}

var words = []string{"[CLS]", "the", "cat", "sat", "[SEP]"}

// TestWriting: every step has its most probable tokens, the first of which was written. Maps of all layers have
// labels for their rows and columns.
func TestWriting(t *testing.T) {
	res := generated(t, writer(t), engine.Request{Text: "the cat sat"})
	g := res.Generated
	if res.Err != nil || g == nil || g.Task != "reverse" || !slices.Equal(g.Tasks, []string{"reverse"}) ||
		res.Heads != 4 || res.Model == nil {
		t.Fatalf("%+v", res)
	}
	n := len(g.Steps)
	if n == 0 || g.Stopped != (g.Steps[n-1].Piece == "[SEP]") {
		t.Fatalf("%d steps, stopped: %v", n, g.Stopped)
	}
	for i, s := range g.Steps {
		if len(s.Top) != predict.TopWords || s.Top[0].Piece != s.Piece || s.Top[0].P < s.Top[1].P || s.Top[0].P > 1 {
			t.Errorf("step %d: %q of %+v", i, s.Piece, s.Top)
		}
	}
	for part, labels := range map[string][2][]string{
		engine.EncoderPart: {words, words},
		engine.DecoderPart: {g.Labels(), append([]string{"[CLS]"}, g.Labels()[:n-1]...)},
		engine.CrossPart:   {g.Labels(), words},
	} {
		for i, l := range layersOf(t, res, part) {
			m, ok := l.Find("weights")
			if l.Number != i+1 || l.Unit() != "layer" || !ok ||
				!slices.Equal(m.Roles(), []trace.Role{trace.Head, trace.Query, trace.Key}) {
				t.Fatalf("%s, layer %d: %+v", part, l.Number, m)
			}
			rows, columns := labels[0], labels[1]
			if !slices.Equal(m.Axes[1].Labels, rows) || !slices.Equal(m.Axes[2].Labels, columns) ||
				!slices.Equal(m.Value.Shape, []int{4, len(rows), len(columns)}) {
				t.Errorf("%s: %v over %v, shape %v", part, m.Axes[1].Labels, m.Axes[2].Labels, m.Value.Shape)
			}
			if m.Axes[1].Text != (part == engine.EncoderPart) || m.Axes[2].Text != (part != engine.DecoderPart) {
				t.Errorf("%s: rows and columns are the text's tokens: %v, %v", part, m.Axes[1].Text, m.Axes[2].Text)
			}
			sum := 0.0
			for _, v := range m.Value.Data[:len(columns)] {
				sum += float64(v)
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Errorf("%s: a row sums to %v", part, sum)
			}
			if future := m.Reach != nil && !m.Reach(0, 1); future != (part == engine.DecoderPart) {
				t.Errorf("%s: what is not written yet is out of reach: %v", part, future)
			}
		}
	}
}

// TestEncoderRollsOut: the encoder's rollout is a separate part, computed from the encoder's weights, with labels.
func TestEncoderRollsOut(t *testing.T) {
	res := generated(t, writer(t), engine.Request{Text: "the cat sat"})
	var weights []trace.Map
	for _, l := range layersOf(t, res, engine.EncoderPart) {
		m, _ := l.Find("weights")
		weights = append(weights, m)
	}
	for i, want := range metrics.Rollout(weights) {
		m, ok := layersOf(t, res, engine.EncoderRolloutPart)[i].Find(method.Rollout)
		if !ok || !slices.Equal(m.Value.Data, want.Data) || len(m.Axes) != 2 || !slices.Equal(m.Axes[0].Labels, words) ||
			!slices.Equal(m.Axes[1].Labels, words) {
			t.Errorf("layer %d: %v %v", i+1, m.Axes, m.Value)
		}
	}
	for _, part := range []string{engine.CrossPart, engine.DecoderPart, engine.EncoderPart} {
		for _, l := range layersOf(t, res, part) {
			if _, ok := l.Find(method.Rollout); ok {
				t.Errorf("%s has a rollout", part)
			}
		}
	}
}

// TestWriterAmongOthers: an encoder–decoder answers with its encoder's maps and with what it wrote. Its errors do not
// affect other mechanisms.
func TestWriterAmongOthers(t *testing.T) {
	e := writer(t)
	text := generated(t, e, engine.Request{Text: "the cat sat"}).Generated.Text
	for _, rollout := range []bool{false, true} {
		r := engine.Request{Text: "the cat sat"}
		if rollout {
			r.Method.Name = method.Rollout
		}
		m := generated(t, e, r)
		if m.Err != nil || m.Generated.Text != text {
			t.Fatalf("%+v", m)
		}
		own := layersOf(t, m, engine.EncoderPart)
		for i, l := range m.Layers {
			want, _ := own[i].Find("weights")
			got, ok := l.Find("weights")
			if !ok || l.Number != i+1 || l.Name != "layer "+string(rune('1'+i)) ||
				!slices.Equal(got.Value.Data, want.Value.Data) {
				t.Errorf("%s: %v", l.Name, got.Axes)
			}
			for _, v := range m.Entry.Views {
				if _, ok := l.Find(v.Map); !ok {
					t.Errorf("%s lacks the map %s", l.Name, v.Map)
				}
			}
			if _, ok := l.Find(method.Rollout); ok != rollout {
				t.Errorf("rollout: %v, asked: %v", ok, rollout)
			}
		}
		if len(m.Layers) != len(own) {
			t.Errorf("%d layers", len(m.Layers))
		}
	}
	for want, r := range map[string]engine.Request{
		"not a pair":            {Text: "the cat ||| sat"},
		"Remove them":           {Text: "the [MASK] sat"},
		"The decoder itself is": {Text: "the cat", Mask: nn.Causal},
		"Influence is not":      {Text: "the cat", Method: method.Measurement{Name: method.Influence, Layer: 1}},
		"Remove 54 tokens":      {Text: strings.Repeat("the ", 78)},
	} {
		m := generated(t, e, r)
		if m.Err == nil || !strings.Contains(m.Err.Error(), want) || fault.KindOf(m.Err) != fault.Unsupported ||
			m.Layers != nil || m.Parts != nil || m.Generated != nil {
			t.Errorf("%s: %v", want, m.Err)
		}
	}
	none := engine.NewFrom(func(string) ([]byte, bool) { return nil, false })
	if m := generated(t, none, engine.Request{Text: "the"}); fault.KindOf(m.Err) != fault.NotFound {
		t.Error(m.Err)
	}
}

// TestWritingIsRefused: a text without words is refused, and a request that has ended is not answered.
func TestWritingIsRefused(t *testing.T) {
	e := writer(t)
	for text, says := range map[string]string{"  ": "no words", "|||": "no words",
		strings.Repeat("x", engine.MaxTextBytes+1): "limit 65"} {
		_, err := e.Inspect(t.Context(), engine.Request{Text: text, Mechanisms: []string{encoder.EncoderDecoder.ID}})
		if err == nil || fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v, wanted … %s …", text, err, says)
		}
	}
	other := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{"encoder-decoder.linear"}}).Mechanisms[0]
	if fault.KindOf(other.Err) != fault.NotFound || !strings.Contains(other.Err.Error(), "No trained model") {
		t.Error(other.Err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Inspect(ended, engine.Request{Text: "cat",
		Mechanisms: []string{encoder.EncoderDecoder.ID}}); fault.KindOf(err) != fault.Busy || err == nil {
		t.Errorf("after its end: %v", err)
	}
}

// TestShippedWriter: the bundled model, if there is one, reverses a plain sentence.
func TestShippedWriter(t *testing.T) {
	e := engine.New()
	info, err := e.Info(encoder.EncoderDecoder.ID)
	if err != nil && fault.KindOf(err) == fault.NotFound {
		t.Skip(err)
	}
	res := generated(t, e, engine.Request{Text: "the cat sat on the mat"})
	if g := res.Generated; res.Err != nil || !g.Right || g.Text != "mat the on sat cat the" || !g.Stopped {
		t.Fatalf("%v: %+v", res.Err, g)
	}
	if info.Score["reverse"] < 0.5 || !strings.HasPrefix(strings.Join(res.Generated.Answer, " "), "mat the") {
		t.Errorf("%+v", info)
	}
}

// BenchmarkWriting measures writing sixteen words, with their maps.
func BenchmarkWriting(b *testing.B) {
	e := engine.New()
	for b.Loop() {
		rep, err := e.Inspect(context.Background(), engine.Request{
			Text:       "the old woman in the red house by the river had a small dog and cat",
			Mechanisms: []string{encoder.EncoderDecoder.ID},
		})
		if err != nil || rep.Mechanisms[0].Err != nil {
			b.Skip(err, rep.Mechanisms[0].Err)
		}
		b.ReportMetric(float64(len(rep.Mechanisms[0].Generated.Steps)), "words")
	}
}

// TestTasks: every way to run the model does the requested task. A task that was not learned is refused, and other
// models ignore the task.
func TestTasks(t *testing.T) {
	const text = "the cat sat on a mat"
	e := engine.New()
	for name, want := range map[string]string{"": "mat a on sat cat the", "reverse": "mat a on sat cat the",
		"sort": "a cat mat on sat the"} {
		r := engine.Request{Text: text, Mechanisms: []string{"encoder-decoder"}, Task: name}
		res := inspect(t, e, r).Mechanisms[0]
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		if res.Generated.Text != want || !res.Generated.Right || len(res.Generated.Tasks) != 2 {
			t.Fatalf("%q writes %q, not %q", name, res.Generated.Text, want)
		}
		steps, err := explain.New(e).Steps(t.Context(), explain.StepsRequest{Request: r, Layer: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(steps.Tokens) < 3 || steps.Tokens[1].Text != strings.Fields(want)[0] {
			t.Errorf("%q: steps of %v", name, steps.Tokens)
		}
	}
	for _, id := range []string{"dense", "bert"} {
		a, b := inspect(t, e, engine.Request{Text: text, Mechanisms: []string{id}}), inspect(t, e,
			engine.Request{Text: text, Mechanisms: []string{id}, Task: "sort"})
		if m := b.Mechanisms[0]; m.Err != nil || !slices.Equal(m.Layers[0].Maps[0].Value.Data,
			a.Mechanisms[0].Layers[0].Maps[0].Value.Data) {
			t.Errorf("%s: %v", id, m.Err)
		}
	}
	if err := inspect(t, writer(t), engine.Request{Text: text, Mechanisms: []string{"encoder-decoder"},
		Task: "sort"}).Mechanisms[0].Err; fault.KindOf(err) != fault.Unsupported ||
		!strings.Contains(err.Error(), "reverse") {
		t.Error("a task that was not learned: ", err)
	}
}

// TestToldTheRightAnswer: the rows of the maps are the right answer, whatever is written. If that is right, the maps
// are the same.
func TestToldTheRightAnswer(t *testing.T) {
	const text = "The old cat sat on it."
	for e, right := range map[*engine.Engine]bool{engine.New(): true, writer(t): false} {
		r := engine.Request{Text: text, Mechanisms: []string{"encoder-decoder"}}
		wrote := inspect(t, e, r).Mechanisms[0]
		r.Told = true
		told := inspect(t, e, r).Mechanisms[0]
		g := told.Generated
		if g.Right != right || g.Text != wrote.Generated.Text || !slices.Equal(g.Labels(), wrote.Generated.Labels()) ||
			g.Steps[0].Top != nil {
			t.Fatalf("%q: %+v, by itself %+v", text, g, wrote.Generated)
		}
		rows := append(slices.Clone(g.Answer), "[SEP]")
		for i, label := range rows {
			rows[i] = tokenizer.PieceLabel(label)
		}
		for n, part := range told.Parts[:2] { // cross and decoder
			for l, layer := range part.Layers {
				m, _ := layer.Find("weights")
				queries, keys := m.Axes[1], m.Axes[2]
				if !slices.Equal(queries.Labels, rows) || queries.Name != "told" {
					t.Errorf("%q, %s: rows %q %q, the answer is %q", text, part.Name, queries.Name, queries.Labels, rows)
				}
				if part.Name == engine.DecoderPart && !slices.Equal(keys.Labels, append([]string{"[CLS]"}, rows[:len(rows)-1]...)) {
					t.Errorf("%q: the decoder reads %q", text, keys.Labels)
				}
				if by, _ := wrote.Parts[n].Layers[l].Find("weights"); alike(by.Value, m.Value) != right {
					t.Errorf("%q, %s, layer %d: the maps are alike: %v", text, part.Name, l+1, !right)
				}
			}
		}
	}
}

// alike reports whether arrays are equal up to float32 rounding.
func alike(a, b *tensor.T) bool {
	return slices.Equal(a.Shape, b.Shape) && slices.EqualFunc(a.Data, b.Data, func(x, y tensor.Elem) bool {
		return math.Abs(float64(x-y)) <= 1e-6*max(1, math.Abs(float64(y)))
	})
}
