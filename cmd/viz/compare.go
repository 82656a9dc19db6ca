package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"attnatlas/engine/disk"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/compare"
)

type compareCmd struct {
	weights
	A     string `arg:"" help:"compare.a"`
	B     string `arg:"" help:"compare.b"`
	Text  string `arg:"" optional:"" help:"text"`
	Other string `help:"compare.second" placeholder:"TEXT"`
	Mask  string `help:"mask" placeholder:"MASK"`
	Show  string `help:"compare.show" placeholder:"WHAT"`
	Out   string `short:"o" type:"path" help:"compare.out" placeholder:"FILE"`
	JSON  bool   `help:"compare.json"`
}

// Run prints how two maps differ, or draws them.
func (c *compareCmd) Run(ctx context.Context, s streams) error {
	ext := ""
	if c.Out != "" {
		_, format, ok := figure.FormatOf(c.Out)
		if !ok || format.Board == nil {
			return wrong("format", "file", c.Out, "extension", messages.Quote(filepath.Ext(c.Out)), "known",
				messages.List(figure.BoardExtensions()))
		}
		ext = "." + format.Extension
	}
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	q.Set(address.SideA, c.A)
	q.Set(address.SideB, c.B)
	if c.Out != "" {
		return c.draw(ctx, s, ext, q)
	}
	return printAnswer(ctx, c.weights, s, request{path: "/api/v1/compare", query: q, asJSON: c.JSON}, tellComparison)
}

// draw writes the figure of a comparison.
func (c *compareCmd) draw(ctx context.Context, s streams, ext string, q url.Values) error {
	body, err := c.ask(ctx, s, "/export/"+address.CompareFile+ext, q)
	if err != nil {
		return err
	}
	if err := disk.Replace(c.Out, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, c.Out)
	return err
}

// tellComparison prints the numbers of a comparison and its largest differences, or the reason why there are none.
func tellComparison(w io.Writer, c compare.Compare) error {
	fmt.Fprintln(w, say("compare.sides", "a", c.A.ID, "whereA", c.A.Where, "b", c.B.ID, "whereB", c.B.Where))
	for _, n := range []struct {
		id    string
		value *float64
		why   string
	}{{"divergence", c.Divergent, c.NoRows}, {"rank", c.Rank, c.NoRank}, {"changed", c.Changed, c.NoDifference}} {
		if n.value != nil {
			fmt.Fprintln(w, " ", messages.New("compare.summary."+n.id, "value", messages.Number(*n.value)))
		} else if n.why != "" {
			fmt.Fprintln(w, " ", n.why)
		}
	}
	for _, k := range c.Largest {
		fmt.Fprintln(w, " ", k.Text)
	}
	return nil
}
