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
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// writer is an engine whose encoder–decoder has its first values: it writes nonsense,
// but it does write.
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

// TestWriting: every step has its likeliest pieces, the first of which was written; maps
// of all layers have labels for their rows and columns.
func TestWriting(t *testing.T) {
	w, err := writer(t).Write(context.Background(), engine.WriteRequest{Text: "the cat sat"})
	if err != nil {
		t.Fatal(err)
	}
	if w.Task != "reverse" || !slices.Equal(w.Tasks, []string{"reverse"}) || len(w.Source) != 5 || w.Heads != 4 {
		t.Errorf("%+v", w)
	}
	n := len(w.Steps)
	if n == 0 || w.Stopped != (w.Steps[n-1].Piece == "[SEP]") {
		t.Fatalf("%d steps, stopped: %v", n, w.Stopped)
	}
	for i, s := range w.Steps {
		if len(s.Top) != engine.TopWords || s.Top[0].Piece != s.Piece || s.Top[0].P < s.Top[1].P || s.Top[0].P > 1 {
			t.Errorf("step %d: %q of %+v", i, s.Piece, s.Top)
		}
	}
	for name, of := range map[string]struct {
		layers        []engine.Layer
		rows, columns []string
	}{
		"encoder": {w.Encoder, words, words},
		"decoder": {w.Decoder, written(w), append([]string{"[CLS]"}, written(w)[:n-1]...)},
		"cross":   {w.Cross, written(w), words},
	} {
		if len(of.layers) != 2 {
			t.Errorf("%d layers of %s", len(of.layers), name)
		}
		for i, l := range of.layers {
			m, ok := l.Find("weights")
			if l.Number != i+1 || !ok || !slices.Equal(m.Roles(), []trace.Role{trace.Head, trace.Query, trace.Key}) {
				t.Fatalf("%s, layer %d: %+v", name, l.Number, m)
			}
			if !slices.Equal(m.Axes[1].Labels, of.rows) || !slices.Equal(m.Axes[2].Labels, of.columns) || !slices.Equal(m.Value.Shape, []int{4, len(of.rows), len(of.columns)}) {
				t.Errorf("%s: %v over %v, shape %v", name, m.Axes[1].Labels, m.Axes[2].Labels, m.Value.Shape)
			}
			sum := 0.0
			for _, v := range m.Value.Data[:len(of.columns)] {
				sum += float64(v)
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Errorf("%s: a row sums to %v", name, sum)
			}
			if future := m.Reach != nil && !m.Reach(0, 1); future != (name == "decoder") {
				t.Errorf("%s: what is not written yet is out of reach: %v", name, future)
			}
		}
	}
}

// TestEncoderRollsOut: the encoder's rollout is that of its weights, and has its labels.
func TestEncoderRollsOut(t *testing.T) {
	w, err := writer(t).Write(t.Context(), engine.WriteRequest{Text: "the cat sat"})
	if err != nil {
		t.Fatal(err)
	}
	var weights []trace.Map
	for _, l := range w.Encoder {
		m, _ := l.Find("weights")
		weights = append(weights, m)
	}
	for i, want := range metrics.Rollout(weights) {
		m, ok := w.Encoder[i].Find(engine.Rollout)
		if !ok || !slices.Equal(m.Value.Data, want.Data) || len(m.Axes) != 2 || !slices.Equal(m.Axes[0].Labels, words) || !slices.Equal(m.Axes[1].Labels, words) {
			t.Errorf("layer %d: %v %v", i+1, m.Axes, m.Value)
		}
	}
	for _, l := range append(w.Decoder, w.Cross...) {
		if _, ok := l.Find(engine.Rollout); ok {
			t.Error("a decoder has a rollout")
		}
	}
}

