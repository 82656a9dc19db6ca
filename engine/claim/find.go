package claim

import (
	"cmp"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
)

// Found is a head that fits a statement, with the number.
type Found struct {
	Claim
	Value float64
}

// Find measures a claim in every layer and head of the mechanisms of a report, and in the mean over
// heads. It returns the results by falling number, without the maps for which the measure is not
// defined.
func Find(like Claim, text *engine.Report) []Found {
	var all []Found
	for _, res := range text.Mechanisms {
		for _, layer := range res.Layers {
			for head := range res.Heads + 1 {
				c := like
				c.Mechanism, c.Layer, c.Head = res.ID, layer.Number, head
				if head > exhibit.Mean && !c.perHead(text) {
					break
				}
				if v, err := c.On(text, nil); err == nil {
					all = append(all, Found{c, v})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Found) int { return cmp.Compare(b.Value, a.Value) })
	return all
}

// Patterns returns the measures that viz find knows.
func Patterns() []Measure {
	return []Measure{Share, Previous, Next, Itself, Same, Marks, Most}
}
