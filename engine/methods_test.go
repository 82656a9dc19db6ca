package engine_test

import (
	"math"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/metrics"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// everything returns an engine with a model of every mechanism and of every architecture.
func everything(t *testing.T) (*engine.Engine, []string) {
	t.Helper()
	mixers, _ := stacks(t, runnable()...)
	alone := source(t)
	e := engine.NewFrom(func(id string) ([]byte, bool) {
		if data, ok := alone(id); ok {
			return data, true
		}
		return mixers(id)
	})
	return e, append(engine.IDs(), runnable()...)
}

// refused checks that a mechanism answers if there is no reason against it, and else refuses with that reason.
func refused(t *testing.T, m engine.Result, why messages.Message) bool {
	t.Helper()
	switch {
	case why.IsZero() && m.Err != nil:
		t.Errorf("%s: %v", m.ID, m.Err)
	case !why.IsZero() && (m.Err == nil || !strings.HasSuffix(m.Err.Error(), why.String()) ||
		fault.KindOf(m.Err) != fault.Unsupported):
		t.Errorf("%s: %v, not %q", m.ID, m.Err, why)
	}
	return m.Err != nil
}

// everywhere lists the maps that every model of a method has in addition to the main one.
var everywhere = map[string][]string{
	method.ValueZeroing: {method.ValueZeroingResidual, method.ValueZeroingMixer, method.ValueZeroingRollout},
	method.Norm:         {method.NormHead, method.NormResidual, method.NormMixing},
}

// TestMethodsWhereTheyAreDefined: every mechanism and architecture answers with the maps of a method, or with the
// reason why it has none. Shares sum to 1, and cells that are masked out have none.
func TestMethodsWhereTheyAreDefined(t *testing.T) {
	e, ids := everything(t)
	for _, mask := range []nn.MaskKind{nn.NoMask, nn.Causal} {
		for _, asked := range method.Catalog() {
			r := engine.Request{Text: "The cat sat on the mat.", Mechanisms: ids, Mask: mask,
				Method: method.Measurement{Name: asked.Name, Layer: 2}}
			for _, m := range inspect(t, e, r).Mechanisms {
				if mask == nn.Causal && !m.Entry.Masks.NoCausal.IsZero() || refused(t, m, asked.Why(m.Entry)) {
					continue
				}
				for _, name := range append([]string{asked.Name}, everywhere[asked.Name]...) {
					checkAttribution(t, m, name, mask == nn.Causal || m.ID == encoder.GPT2.ID)
				}
			}
		}
	}
}

// TestNoSuchMethod: the error for an unknown method lists the existing ones.
func TestNoSuchMethod(t *testing.T) {
	e, _ := everything(t)
	r := engine.Request{Text: "cat", Mechanisms: []string{"dense"}, Method: method.Measurement{Name: "ray", Layer: 1}}
	if err := inspect(t, e, r).Mechanisms[0].Err; fault.KindOf(err) != fault.Invalid ||
		!strings.Contains(err.Error(), "influence") {
		t.Error(err)
	}
}

func checkAttribution(t *testing.T, m engine.Result, name string, causal bool) {
	t.Helper()
	got, ok := m.Layers[1].Find(name)
	if !ok {
		t.Errorf("%s: no map %s", m.ID, name)
		return
	}
	if got.Kind == trace.Probability {
		if d := metrics.RowSumDeviation(got); !(d < 1e-5) {
			t.Errorf("%s, %s: rows sum to 1 ± %v", m.ID, name, d)
		}
	}
	if _, pairs := got.Has(trace.Query); pairs && causal {
		if ahead := got.HeadMean().Value.At(2, 4); ahead != 0 || got.Reach == nil || got.Reach(2, 4) || !got.Reach(4, 2) {
			t.Errorf("%s, %s: causal, and %v comes from ahead", m.ID, name, ahead)
		}
	}
}

// TestNormsBehindALayerNorm: only models with a LayerNorm after the mixer have this map.
func TestNormsBehindALayerNorm(t *testing.T) {
	e, _ := everything(t)
	for id, want := range map[string]bool{"bert": true, "dense": false, "gpt2": false} {
		m := inspect(t, e, engine.Request{Text: "The cat sat.", Mechanisms: []string{id},
			Method: method.Measurement{Name: method.Norm, Layer: 1}}).Mechanisms[0]
		if _, ok := m.Layers[0].Find(method.NormAfter); ok != want {
			t.Errorf("%s: %v", id, ok)
		}
	}
}

// TestZeroingIsOfTheLayerAndThoseBefore: a request for one layer gives the maps of it and of all before, but of none
// after. The product through the layers begins with the first map.
func TestZeroingIsOfTheLayerAndThoseBefore(t *testing.T) {
	e, _ := everything(t)
	m := inspect(t, e, engine.Request{Text: "The cat sat.", Mechanisms: []string{"bert"},
		Method: method.Measurement{Name: method.ValueZeroing, Layer: 2}}).Mechanisms[0]
	var maps []trace.Map
	for i, l := range m.Layers {
		one, ok := l.Find(method.ValueZeroing)
		if ok != (i < 2) {
			t.Fatalf("layer %d has a map: %v", i+1, ok)
		}
		if ok {
			maps = append(maps, one)
		}
	}
	for i := range 2 {
		through, _ := m.Layers[i].Find(method.ValueZeroingRollout)
		for at, v := range through.Value.Data {
			want := float64(maps[0].Value.Data[at])
			if n := through.Value.Dim(0); i == 1 {
				want = 0
				for k := range n {
					want += float64(maps[1].Value.At(at/n, k)) * float64(maps[0].Value.At(k, at%n))
				}
			}
			if math.Abs(float64(v)-want) > 1e-6 {
				t.Fatalf("after layer %d, cell %d is %v, not %v", i+1, at, v, want)
			}
		}
	}
}

// TestFlowOfLongTextsIsRefused: the error states the limit, and a layer that does not exist gives no map.
func TestFlowOfLongTextsIsRefused(t *testing.T) {
	e, _ := everything(t)
	ask := func(words, layer int) engine.Result {
		return inspect(t, e, engine.Request{Text: strings.Repeat("cat ", words), Mechanisms: []string{"dot-product"},
			Method: method.Measurement{Name: method.Flow, Layer: layer}}).Mechanisms[0]
	}
	if m := ask(method.MostFlow-1, 1); m.Err == nil || !strings.Contains(m.Err.Error(), "up to 32 tokens") ||
		!strings.Contains(m.Err.Error(), "Remove 1 token") {
		t.Errorf("%v", m.Err)
	}
	if m := ask(method.MostFlow-2, 1); m.Err != nil {
		t.Error(m.Err)
	}
	m := ask(3, 9)
	for _, l := range m.Layers {
		for _, name := range []string{method.Flow, method.ValueZeroing} {
			if _, ok := l.Find(name); ok || m.Err != nil {
				t.Errorf("%s has %s: %v", l.Name, name, m.Err)
			}
		}
	}
}

// TestEncoderOfTwoStacks: in an encoder–decoder, the methods measure the encoder's layers, which read the text.
func TestEncoderOfTwoStacks(t *testing.T) {
	for _, asked := range method.Catalog() {
		r := engine.Request{Text: "the cat sat", Method: method.Measurement{Name: asked.Name, Layer: 2}}
		m := generated(t, writer(t), r)
		if refused(t, m, asked.NoTwoStacks) {
			continue
		}
		if got, ok := m.Layers[1].Find(asked.Name); !ok || got.Value.Dim(-1) != 5 {
			t.Errorf("%s: %v", asked.Name, ok)
		}
		if part, _ := m.Part(engine.EncoderPart); len(part.Layers) > 0 {
			if _, ok := part.Layers[1].Find(asked.Name); ok {
				t.Errorf("%s is a map of the part, too", asked.Name)
			}
		}
	}
}

// TestMethodsHaveTheirPrice: a request with a method costs more.
func TestMethodsHaveTheirPrice(t *testing.T) {
	e, _ := everything(t)
	r := engine.Request{Text: "The cat sat on the mat.", Mechanisms: []string{"bert"}}
	least := e.Cost(r)
	for _, asked := range method.Catalog() {
		r.Method = method.Measurement{Name: asked.Name, Layer: 1}
		if c := e.Cost(r); c.Bytes <= least.Bytes || r.Method.Long() != (c.Operations > least.Operations) {
			t.Errorf("%s costs %+v, without it %+v", asked.Name, c, least)
		}
	}
}
