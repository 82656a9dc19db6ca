package scene_test

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/claim"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/scene"
)

// all returns the scenes by the prefix of their message ids.
func all() map[string][]scene.Scene {
	return map[string][]scene.Scene{"first": {scene.First}, "walk": scene.Walk, "example": scene.Examples()}
}

// TestEveryClaimIsTrue measures every number in a sentence on the bundled models, and checks it against the bounds
// that the scene declares.
func TestEveryClaimIsTrue(t *testing.T) {
	e := engine.New()
	inspect := func(r engine.Request) *engine.Report {
		report, err := e.Inspect(context.Background(), r)
		if err != nil {
			t.Fatal(r, err)
		}
		return report
	}
	for _, scenes := range all() {
		for _, sc := range scenes {
			st, err := sc.State(tokenizer.Default())
			if err != nil || len(sc.Claims) == 0 {
				t.Fatalf("%s: %v, %d claims", sc.ID, err, len(sc.Claims))
			}
			values := map[string]float64{}
			for _, c := range sc.Claims {
				var other *engine.Report
				if sc.Other != "" {
					other = inspect(c.Request(sc.Other, st.Mask))
				}
				value, err := c.On(inspect(c.Request(sc.Text, st.Mask)), other)
				if err != nil || !c.Holds(value) {
					t.Errorf("%s: %s is %v, %v; %v to %v are claimed.%s",
						sc.ID, c.Name, value, err, c.Least, c.Most, instead(sc, c, inspect, st.Mask))
				}
				values[c.Name] = value
			}
			for _, c := range sc.Claims {
				if c.Above != "" && values[c.Name] <= values[c.Above] {
					t.Errorf("%s: %s %v is not above %s %v", sc.ID, c.Name, values[c.Name], c.Above, values[c.Above])
				}
			}
		}
	}
}

// TestNamedHeadsAreMeasured: if a sentence names a head, one of its claims is about this head, or ablates it.
func TestNamedHeadsAreMeasured(t *testing.T) {
	named := regexp.MustCompile(`(?i)\bhead (\d)`)
	cut := regexp.MustCompile(`head:\d\.(\d)`)
	found := 0
	for prefix, scenes := range all() {
		for _, sc := range scenes {
			var heads []string
			for _, c := range sc.Claims {
				heads = append(heads, strconv.Itoa(c.Head))
				for _, m := range cut.FindAllStringSubmatch(c.Cut, -1) {
					heads = append(heads, m[1])
				}
			}
			for _, m := range named.FindAllStringSubmatch(messages.English.T(prefix+"."+sc.ID+".look"), -1) {
				found++
				if !slices.Contains(heads, m[1]) {
					t.Errorf("%s names head %s, and its claims are about the heads %s", sc.ID, m[1], heads)
				}
			}
		}
	}
	if found < 8 {
		t.Errorf("%d heads are named", found)
	}
}

// instead lists the heads, strongest first, in which a claim and all other claims about its head are true. It
// helps after a new training.
func instead(sc scene.Scene, c claim.Claim, inspect func(engine.Request) *engine.Report, mask nn.MaskKind) string {
	if c.Layer == 0 {
		return ""
	}
	type place struct {
		layer, head int
		value       float64
	}
	var found []place
	for layer := 1; layer <= 6; layer++ {
	heads:
		for head := min(c.Head, 1); head <= min(4*c.Head, 4); head++ {
			first := -1.0
			for _, o := range sc.Claims {
				if o.Mechanism != c.Mechanism || o.Layer != c.Layer || o.Head != c.Head || o.Map != c.Map {
					continue
				}
				o.Layer, o.Head = layer, head
				var other *engine.Report
				if sc.Other != "" {
					other = inspect(o.Request(sc.Other, mask))
				}
				value, err := o.On(inspect(o.Request(sc.Text, mask)), other)
				if err != nil || !o.Holds(value) {
					continue heads
				}
				if first < 0 {
					first = value
				}
			}
			found = append(found, place{layer, head, first})
		}
	}
	if len(found) == 0 {
		return " No other head of the model fits."
	}
	slices.SortFunc(found, func(a, b place) int { return cmp.Compare(b.value, a.value) })
	return fmt.Sprintf(" Heads that fit (layer, head, first number): %v", found)
}

