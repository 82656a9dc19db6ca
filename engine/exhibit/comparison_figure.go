package exhibit

import (
	"math"
	"strconv"

	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
)

// Figures returns the drawings of A, of B and, if it is defined, of A − B, from left to right.
func (c *Comparison) Figures(l *messages.Language, look Appearance, meta []figure.Meta) []figure.Figure {
	list := []figure.Figure{c.A.Drawing(l, look, meta), c.B.Drawing(l, look, meta)}
	for i, side := range []string{"A", "B"} {
		list[i].Title = side + " · " + list[i].Title
	}
	if c.Difference == nil {
		return list
	}
	d := c.Difference.Drawing(l, look, meta)
	a, b := c.Names()
	d.Title, d.Subtitle = "A − B", l.Say(messages.Join(" · ", messages.New("compare.minus", "a", a, "b", b), c.Summary()))
	return append(list, d)
}

// Summary returns a sentence with the measures that are defined for the two maps.
func (c *Comparison) Summary() messages.Message {
	var parts []messages.Message
	add := func(id string, v float64) {
		if !math.IsNaN(v) {
			parts = append(parts, messages.New("compare.summary."+id, "value", messages.Number(v)))
		}
	}
	add("divergence", c.Divergence())
	add("rank", c.Rank)
	add("changed", c.Changed)
	return messages.Join(" · ", parts...)
}

// Provenance returns the origin that a file of the comparison records. Source is the URL of the figure, version
// that of the program.
func (c *Comparison) Provenance(l *messages.Language, source, version string) []figure.Meta {
	meta := c.A.Provenance(l, source, version)
	for _, m := range c.B.Provenance(l, source, version) {
		if m.Key == "Description" || m.Key == "Weights" {
			meta = append(meta, figure.Meta{Key: m.Key + " of B", Value: m.Value})
		}
	}
	return meta
}

// FileName returns the name of a file of the comparison.
func (c *Comparison) FileName(extension string) string {
	side := func(x *Exhibit) string { return x.Result.ID + "-" + strconv.Itoa(x.Layer.Number) + "-" + x.headPart() }
	return "compare-" + side(c.A) + "-" + side(c.B) + "." + extension
}
