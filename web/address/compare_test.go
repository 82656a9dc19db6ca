package address

import (
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/tokenizer"
)

func comparison(t *testing.T, query string) (Comparison, error) {
	t.Helper()
	v, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	c, bad := DecodeComparison(v, tokenizer.Default())
	return c, Join(bad)
}

// TestComparison: a URL and its canonical form mean the same, and the canonical form is short.
func TestComparison(t *testing.T) {
	usual := Default().Head
	for query, want := range map[string]Comparison{
		"": {A: Side{"dot-product", 0, usual}, B: Side{"random", 0, usual}},
		"m=bert,gpt2,dense&layer=2&head=3&gpt2.head=1": {A: Side{"bert", 2, 3}, B: Side{"gpt2", 2, 1}},
		"m=bert&b=bert":                           {A: Side{"dot-product", 0, usual}, B: Side{"bert", 0, usual}},
		"a=dense":                                 {A: Side{"dense", 0, usual}, B: Side{"dot-product", 0, usual}},
		"a=dense:2:3&b=albert.linformer:1":        {A: Side{"dense", 2, 3}, B: Side{"albert.linformer", 1, usual}},
		"a=dense:2:mean&b=dense:2:4":              {A: Side{"dense", 2, exhibit.Mean}, B: Side{"dense", 2, 4}},
		"a=dense:2:1&b=random&a.layer=1&a.head=2": {A: Side{"dense", 1, 2}, B: Side{"random", 0, usual}, Chosen: true},
		"a=no:thing&b=random":                     {A: Side{"no", 0, usual}, B: Side{"random", 0, usual}},
		"a=random&b=dense&norm=row&text=x&other=y z": {State: State{Text: "x", Other: "y z",
			Choice: exhibit.Choice{Norm: figure.PerRow}}, A: Side{"random", 0, usual}, B: Side{"dense", 0, usual}},
		"a=random&b=dense&norm=shared&pin=1.2&m=dense": {A: Side{"random", 0, usual}, B: Side{"dense", 0, usual}},
	} {
		got, err := comparison(t, strings.ReplaceAll(query, " ", "+"))
		if (err != nil) != strings.Contains(query, "no:thing") {
			t.Errorf("%s: %v", query, err)
		}
		norm, text := DefaultNorm, DefaultText
		if want.Text != "" {
			norm, text = want.Norm, want.Text
		}
		if got.A != want.A || got.B != want.B || got.Norm != norm || got.Chosen != want.Chosen || got.Text != text ||
			got.Other != want.Other {
			t.Errorf("%s is %+v", query, got)
		}
		link := Compare(got)
		var again Comparison
		again, err = comparison(t, strings.TrimPrefix(link, "/compare?"))
		if err != nil || Compare(again) != link || again.A != got.A || again.B != got.B {
			t.Errorf("%s → %s → %s: %v", query, link, Compare(again), err)
		}
	}
	c, _ := comparison(t, "a=dense:2:3&b=random")
	if got := Compare(c); got != "/compare?a=dense%3A2%3A3&b=random" {
		t.Errorf("the address is %s", got)
	}
}

// TestComparisonExplains: errors state what is permitted.
func TestComparisonExplains(t *testing.T) {
	for query, want := range map[string]string{
		"a=dense:x": `a=“dense:x” must be a mechanism with its layer`, "a=dense:0": "for example a=dense",
		"a=dense:1:0": "a=dense:2:3", "a=dense:1:2:3": "must be a mechanism",
		"b=:1": `b=“:1”`, "a=dense:": `a=“dense:”`, "b=dense&b=random": "given 2 times", "a=dense&a.layer=x": `a.layer=“x”`,
		"a=dense&b.head=0": `b.head=“0”`,
	} {
		if _, err := comparison(t, query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestSides: each side is the state of its own map; side B has the second text if there is one.
func TestSides(t *testing.T) {
	c, _ := comparison(t, "a=dense:2:3&b=random:1&text=one&other=two&mask=causal&show=influence")
	a, b := c.Of(SideA), c.Of(SideB)
	if a.Text != "one" || a.Mechanisms[0] != "dense" || a.Layer != 2 || a.Head != 3 || a.Other != "" ||
		a.Measurement().Layer != 2 {
		t.Errorf("A is %+v", a)
	}
	if b.Text != "two" || b.Mechanisms[0] != "random" || b.Layer != 1 || b.Mask != a.Mask || b.Other != "" {
		t.Errorf("B is %+v", b)
	}
	back := c.Swapped()
	if back.A != c.B || back.B != c.A || back.Text != "two" || back.Other != "one" ||
		Compare(back.Swapped()) != Compare(c) {
		t.Errorf("swapped: %+v", back)
	}
}
