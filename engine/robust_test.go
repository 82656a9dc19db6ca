package engine_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/enginetest"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
)

// counting is a context that ends after Err has been called left times.
type counting struct {
	context.Context
	left int
}

func (c *counting) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPassesEndWithTheirContext: a model with layers, or one that writes, stops before its next mixer when the
// context ends.
func TestPassesEndWithTheirContext(t *testing.T) {
	for id, e := range map[string]*engine.Engine{encoder.EncoderDecoder.ID: writer(t),
		"dense": engine.NewFrom(source(t))} {
		r := engine.Request{Text: "one two three", Mechanisms: []string{id}}
		inspect(t, e, r) // measures the model's heads, once
		all := &counting{t.Context(), math.MaxInt}
		if _, err := e.Inspect(all, r); err != nil {
			t.Fatal(err)
		}
		asked := math.MaxInt - all.left
		if wanted := map[string]int{encoder.EncoderDecoder.ID: 24, "dense": 4}[id]; asked < wanted {
			t.Errorf("%s looked %d times whether somebody waits, wanted at least %d", id, asked, wanted)
		}
		for left := range min(asked, 10) {
			ctx := &counting{t.Context(), left}
			if _, err := e.Inspect(ctx, r); fault.KindOf(err) != fault.Busy {
				t.Errorf("%s after %d looks: %v", id, left, err)
			}
			if ctx.left < -4 {
				t.Errorf("%s went on and looked %d times more", id, -ctx.left)
			}
		}
		if rep := inspect(t, e, r); rep.Mechanisms[0].Err != nil { // with the pass that was stopped before
			t.Errorf("%s: %v", id, rep.Mechanisms[0].Err)
		}
	}
}

// TestCost: more words, mechanisms and measurements cost more. Requests that no model answers cost nothing, and the
// report fits into the estimate.
func TestCost(t *testing.T) {
	e := enginetest.EveryModel(t)
	short, long := "one two three", strings.Repeat("cat ", 40)
	last := engine.Cost{}
	for _, r := range []engine.Request{
		{Text: short, Mechanisms: []string{"dense"}},
		{Text: short, Mechanisms: []string{"dense", "bert"}},
		{Text: long, Mechanisms: []string{"dense", "bert"}},
		{Text: long, Mechanisms: []string{"dense", "bert"}, Method: method.Measurement{Name: method.Influence, Layer: 1}},
	} {
		cost := e.Cost(r)
		if cost.Operations <= last.Operations || cost.Bytes <= last.Bytes {
			t.Errorf("%+v costs %+v, less costs %+v", r, cost, last)
		}
		last = cost
	}
	for _, r := range []engine.Request{
		{Text: strings.Repeat("漢", 21000)}, {Text: short, Mechanisms: []string{"nonsense"}},
		{Text: strings.Repeat("x", 70_000)},
	} {
		if cost := e.Cost(r); cost != (engine.Cost{}) {
			t.Errorf("%.20s… of %v costs %+v", r.Text, r.Mechanisms, cost)
		}
	}
	ids := append(engine.IDs(), engine.StackIDs()...)
	for _, id := range ids {
		r := engine.Request{Text: "one two three four five", Mechanisms: []string{id}}
		if got, most := held(inspect(t, e, r)), e.Cost(r).Bytes; got == 0 || got > 2*most {
			t.Errorf("%s holds %d bytes, said were %d", id, got, most)
		}
	}
}

// held returns the bytes of a report's maps.
func held(r *engine.Report) (bytes int64) {
	for _, m := range r.Mechanisms {
		for _, part := range append(m.Parts, engine.Part{Layers: m.Layers}) {
			for _, l := range part.Layers {
				for _, x := range l.Maps {
					bytes += int64(x.Value.Len() * elemBytes)
				}
			}
		}
		for _, x := range m.Maps {
			bytes += int64(x.Value.Len() * elemBytes)
		}
	}
	return bytes
}

const elemBytes = 4
