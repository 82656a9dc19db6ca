package exhibit_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

const restful = "the cat sat on the mat and the dog on the floor" // 12 words

// restingMap returns a map whose words give this share to [CLS] and the rest to all words equally. The rows of
// [CLS] and [SEP], which attend to each other, must not count.
func restingMap(name string, k trace.Kind, cls float64, roles ...trace.Role) trace.Map {
	const n = 14
	m := trace.Map{Name: name, Kind: k, Value: tensor.New(n, n)}
	for _, role := range roles {
		m.Axes = append(m.Axes, trace.Axis{Role: role})
	}
	for i := range n {
		for j := 1; j < n-1; j++ {
			m.Value.Set(tensor.Elem((1-cls)/(n-2)), i, j)
		}
		m.Value.Set(tensor.Elem(cls), i, 0)
	}
	for _, i := range []int{0, n - 1} {
		clear(m.Value.Data[i*n:][:n])
		m.Value.Set(tensor.Elem(1-math.Round(cls)), i, 0) // the opposite of what the words do
		m.Value.Set(tensor.Elem(math.Round(cls)), i, 4)
	}
	return m
}

func noteOf(t *testing.T, id, text string, maps ...trace.Map) (note, alt string) {
	t.Helper()
	r := &engine.Report{Text: text, Tokens: tokenizer.Default().Encode(text),
		Mechanisms: []engine.Result{result(id, maps)}}
	r.LabelAxes()
	s := exhibit.Select(r, exhibit.Choice{Head: 1, Show: exhibit.ShowOf(maps[0].Name)})
	c := &exhibit.Card{Main: show(t, s, id, maps[0].Name)}
	return c.RestingNote().String(), c.Main.Alt().String()
}

// TestRestingPlace: the card reports a sink from the limit on, and only for weights between words.
func TestRestingPlace(t *testing.T) {
	square := []trace.Role{trace.Query, trace.Key}
	above, below := restingMap("weights", trace.Probability, 0.58, square...), restingMap("weights", trace.Probability,
		0.39, square...)
	near := restingMap("weights", trace.Probability, 0.58, square...) // words in a window that contains little but [CLS]
	near.Reach = func(q, k int) bool { return k == 0 || k == q }
	for name, c := range map[string]struct {
		id, text, want string
		m              trace.Map
	}{
		"above":       {"dense", restful, "58.0 %", above},
		"below":       {"dense", restful, "", below},
		"both ends":   {"dense", restful, "46.0 %", withSEP(below, 0.07)},
		"masked word": {"dense", strings.Replace(restful, "cat", "[MASK]", 1), "58.0 %", above},
		"lengths":     {"fastformer", restful, "", restingMap("contribution", trace.Length, 0.58, square...)},
		"influence":   {"dense", restful, "", restingMap(method.Influence, trace.Weight, 0.58, square...)},
		"rollout":     {"dense", restful, "", restingMap(method.Rollout, trace.Probability, 0.58, square...)},
		"slots":       {"poolingformer", restful, "", restingMap("slots", trace.Probability, 0.58, trace.Query, trace.Slot)},
		"strip":       {"fastformer", text, "", strip("alpha", 1)},
		"two words":   {"dense", "a cat", "", evenly(4)}, // they are half of four tokens
		"reach":       {"dense", restful, "", near},
		"no number":   {"dense", restful, "", restingMap("weights", trace.Probability, math.NaN(), square...)},
		"no word":     {"dense", "", "", evenly(2)},
	} {
		note, alt := noteOf(t, c.id, c.text, c.m)
		if said := strings.HasPrefix(note, c.want+" of the attention here goes to [CLS] and [SEP]"); said != (c.want != "") ||
			!said && note != "" {
			t.Errorf("%s: %q", name, note)
		}
		if strings.HasSuffix(alt, "; "+c.want+" of the attention goes to [CLS] and [SEP]") != (c.want != "") {
			t.Errorf("%s: %q", name, alt)
		}
	}
}

// withSEP returns a map in which words also attend to [SEP].
func withSEP(m trace.Map, share float64) trace.Map {
	m.Value = m.Value.Clone()
	for i := 1; i < m.Value.Dim(0)-1; i++ {
		m.Value.Set(tensor.Elem(share), i, m.Value.Dim(1)-1)
	}
	return m
}

func evenly(n int) trace.Map {
	m := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(n, n),
		Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
	for i := range m.Value.Data {
		m.Value.Data[i] = tensor.Elem(1 / float64(n))
	}
	return m
}

// TestRestingPlaceOfDense: in the trained model, the share is that of the first and the last column, in every
// layer and head.
func TestRestingPlaceOfDense(t *testing.T) {
	r, err := engine.New().Inspect(context.Background(), engine.Request{Text: restful, Mechanisms: []string{"dense"}})
	if err != nil || r.Mechanisms[0].Err != nil {
		t.Fatal(err, r.Mechanisms[0].Err)
	}
	for layer := 1; layer <= len(r.Mechanisms[0].Layers); layer++ {
		for head := range r.Mechanisms[0].Heads + 1 {
			s := exhibit.Select(r, exhibit.Choice{Layer: layer, Head: head})
			card, err := s.Card(&r.Mechanisms[0])
			if err != nil {
				t.Fatal(err)
			}
			w, sum := card.Main.Map.Value, 0.0
			last := w.Dim(1) - 1
			for i := 1; i < last; i++ {
				sum += float64(w.At(i, 0) + w.At(i, last))
			}
			share, note := sum/float64(last-1), card.RestingNote().String()
			t.Logf("layer %d, head %d: %.3f", layer, head, share)
			if strings.HasPrefix(note, messages.Percent(share)+" of the attention") != (share >= 0.4) || share < 0.4 &&
				note != "" {
				t.Errorf("layer %d, head %d: %.3f of what words read, and the card says %q", layer, head, share, note)
			}
		}
	}
}
