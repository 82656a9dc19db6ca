package engine_test

import (
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// runnable lists the architectures other than the encoder–decoder.
func runnable() []string {
	return slices.DeleteFunc(engine.StackIDs(), func(id string) bool { return id == encoder.EncoderDecoder.ID })
}

// TestRolloutWhereItIsDefined: its rows sum to 1 after every layer of every mechanism and architecture, or there is a
// reason why it is not defined.
func TestRolloutWhereItIsDefined(t *testing.T) {
	mixers, _ := stacks(t, runnable()...)
	alone := source(t)
	e := engine.NewFrom(func(id string) ([]byte, bool) {
		if data, ok := alone(id); ok {
			return data, true
		}
		return mixers(id)
	})
	for _, mask := range []nn.MaskKind{nn.NoMask, nn.Causal} {
		rep := inspect(t, e, engine.Request{Text: "The cat sat on the mat.", Mechanisms: append(engine.IDs(), runnable()...),
			Mask: mask, Method: method.Measurement{Name: method.Rollout}})
		for _, m := range rep.Mechanisms {
			if mask == nn.Causal && m.Entry.Masks.NoCausal.String() != "" {
				continue
			}
			if why := m.Entry.NoRollout.String(); why != "" {
				if m.Err == nil || m.Err.Error() != why || fault.KindOf(m.Err) != fault.Unsupported ||
					!strings.HasSuffix(why, ".") {
					t.Errorf("%s: %v, not %q", m.ID, m.Err, why)
				}
				continue
			}
			if m.Err != nil {
				t.Errorf("%s: %v", m.ID, m.Err)
			}
			for i, l := range m.Layers {
				checkRollout(t, m, i, mask == nn.Causal || m.ID == encoder.GPT2.ID)
				if _, ok := l.Find("weights"); !ok {
					t.Errorf("%s, %s: the weights are gone", m.ID, l.Name)
				}
			}
		}
	}
	plain := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{"bert"}})
	if _, ok := plain.Mechanisms[0].Layers[0].Find(method.Rollout); ok {
		t.Error("there is a rollout that nobody asked for")
	}
}

func checkRollout(t *testing.T, m engine.Result, layer int, causal bool) {
	t.Helper()
	got, ok := m.Layers[layer].Find(method.Rollout)
	if !ok {
		t.Fatalf("%s, %s: no rollout", m.ID, m.Layers[layer].Name)
	}
	if got.Axes[0].Name != "word" || got.Axes[1].Name != "comes from" {
		t.Errorf("%s: the axes are called %q and %q", m.ID, got.Axes[0].Name, got.Axes[1].Name)
	}
	if d := metrics.RowSumDeviation(got); !(d < 1e-5) {
		t.Errorf("%s, layer %d: rows sum to 1 ± %v", m.ID, layer+1, d)
	}
	if ahead := got.Value.At(2, 4); causal && ahead != 0 || (got.Reach != nil) != causal || causal &&
		(got.Reach(2, 4) || !got.Reach(4, 2)) {
		t.Errorf("%s, layer %d: causal %v, and reads %v ahead", m.ID, layer+1, causal, ahead)
	}
	var weights []trace.Map
	for _, l := range m.Layers[:layer+1] {
		w, _ := l.Find("weights")
		weights = append(weights, w)
	}
	if want := metrics.Rollout(weights)[layer]; !slices.Equal(got.Value.Data, want.Data) {
		t.Errorf("%s, layer %d: not the rollout of its weights", m.ID, layer+1)
	}
}

// TestEveryViewOfEveryStackCanBeDrawn: the maps in an architecture's views exist, and their axes have a layout. A
// model that reads its first position has no pooling.
func TestEveryViewOfEveryStackCanBeDrawn(t *testing.T) {
	from, models := stacks(t, runnable()...)
	rep := inspect(t, engine.NewFrom(from), engine.Request{Text: "The cat sat on the mat.", Mechanisms: runnable()})
	for _, m := range rep.Mechanisms {
		if m.Err != nil {
			t.Fatalf("%s: %v", m.ID, m.Err)
		}
		for _, v := range m.Stack.Views {
			if v.Map == "pooling" && models[m.ID].Config.Pooling != encoder.Attention {
				continue
			}
			i := slices.IndexFunc(m.Maps, func(shown trace.Map) bool { return shown.Name == v.Map })
			if i < 0 {
				t.Errorf("%s shows no map %s", m.ID, v.Map)
				continue
			}
			if _, err := figure.LayoutOf(m.Maps[i].HeadMean()); err != nil {
				t.Errorf("%s: %v", m.ID, err)
			}
		}
	}
}

// TestPonderingIsCharged: Universal reports the cost of its steps.
func TestPonderingIsCharged(t *testing.T) {
	from, _ := stacks(t, "universal", "bert")
	rep := inspect(t, engine.NewFrom(from), engine.Request{Text: "The cat sat on the mat.",
		Mechanisms: []string{"universal", "bert"}})
	m := rep.Mechanisms[0]
	sum := 0.0
	for _, name := range []string{"updates", "remainders"} {
		i := slices.IndexFunc(m.Maps, func(shown trace.Map) bool { return shown.Name == name })
		for _, v := range m.Maps[i].Value.Data {
			sum += float64(v) / float64(len(rep.Tokens))
		}
	}
	if len(m.Charges) != 1 || m.Charges[0].Name != "ponder" || m.Charges[0].Value < 0.999e-3*sum ||
		m.Charges[0].Value > 1.001e-3*sum {
		t.Errorf("%+v, not %v", m.Charges, 1e-3*sum)
	}
	if len(rep.Mechanisms[1].Charges) != 0 {
		t.Errorf("bert charges %+v", rep.Mechanisms[1].Charges)
	}
}

// TestTheEncodersModelsAreTheMechanisms: "encoder.dense" is the model stored as "dense", as an architecture.
func TestTheEncodersModelsAreTheMechanisms(t *testing.T) {
	e := engine.NewFrom(source(t))
	rep := inspect(t, e, engine.Request{Text: "The cat sat.",
		Mechanisms: []string{"dense", "encoder.dense", "encoder", "bert"}})
	alone, stack := rep.Mechanisms[0], rep.Mechanisms[1]
	if alone.Err != nil || stack.Err != nil || alone.Stack != nil || stack.Stack == nil {
		t.Fatalf("%v, %v", alone.Err, stack.Err)
	}
	a, _ := alone.Layers[1].Find("weights")
	b, _ := stack.Layers[1].Find("weights")
	if !slices.Equal(a.Value.Data, b.Value.Data) {
		t.Error("the stack has other weights")
	}
	if rep.Mechanisms[2].Err != nil || fault.KindOf(rep.Mechanisms[3].Err) != fault.NotFound {
		t.Errorf("encoder: %v, bert: %v", rep.Mechanisms[2].Err, rep.Mechanisms[3].Err)
	}
	if info, err := e.Info("encoder"); err != nil || info.Mechanism != "dot-product" {
		t.Errorf("%+v, %v", info, err)
	}
	if info, err := writer(t).Info("encoder-decoder"); err != nil || info.Stack != "encoder-decoder" {
		t.Errorf("%+v, %v", info, err)
	}
}
