package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"attnatlas/engine"
	"attnatlas/engine/claim"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

type findCmd struct {
	weights
	Text      string   `short:"t" required:"" help:"text" placeholder:"TEXT"`
	Mechanism []string `short:"m" help:"find.mechanism"`
	Pattern   string   `default:"share" help:"find.pattern" placeholder:"NAME"`
	Row       string   `default:"*" help:"find.row" placeholder:"WORDS"`
	Col       string   `default:"*" help:"find.col" placeholder:"WORDS"`
	Map       string   `help:"find.map" placeholder:"NAME"`
	Top       int      `default:"12" help:"find.top"`
}

// Run lists the heads that show a pattern most strongly.
func (c *findCmd) Run(ctx context.Context, s streams) error {
	what := slices.IndexFunc(claim.Patterns(), func(m claim.Measure) bool { return m.String() == c.Pattern })
	if what < 0 {
		return wrong("pattern", "pattern", messages.Quote(c.Pattern), "known", patternNames())
	}
	e, err := c.engine()
	if err != nil {
		return err
	}
	r := engine.Request{Text: c.Text, Mechanisms: c.Mechanism}
	if len(r.Mechanisms) == 0 {
		r.Mechanisms = slices.Concat(engine.IDs(), engine.StackIDs())
	}
	all, err := find(ctx, e, r, claim.Claim{What: claim.Patterns()[what], Row: c.Row, Col: c.Col, Map: c.Map})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return wrong("nothing-found")
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, f := range all[:min(len(all), c.Top)] {
		fmt.Fprintf(table, "%s\t%s\t%s\n", messages.Number(f.Value),
			say("find.head", "id", f.Mechanism, "layer", f.Layer, "head", exhibit.HeadName(f.Head)), c.address(f))
	}
	return table.Flush()
}

// find lists the heads of all layers by falling score. A map that is measured one layer at a time is requested layer
// by layer.
func find(ctx context.Context, e *engine.Engine, r engine.Request, like claim.Claim) (all []claim.Found, err error) {
	choice := exhibit.Choice{Show: exhibit.ShowOf(like.Map)}
	for layers := 1; choice.Layer < layers; {
		choice.Layer++
		r.Method = choice.Measurement()
		report, err := e.Inspect(ctx, r)
		if err != nil {
			return nil, err
		}
		if first := report.Mechanisms[0]; len(report.Mechanisms) == 1 && first.Err != nil { // there is nothing to find
			return nil, first.Err
		}
		found := claim.Find(like, report)
		if !choice.OneLayer() {
			return found, nil
		}
		all = append(all, slices.DeleteFunc(found, func(f claim.Found) bool { return f.Layer != choice.Layer })...)
		for _, m := range report.Mechanisms {
			layers = max(layers, len(m.Layers))
		}
	}
	slices.SortStableFunc(all, func(a, b claim.Found) int { return cmp.Compare(b.Value, a.Value) })
	return all, nil
}

// address returns the address of the page that shows a head.
func (c *findCmd) address(f claim.Found) string {
	st := address.Default()
	st.Text, st.Mechanisms, st.Layer, st.Head, st.Show = c.Text, []string{f.Mechanism}, f.Layer, f.Head,
		exhibit.ShowOf(c.Map)
	return address.Wall(st)
}

// patternNames lists the patterns.
func patternNames() string {
	var names []string
	for _, m := range claim.Patterns() {
		names = append(names, m.String())
	}
	return strings.Join(names, ", ")
}
