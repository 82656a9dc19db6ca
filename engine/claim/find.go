package claim

import (
	"cmp"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
)

// Found is a head of which something can be said, with the number.
type Found struct {
	Claim
	Value float64
}

// Find measures a claim in every layer and head of the mechanisms of a report, the mean of the
// heads included, and lists them by falling number. Where it is not defined there is nothing.
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

// Patterns are the measures that viz find looks for, by name.
func Patterns() []Measure {
	return []Measure{Share, Previous, Next, Itself, Same, Marks, Most}
}
