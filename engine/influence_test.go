package engine_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/ad"
	"attnatlas/engine/bench"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// TestInfluence requests the influence of the second layer from every mechanism, with and without a mask.
func TestInfluence(t *testing.T) {
	e := engine.NewFrom(source(t))
	for _, mask := range []nn.MaskKind{nn.NoMask, nn.Causal} {
		rep := inspect(t, e, engine.Request{Text: "The cat sat on the mat.", Mechanisms: engine.IDs(), Mask: mask,
			Method: method.Measurement{Name: method.Influence, Layer: 2}})
		for _, m := range rep.Mechanisms {
			if reason := m.Entry.Masks.NoCausal.String(); mask == nn.Causal && reason != "" {
				if m.Err == nil || m.Err.Error() != reason || len(m.Layers) > 0 {
					t.Errorf("%s is not refused with its reason: %v", m.ID, m.Err)
				}
				continue
			}
			if m.Err != nil {
				t.Fatalf("%s: %v", m.ID, m.Err)
			}
			if _, ok := m.Layers[0].Find(method.Influence); ok {
				t.Errorf("%s: layer 1 has an influence that nobody asked for", m.ID)
			}
			checkInfluence(t, m, rep, mask)
		}
	}
}

// checkInfluence compares the map with the influence of the mixer in a newly built model.
func checkInfluence(t *testing.T, m engine.Result, rep *engine.Report, mask nn.MaskKind) {
	t.Helper()
	shown, ok := m.Layers[1].Find(method.Influence)
	if !ok || shown.Kind != trace.Weight || len(shown.Axes) != 2 || shown.Axes[0].Role != trace.Query ||
		shown.Axes[1].Role != trace.Key || shown.Axes[0].Name != "output" || shown.Axes[1].Name != "input" {
		t.Fatalf("%s: %+v", m.ID, shown)
	}
	model, err := encoder.New(config(m.ID), 1)
	if err != nil {
		t.Fatal(err)
	}
	p := nn.NewPass(ad.NewFrozen())
	p.Mask.Kind = mask
	var ids []int
	for _, token := range rep.Tokens {
		ids = append(ids, token.ID)
	}
	at := encoder.Observe(p, 2)
	model.Encode(p, ids, 1)
	want := metrics.Influence(at.Mixer, at.X, nn.Mask{Kind: mask})
	top := metrics.MeanDistance(trace.Map{Value: want}) + 1e-9
	for q := range len(ids) {
		for k := range len(ids) {
			v, w := float64(shown.Value.At(q, k)), float64(want.At(q, k))
			if d := v - w; d > 1e-4*top || d < -1e-4*top {
				t.Fatalf("%s: the influence of %d on %d is %v, not %v", m.ID, k, q, v, w)
			}
			reached := shown.Reach == nil || shown.Reach(q, k)
			if reached != (mask == nn.NoMask || k <= q) || !reached && v != 0 {
				t.Fatalf("%s: cell %d,%d is %v, within reach: %v", m.ID, q, k, v, reached)
			}
		}
	}
}

func TestInfluenceOfNoLayer(t *testing.T) {
	e := engine.NewFrom(source(t))
	for _, number := range []int{-1, 0, 3, 1 << 30} {
		m := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{"dense"},
			Method: method.Measurement{Name: method.Influence, Layer: number}}).Mechanisms[0]
		if m.Err != nil || len(m.Layers) != 2 {
			t.Errorf("layer %d: %d layers, %v", number, len(m.Layers), m.Err)
		}
		for _, l := range m.Layers {
			if _, ok := l.Find(method.Influence); ok {
				t.Errorf("layer %d: layer %d has an influence", number, l.Number)
			}
		}
	}
}

// wide returns an engine with one model of the bundled width, for tests of slow measurements.
func wide(t *testing.T, id string, length int) *engine.Engine {
	c := config(id)
	c.Layers, c.Width, c.Length = 1, 128, length
	data := file(t, c)
	return engine.NewFrom(func(name string) ([]byte, bool) { return data, name == id })
}

// begun is a context that reports when influence begins to be measured: the engine then asks for the deadline.
type begun struct {
	context.Context
	measuring func()
}

func (b begun) Deadline() (time.Time, bool) {
	b.measuring()
	return b.Context.Deadline()
}

