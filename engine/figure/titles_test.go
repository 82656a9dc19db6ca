package figure

import (
	"bytes"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestTitles: a caller's names for axes and numbers are on the figure.
func TestTitles(t *testing.T) {
	draw := func(change func(*Spec)) []byte {
		s := Spec{Title: "x", Map: trace.Map{
			Kind: trace.Weight, Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}},
			Value: tensor.From([]tensor.Elem{1, 2, 3, 4}, 2, 2),
		}}
		change(&s)
		var b bytes.Buffer
		if err := PNG(&b, s); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	plain := draw(func(*Spec) {})
	for name, change := range map[string]func(*Spec){
		"row title":    func(s *Spec) { s.Map.Axes[0].Name = "output" },
		"column title": func(s *Spec) { s.Map.Axes[1].Name = "input" },
		"noun":         func(s *Spec) { s.Noun = messages.New("noun.influence") },
	} {
		if bytes.Equal(plain, draw(change)) {
			t.Errorf("the %s is not on the figure", name)
		}
	}
	if same := draw(func(s *Spec) { s.Noun = messages.New("noun.weight") }); !bytes.Equal(plain, same) {
		t.Error("the usual words are not those of a figure without")
	}
}
