package address

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/ablation"

	"pgregory.net/rapid"
)

// genCut generates any ablation.
func genCut() *rapid.Generator[ablation.Cut] {
	number := rapid.IntRange(1, 700)
	return rapid.Custom(func(t *rapid.T) ablation.Cut {
		c := ablation.Cut{Kind: rapid.SampledFrom([]ablation.CutKind{ablation.CutWord, ablation.CutHead,
			ablation.CutCell}).Draw(t, "kind")}
		if c.Kind != ablation.CutHead {
			c.Col = number.Draw(t, "col")
		}
		if c.Kind == ablation.CutCell {
			c.Row = number.Draw(t, "row")
		}
		if c.Kind == ablation.CutHead || c.Kind == ablation.CutCell && rapid.Bool().Draw(t, "one layer") {
			c.Layer, c.Head = number.Draw(t, "layer"), number.Draw(t, "head")
		}
		return c
	})
}

// genCuts generates any ablations of a state.
func genCuts() *rapid.Generator[ablation.Cuts] {
	return rapid.Custom(func(t *rapid.T) ablation.Cuts {
		return plainCuts(ablation.Cuts{
			All: rapid.SliceOfN(genCut(), 0, ablation.MostCuts/2).Draw(t, "all"),
			Own: rapid.MapOfN(rapid.SampledFrom([]string{"dense", "albert.linformer", "gpt2"}),
				rapid.SliceOfN(genCut(), 0, ablation.MostCuts/2), 0, 3).Draw(t, "own"),
		})
	})
}

func manyWords(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = "word:" + strconv.Itoa(i+1)
	}
	return strings.Join(names, ",")
}

// TestCutsAreCanonical: ablations in any order and with repetitions are written once, in one order.
// A card's own list does not repeat those of all cards.
func TestCutsAreCanonical(t *testing.T) {
	for query, want := range map[string]string{
		"cut=cell:4.7,word:9,head:2.3,word:2,word:9":            "/?cut=word%3A2%2Cword%3A9%2Chead%3A2.3%2Ccell%3A4.7",
		"cut=word:9&cut=word:2,word:9":                          "/?cut=word%3A2%2Cword%3A9",
		"cut=" + strings.Repeat("word:9,", ablation.MostCuts+1): "/?cut=word%3A9",
		"cut=":                                     "/",
		"cut=,,&dense.cut=":                        "/",
		"cut=word:1&dense.cut=word:1":              "/?cut=word%3A1",
		"cut=word:1&dense.cut=word:1,head:1.2":     "/?cut=word%3A1&dense.cut=head%3A1.2",
		"cut=cell:1.2.3.4,cell:3.4,cell:1.all.3.4": "/?cut=cell%3A3.4%2Ccell%3A1.all.3.4%2Ccell%3A1.2.3.4",
	} {
		s, err := read(query)
		if got := Wall(s); err != nil || got != want {
			t.Errorf("%s is written %s, %v; not %s", query, got, err, want)
		}
	}
}

// TestCutsAreInEveryLink: ablations are part of every URL that shows their effect. The URL of a
// single card has all its ablations.
func TestCutsAreInEveryLink(t *testing.T) {
	s, err := read("m=dense,random&cut=word:3&dense.cut=head:1.2&text=a")
	if err != nil {
		t.Fatal(err)
	}
	const all, own, both = "cut=word%3A3", "dense.cut=head%3A1.2", "cut=word%3A3%2Chead%3A1.2"
	for link, want := range map[string][]string{
		Wall(s):                            {all, own},
		Page("/gallery", s):                {all, own},
		Mechanism(s, "dense"):              {both},
		Mechanism(s, "random"):             {all},
		Export(s, "dense", "png", nil):     {both},
		Export(s, "random", "png", nil):    {all},
		Drawing(s, "", nil):                {all, own},
		Drawing(s, "dense", nil):           {both},
		Attend(s, nil):                     {all, own},
		Attend(s.SingleCard("dense"), nil): {both},
		Compare(Comparison{State: s}):      {all, own},
		CompareData(Comparison{State: s}):  {all, own},
	} {
		_, raw, _ := strings.Cut(link, "?")
		parts := strings.Split(raw, "&")
		for _, part := range want {
			if !strings.Contains("&"+raw+"&", "&"+part+"&") {
				t.Errorf("%s lacks %s", link, part)
			}
		}
		cuts := 0
		for _, part := range parts {
			if key, _, _ := strings.Cut(part, "="); strings.HasSuffix(key, CutKey) {
				cuts++
			}
		}
		if cuts != len(want) {
			t.Errorf("%s has %d lists of cuts, not %d", link, cuts, len(want))
		}
	}
	r := s.Request()
	if ablation.JoinCuts(r.Cuts.Of("dense")) != "word:3,head:1.2" || ablation.JoinCuts(r.Cuts.Of("random")) != "word:3" {
		t.Errorf("the engine is asked for %+v", r.Cuts)
	}
}

// TestCuttingAndRestoring adds and removes one ablation, in one card or in all.
func TestCuttingAndRestoring(t *testing.T) {
	word, other, head := ablation.Cut{Kind: ablation.CutWord, Col: 3}, ablation.Cut{Kind: ablation.CutWord,
		Col: 4}, ablation.Cut{Kind: ablation.CutHead, Layer: 1, Head: 2}
	s := Default().WithCut("dense", word).WithCut("dense", head)
	for _, c := range []struct{ got, want string }{
		{Wall(s), "/?dense.cut=word%3A3%2Chead%3A1.2"},
		{Wall(s.WithCut("dense", word)), "/?dense.cut=word%3A3%2Chead%3A1.2"},
		{Wall(s.WithCut("", word)), "/?cut=word%3A3&dense.cut=head%3A1.2"},
		{Wall(s.WithoutCut("dense", head)), "/?dense.cut=word%3A3"},
		{Wall(s.WithCut("dense", other).WithoutCut("dense", word)), "/?dense.cut=word%3A4%2Chead%3A1.2"},
		{Wall(s.WithoutCut("", word)), "/?dense.cut=word%3A3%2Chead%3A1.2"},
		{Wall(s.WithoutCut("random", word)), "/?dense.cut=word%3A3%2Chead%3A1.2"},
		{Wall(s.CutWithin(2)), "/?dense.cut=head%3A1.2"},
		{Wall(s.WithoutCuts()), "/"},
		{Wall(s.WithCut("", word).CutWithin(2)), "/?dense.cut=head%3A1.2"},
		{Wall(s.WithoutCut("dense", head).WithoutCuts()), "/"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	full, err := read("cut=" + url.QueryEscape(manyWords(ablation.MostCuts)))
	if err != nil || Wall(full.WithCut("dense", head)) != Wall(full) || Wall(full.WithCut("", head)) != Wall(full) {
		t.Errorf("%v: more is cut than an address has", err)
	}
}