// TestSentencesHaveTheirClaims: a sentence has a placeholder for every claim, and no other.
func TestSentencesHaveTheirClaims(t *testing.T) {
	gap := regexp.MustCompile(`{{\.(\w+)}}`)
	for of, scenes := range all() {
		for _, sc := range scenes {
			var gaps, claims []string
			for _, m := range gap.FindAllStringSubmatch(messages.English.Templates(of + "." + sc.ID + ".look")[of+"."+sc.ID+
				".look"]["other"], -1) {
				gaps = append(gaps, m[1])
			}
			for _, c := range sc.Claims {
				claims = append(claims, c.Name)
			}
			slices.Sort(gaps)
			slices.Sort(claims)
			if !slices.Equal(gaps, claims) {
				t.Errorf("%s.%s: its sentence has the gaps %v, its claims are %v", of, sc.ID, gaps, claims)
			}
		}
	}
}

// TestClaimsOfCausesHaveASecondText: claims about words that attend to each other, or about equal words, are also
// measured on a second text, in which words are moved or replaced.
func TestClaimsOfCausesHaveASecondText(t *testing.T) {
	for _, sc := range scene.Examples() {
		for _, c := range sc.Claims {
			if c.Text != "" || c.Map != "" || c.What != claim.Same && (c.What != claim.Share || c.Row == "" || c.Col == "") {
				continue
			}
			again := slices.ContainsFunc(sc.Claims, func(o claim.Claim) bool {
				return o.Text != "" && o.Text != sc.Text && o.Mechanism == c.Mechanism && o.Layer == c.Layer && o.Head == c.Head &&
					o.What == c.What
			})
			if !again {
				t.Errorf("%s: nothing shows that %s of %s does not follow from the places of the words; add a claim of the same head on a second text", sc.ID, c.Name, c.Mechanism)
			}
		}
	}
}

// TestScenesShowWhatTheySpeakOf: the mechanism of every claim is on the wall, in the layer and head of the claim.
// A claim about influence or rollout belongs to a view that shows it.
func TestScenesShowWhatTheySpeakOf(t *testing.T) {
	e := engine.New()
	for of, scenes := range all() {
		for _, sc := range scenes {
			st, err := sc.State(tokenizer.Default())
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range sc.Claims {
				if !slices.Contains(st.Mechanisms, c.Mechanism) || exhibit.ShowOf(c.Map) != st.Show {
					t.Errorf("%s.%s: %s is not shown", of, sc.ID, c.Mechanism)
				}
				if i > 0 || c.Text != "" || c.Layer == 0 || c.Map != "" || c.What == claim.Reachable || c.What == claim.Rows ||
					c.What == claim.Cell {
					continue
				}
				report, err := e.Inspect(context.Background(), c.Request(sc.Text, st.Mask))
				if err != nil {
					t.Fatal(err)
				}
				x, err := exhibit.Select(report, st.Choice).Exhibit(c.Mechanism, "", 0)
				if err != nil || x.Layer.Number != c.Layer || x.Number != c.Head {
					t.Errorf("%s.%s shows layer %d, head %d of %s: %v", of, sc.ID, x.Layer.Number, x.Number, c.Mechanism, err)
				}
			}
		}
	}
}

// TestGalleryHasEveryMechanism: there are at least 24 different examples, and every mechanism and architecture has
// a card in one.
func TestGalleryHasEveryMechanism(t *testing.T) {
	ids, shown := map[string]bool{}, map[string]bool{}
	for _, sc := range scene.Examples() {
		if ids[sc.ID] {
			t.Errorf("%s is there twice", sc.ID)
		}
		ids[sc.ID] = true
		st, err := sc.State(tokenizer.Default())
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range st.Mechanisms {
			shown[id] = true
		}
		if at, list, ok := scene.Example(sc.ID); !ok || list[at].ID != sc.ID || address.CheckText(sc.Text) != nil {
			t.Errorf("%s is not found", sc.ID)
		}
	}
	if len(ids) < 24 {
		t.Errorf("%d examples", len(ids))
	}
	for _, m := range attention.Catalog {
		if _, trained := checkpoint.Header(m.ID); trained && !shown[m.ID] {
			t.Errorf("no example in web/scene shows %s, which has a model", m.ID)
		}
	}
	for _, s := range encoder.Stacks {
		if !shown[s.ID] && s.ID != encoder.Encoder.ID {
			t.Errorf("no example shows %s", s.ID)
		}
	}
	if _, _, ok := scene.Example("nothing"); ok {
		t.Error("there is an example of nothing")
	}
}
