package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/costs"
	"attnatlas/engine/messages"
)

type costCmd struct {
	Length    int  `default:"64" help:"cost.length"`
	Width     int  `default:"128" help:"cost.width"`
	Heads     int  `default:"4" help:"cost.heads"`
	Positions int  `default:"0" help:"cost.positions"`
	Longest   int  `default:"4096" help:"cost.longest"`
	Counted   bool `help:"cost.counted"`
	JSON      bool `help:"cost.json"`
}

// Run prints the cost of mechanisms, counted and measured.
func (c *costCmd) Run(ctx context.Context, s streams) error {
	sizes := costs.Sizes{Length: c.Length, Width: c.Width, Heads: c.Heads, Positions: max(c.Positions, c.Length)}
	if err := costs.CheckSizes(sizes); err != nil {
		return err
	}
	var points []costs.Point
	var roof *costs.Roof
	var left []costs.MeasuringPoint
	if !c.Counted {
		var err error
		if points, roof, left, err = c.measure(ctx, s.err); err != nil {
			return err
		}
	}
	r := costs.NewReport(sizes, points, roof)
	r.Measured = costs.Progress{Done: len(points), All: len(points), Left: costs.LeftOut(left)}
	if c.JSON {
		e := json.NewEncoder(s.out)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	return tellCosts(s.out, r)
}

// measure measures all lengths.
func (c *costCmd) measure(ctx context.Context, w io.Writer) (points []costs.Point, roof *costs.Roof,
	left []costs.MeasuringPoint, err error) {
	l := costs.Usual()
	for i, n := range l.List {
		if n > c.Longest {
			l.List = l.List[:i]
			break
		}
	}
	measured, err := costs.MeasureRoof(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	steps, left := l.Steps()
	bar := barOf(w, len(steps))
	defer func() { _ = bar.Clear() }() // an error concerns only the display
	for _, step := range steps {
		showNext(bar, step.Mechanism+" "+strconv.Itoa(step.Length))
		p, err := step.Measure(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		points = append(points, p)
	}
	costs.SortPoints(points)
	return points, &measured, left, nil
}

// tellCosts prints the tables.
func tellCosts(w io.Writer, r costs.Report) error {
	fmt.Fprintln(w, messages.New("cost.cli.machine", "processor", r.CPU, "instructions", r.Instructions))
	fmt.Fprintln(w, messages.New("cost.cli.sizes", "length", strconv.Itoa(r.Sizes.Length), "width",
		strconv.Itoa(r.Sizes.Width), "heads", strconv.Itoa(r.Sizes.Heads), "positions", strconv.Itoa(r.Sizes.Positions)))
	if r.Roof != nil {
		fmt.Fprintln(w, messages.New("cost.cli.roof", "operations", fmt.Sprintf("%.0f", r.Roof.Operations/1e9), "bandwidth",
			fmt.Sprintf("%.0f", r.Roof.Bandwidth/1e9)))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns(t, "cost.cli.columns")
	for _, row := range r.Mechanisms {
		fmt.Fprintln(t, strings.Join(append(costCells(row), ""), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	columns(t, "cost.cli.claims")
	for _, v := range r.Claims {
		fmt.Fprintln(t, strings.Join(append(claimCells(v), ""), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, left := range r.Measured.Left {
		fmt.Fprintln(w, messages.New("cost.left", "name", left.Mechanism, "length", strconv.Itoa(left.Length), "megabytes",
			strconv.Itoa(int(left.Parameters>>20))))
	}
	return nil
}

// columns returns the headings of a table's columns.
func columns(w io.Writer, id string) {
	fmt.Fprintln(w, strings.Join(append(messages.English.Lines(messages.New(id)), ""), "\t"))
}

func costCells(r costs.MechanismCost) []string {
	time, bytes, grows, state := "–", "–", "–", "–"
	if r.At != nil {
		time, bytes = fmt.Sprintf("%.3f", 1e3*r.At.Seconds), strconv.Itoa(r.At.Bytes>>10)
	}
	if r.Measured != nil {
		grows = fmt.Sprintf("%.2f", *r.Measured)
	}
	if r.State != nil {
		state = strconv.FormatInt(r.State.Value, 10)
	}
	return []string{r.ID, time, bytes, grows, fmt.Sprintf("%.2f", r.Counted), fmt.Sprint(r.Growth),
		strconv.FormatInt(r.Operations.Value, 10), strconv.FormatInt(r.Parameters.Value, 10), state, from(r.Fewer),
		from(r.Faster)}
}

// from names the length from which a statement is true.
func from(n *int) string {
	switch {
	case n == nil:
		return "–"
	case *n == 0:
		return say("cost.never")
	}
	return strconv.Itoa(*n)
}

func claimCells(v costs.Verdict) []string {
	measured, form := "–", "%.0f"
	if v.Time {
		form = "%.2f"
	}
	if v.Measured != nil {
		measured = fmt.Sprintf(form, *v.Measured)
	}
	name := v.Mechanism
	for _, o := range costs.OptionsOf(v.Options) {
		name += " " + o
	}
	return []string{v.Source, name, v.Formula, fmt.Sprintf(form, v.Claimed), fmt.Sprintf(form, v.Counted), measured}
}
