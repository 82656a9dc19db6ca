package claim

import (
	"context"
	"math"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
)

func inspect(t *testing.T, e *engine.Engine, r engine.Request) *engine.Report {
	t.Helper()
	report, err := e.Inspect(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestClaimsReadTheReport: a share is the cell of the layer and head that the engine computed. For
// a strip it is the strip's cell, and for a masked text the probability of the masked word.
func TestClaimsReadTheReport(t *testing.T) {
	e, text := engine.New(), "The cat sat on the mat."
	dense := Claim{Mechanism: "dense", Layer: 2, Head: 3, What: Share, Row: "sat", Col: "cat"}
	report := inspect(t, e, dense.Request(text, nn.NoMask))
	want, _ := report.Mechanisms[0].Layers[1].Find("weights")
	if got, err := dense.On(report, nil); err != nil || got != float64(want.Value.At(2, 3, 2)) {
		t.Errorf("%v, %v; want %v", got, err, want.Value.At(2, 3, 2))
	}
	beta := Claim{Mechanism: "fastformer", Map: "beta", Layer: 1, Head: 2, What: Share, Col: "cat mat"}
	report = inspect(t, e, beta.Request(text, nn.NoMask))
	want, _ = report.Mechanisms[0].Layers[0].Find("beta")
	sum := float64(want.Value.At(1, 2)) + float64(want.Value.At(1, 6))
	if got, err := beta.On(report, nil); err != nil || math.Abs(got-sum) > 1e-9 {
		t.Errorf("%v, %v; want %v", got, err, sum)
	}
	hidden := Claim{Mechanism: "bert", What: Hidden, Row: "[MASK]"}
	report = inspect(t, e, hidden.Request("The cat sat on the [MASK].", nn.NoMask))
	likeliest := report.Mechanisms[0].Predictions[0].Words[0]
	hidden.Col = likeliest.Piece
	if got, err := hidden.On(report, nil); err != nil || got != likeliest.P {
		t.Errorf("%v, %v; want %v", got, err, likeliest)
	}
	listed := hidden
	listed.What = Listed
	if got, err := listed.On(report, nil); err != nil || got != 1 {
		t.Errorf("%v, %v; %v is listed", got, err, likeliest)
	}
	predicted, second := hidden, report.Mechanisms[0].Predictions[0].Words[1]
	predicted.What = Predicted
	if got, err := predicted.On(report, nil); err != nil || got != likeliest.P {
		t.Errorf("%v, %v; %v is predicted", got, err, likeliest)
	}
	predicted.Col = second.Piece
	if got, err := predicted.On(report, nil); err == nil {
		t.Errorf("%v is predicted with %v", second, got)
	}
	hidden.Col, listed.Col = "zebra", "zebra"
	if got, err := hidden.On(report, nil); err == nil {
		t.Errorf("what is not listed has the probability %v", got)
	}
	if got, err := listed.On(report, nil); err != nil || got != 0 {
		t.Errorf("%v, %v; it is not listed", got, err)
	}
}

// TestClaimsOfMethods: claims request the maps that they need.
func TestClaimsOfMethods(t *testing.T) {
	e := engine.New()
	for _, name := range []string{method.Influence, method.Rollout, method.ValueZeroing, method.NormResidual,
		method.Flow} {
		c := Claim{Mechanism: "dot-product", Map: name, Layer: 2, What: Columns}
		got, err := c.On(inspect(t, e, c.Request("The cat sat.", nn.NoMask)), nil)
		if err != nil || got != 6 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestClaimsOfTwoTexts: learned random has bit-identical maps for another text, and so do the rows
// of unchanged words in the first layer of dense.
func TestClaimsOfTwoTexts(t *testing.T) {
	e := engine.New()
	const text, other = "The cat sat on the mat.", "The dog sat on the mat."
	for _, c := range []Claim{
		{Mechanism: "random", Layer: 2, Head: 1, What: Rows, Most: 0},
		{Mechanism: "random", Layer: 1, What: Changed, Most: 0},
		{Mechanism: "dense", Layer: 1, Head: 1, What: Rows, Least: 1, Most: 1},
		{Mechanism: "dot-product", Layer: 1, Head: 1, What: Rows, Least: 9, Most: 9},
	} {
		a, b := inspect(t, e, c.Request(text, nn.NoMask)), inspect(t, e, c.Request(other, nn.NoMask))
		got, err := c.On(a, b)
		if err != nil || !c.Holds(got) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
		if _, err := c.On(a, nil); err == nil {
			t.Errorf("%v of one text", c.What)
		}
	}
}

// TestFind: heads are listed by falling number, and a map common to all heads once.
func TestFind(t *testing.T) {
	report := inspect(t, engine.New(), engine.Request{Text: "The cat saw the dog.",
		Mechanisms: []string{"dot-product", "linear", "residual-shuffle-exchange"}})
	found := Find(Claim{What: Previous}, report)
	if len(found) != 2*2*(1+4) { // the network of switches has no such map
		t.Fatalf("%d heads", len(found))
	}
	for i, f := range found {
		if again, err := f.On(report, nil); err != nil || again != f.Value || i > 0 && f.Value > found[i-1].Value {
			t.Errorf("%d: %+v, %v", i, f, err)
		}
	}
	switches := *report
	switches.Mechanisms = report.Mechanisms[2:]
	if all := Find(Claim{What: Reachable}, &switches); len(all) != 2 {
		t.Errorf("a map that all heads share is listed %d times in two layers", len(all))
	}
	if all := Find(Claim{What: Share, Row: "dog", Col: "wolf"}, report); len(all) > 0 {
		t.Errorf("of a word that is not there: %v", all)
	}
}