// TestWriterAmongOthers: an encoder–decoder answers a request with its encoder's maps and
// what it wrote; what it cannot do is said for it alone.
func TestWriterAmongOthers(t *testing.T) {
	e := writer(t)
	w, err := e.Write(t.Context(), engine.WriteRequest{Text: "the cat sat"})
	if err != nil {
		t.Fatal(err)
	}
	for _, rollout := range []bool{false, true} {
		m := inspect(t, e, engine.Request{Text: "the cat sat", Mechanisms: []string{encoder.EncoderDecoder.ID, "dense"}, Rollout: rollout}).Mechanisms[0]
		if m.Err != nil || m.Written != w.Text || m.Heads != 4 || m.Model == nil || m.Elapsed <= 0 || len(m.Layers) != len(w.Encoder) {
			t.Fatalf("%+v", m)
		}
		for i, l := range m.Layers {
			want, _ := w.Encoder[i].Find("weights")
			got, ok := l.Find("weights")
			if !ok || l.Number != i+1 || l.Name != "layer "+string(rune('1'+i)) || !slices.Equal(got.Value.Data, want.Value.Data) || got.Axes[1].Labels != nil || got.Axes[2].Labels != nil {
				t.Errorf("%s: %v", l.Name, got.Axes)
			}
			for _, v := range m.Entry.Views {
				if _, ok := l.Find(v.Map); !ok {
					t.Errorf("%s lacks the map %s", l.Name, v.Map)
				}
			}
			if _, ok := l.Find(engine.Rollout); ok != rollout {
				t.Errorf("rollout: %v, asked: %v", ok, rollout)
			}
		}
	}
	for want, r := range map[string]engine.Request{
		"not a pair":             {Text: "the cat ||| sat"},
		"Leave them out":         {Text: "the [MASK] sat"},
		"The decoder itself is":  {Text: "the cat", Mask: nn.Causal},
		"Influence is not":       {Text: "the cat", Influence: 1},
		"Shorten the text by 54": {Text: strings.Repeat("the ", 78)},
	} {
		r.Mechanisms = []string{encoder.EncoderDecoder.ID}
		m := inspect(t, e, r).Mechanisms[0]
		if m.Err == nil || !strings.Contains(m.Err.Error(), want) || engine.KindOf(m.Err) != engine.Unsupported || m.Layers != nil || m.Written != "" {
			t.Errorf("%s: %v", want, m.Err)
		}
	}
	e = engine.NewFrom(func(string) ([]byte, bool) { return nil, false })
	if m := inspect(t, e, engine.Request{Text: "the", Mechanisms: []string{encoder.EncoderDecoder.ID}}).Mechanisms[0]; engine.KindOf(m.Err) != engine.NotFound {
		t.Error(m.Err)
	}
}

var words = []string{"[CLS]", "the", "cat", "sat", "[SEP]"}

func written(w *engine.Written) []string {
	var pieces []string
	for _, s := range w.Steps {
		pieces = append(pieces, s.Piece)
	}
	return pieces
}

func TestWritingIsRefused(t *testing.T) {
	e := writer(t)
	for _, c := range []struct {
		request engine.WriteRequest
		kind    engine.Kind
		says    string
	}{
		{engine.WriteRequest{Text: "  "}, engine.Invalid, "no words"},
		{engine.WriteRequest{Text: strings.Repeat("the ", 30)}, engine.Unsupported, "Shorten the text by 6 tokens"},
		{engine.WriteRequest{Text: strings.Repeat("x", engine.MaxTextBytes+1)}, engine.Invalid, "at most"},
		{engine.WriteRequest{Text: "the [MASK] sat"}, engine.Unsupported, "words only"},
		{engine.WriteRequest{Text: "the cat ||| sat"}, engine.Unsupported, "not a pair"},
		{engine.WriteRequest{Text: "|||"}, engine.Unsupported, "not a pair"},
		{engine.WriteRequest{Text: "cat", Task: "translate"}, engine.NotFound, "it knows reverse"},
		{engine.WriteRequest{Text: "cat", Model: "dense"}, engine.NotFound, "does not write"},
		{engine.WriteRequest{Text: "cat", Model: "encoder-decoder.linear"}, engine.NotFound, "no trained model"},
	} {
		_, err := e.Write(context.Background(), c.request)
		if err == nil || engine.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.40q: %v, wanted %v: … %s …", c.request, err, c.kind, c.says)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for range 64 { // a free place may be taken before the end is noticed
		if _, err := e.Write(ended, engine.WriteRequest{Text: "cat"}); err != nil && engine.KindOf(err) != engine.Busy {
			t.Errorf("after its end: %v", err)
		}
	}
}

// BenchmarkWriting is the time of writing sixteen words and showing how.
func BenchmarkWriting(b *testing.B) {
	e := engine.New()
	if _, err := e.Write(context.Background(), engine.WriteRequest{Text: "cat"}); err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		w, _ := e.Write(context.Background(), engine.WriteRequest{Text: "the old woman in the red house by the river had a small dog and cat"})
		b.ReportMetric(float64(len(w.Steps)), "words")
	}
}