// TestInfluenceTakesTurns: an ordinary request is answered while influence is measured, and a cancelled measurement
// stops at once.
func TestInfluenceTakesTurns(t *testing.T) {
	e := wide(t, "shuffle-exchange", 64)
	text := strings.Repeat("cat ", 62)
	inspect(t, e, engine.Request{Text: text, Mechanisms: []string{"shuffle-exchange"}})
	ctx, leave := context.WithCancel(t.Context())
	measuring, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ctx := begun{ctx, sync.OnceFunc(func() { close(measuring) })}
		_, err := e.Inspect(ctx, engine.Request{Text: text, Mechanisms: []string{"shuffle-exchange"},
			Method: method.Measurement{Name: method.Influence, Layer: 1, Exact: true}})
		ended <- err
	}()
	<-measuring
	inspect(t, e, engine.Request{Text: text, Mechanisms: []string{"shuffle-exchange"}}) // a 1000th of the work
	select {
	case err := <-ended:
		t.Fatalf("influence ended before the ordinary request: %v", err)
	default:
	}
	left := bench.CPUTime() // the machine may do other things in between
	leave()
	err := <-ended
	took := bench.CPUTime() - left
	t.Logf("stopped after %v", took)
	if !errors.Is(err, context.Canceled) || fault.KindOf(err) != fault.Busy {
		t.Error(err)
	}
	if took > time.Second { // a few milliseconds are expected; the whole takes many seconds
		t.Errorf("it went on for %v", took)
	}
}

// promised is a context whose deadline is soon after the first request for it, and which never ends, however slow the
// machine is.
type promised struct {
	context.Context
	deadline func() time.Time
}

func (p promised) Deadline() (time.Time, bool) { return p.deadline(), true }

// TestInfluenceEndsBeforeTheRequest: a measurement that is not done in time costs one mechanism's answer, not the
// whole request.
func TestInfluenceEndsBeforeTheRequest(t *testing.T) {
	e := wide(t, "shuffle-exchange", 64)
	ctx := promised{t.Context(), sync.OnceValue(func() time.Time { return time.Now().Add(time.Millisecond) })}
	rep, err := e.Inspect(ctx, engine.Request{Text: strings.Repeat("cat ", 60), Mechanisms: []string{"shuffle-exchange"},
		Method: method.Measurement{Name: method.Influence, Layer: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := rep.Mechanisms[0].Err; fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "ran out of time") {
		t.Error(err)
	}
}

// TestInfluenceOfTooLongTexts: too long texts are refused before measuring, and long ones use fewer directions.
func TestInfluenceOfTooLongTexts(t *testing.T) {
	e := wide(t, "shuffle-exchange", 512)
	ctx := begun{t.Context(), func() { t.Error("it was tried") }}
	for _, c := range []struct {
		tokens int
		exact  bool
		says   string
	}{
		{72, true, "72 tokens, limit 64"},
		{402, false, "402 tokens, limit 219"},
	} {
		report, err := e.Inspect(ctx, engine.Request{Text: strings.Repeat("cat ", c.tokens-2),
			Mechanisms: []string{"shuffle-exchange"}, Method: method.Measurement{Name: method.Influence, Layer: 1,
				Exact: c.exact}})
		if err != nil {
			t.Fatal(err)
		}
		m := report.Mechanisms[0]
		if m.Err == nil || fault.KindOf(m.Err) != fault.Unsupported || !strings.Contains(m.Err.Error(), c.says) {
			t.Errorf("%+v: %v", c, m.Err)
		}
	}
}

// TestInfluenceIsEstimated: influence is estimated if all directions cost too much, unless exact values are
// requested. The estimate has about the reported error.
func TestInfluenceIsEstimated(t *testing.T) {
	e := wide(t, "residual-shuffle-exchange", 32)
	ask := func(exact bool) (engine.Result, trace.Map) {
		m := inspect(t, e, engine.Request{Text: strings.Repeat("cat dog ", 10),
			Mechanisms: []string{"residual-shuffle-exchange"},
			Method:     method.Measurement{Name: method.Influence, Layer: 1, Exact: exact}}).Mechanisms[0]
		if m.Err != nil {
			t.Fatal(m.Err)
		}
		shown, _ := m.Layers[0].Find(method.Influence)
		return m, shown
	}
	some, estimated := ask(false)
	all, exact := ask(true)
	if d := some.Estimate; d.Directions < 8 || d.Directions >= d.Of || d.Of != 128 || d.Error <= 0 || d.Error > 0.1 {
		t.Errorf("estimated by %+v", d)
	}
	if all.Estimate != (method.Estimate{}) {
		t.Errorf("what is exact is estimated by %+v", all.Estimate)
	}
	sum, top := 0.0, 0.0
	for i, v := range exact.Value.Data {
		d := float64(estimated.Value.Data[i]-v) / float64(v)
		sum, top = sum+d*d, max(top, math.Abs(d))
	}
	if wrong := math.Sqrt(sum / float64(exact.Value.Len())); wrong == 0 || wrong > 3*some.Estimate.Error {
		t.Errorf("the estimates are wrong by %.3f (at most %.3f), and say %.3f", wrong, top, some.Estimate.Error)
	}
}
