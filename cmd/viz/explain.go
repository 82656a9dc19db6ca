package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

type explainCmd struct {
	weights
	Text      string `short:"t" required:"" help:"text" placeholder:"TEXT"`
	Mechanism string `short:"m" required:"" help:"explain.mechanism"`
	Layer     int    `default:"1" help:"explain.layer"`
	Head      string `default:"auto" help:"explain.head"`
	Map       string `help:"explain.map" placeholder:"NAME"`
	Cell      string `help:"explain.cell" placeholder:"ROW.COLUMN"`
}

// Run traces a number of a map.
func (c *explainCmd) Run(ctx context.Context, s streams) error {
	e, err := c.engine()
	if err != nil {
		return err
	}
	r := engine.Request{Text: c.Text, Mechanisms: []string{c.Mechanism}}
	report, err := e.Inspect(ctx, r)
	if err != nil {
		return err
	}
	x, err := c.exhibit(report)
	if err != nil {
		return err
	}
	row, col := x.Largest()
	if c.Cell != "" {
		if row, col, err = cellOf(c.Cell); err != nil {
			return err
		}
	}
	at, ok := x.Place(row, col)
	if !ok {
		return wrong("cell", "cell", messages.Quote(c.Cell))
	}
	found, err := explain.New(e).Explain(ctx, explain.Question{Request: r, Layer: x.Layer.Number, Map: x.Name, At: at})
	if err != nil {
		return err
	}
	for _, step := range found.Steps {
		filled := exhibit.Filled(step)
		if filled == "" {
			filled = "= " + exhibit.Digits(step.Value) + " (" + exhibit.ArrayName(messages.English, step.Source) + ")"
		}
		fmt.Fprintf(s.out, "%s (%s)\n  %s\n", exhibit.ArrayName(messages.English, step.Array),
			exhibit.PlaceIn(messages.English, step.Array, step.At, found.Tokens), filled)
		for _, strip := range append(append(step.X, step.Y...), step.Plus...) {
			fmt.Fprintf(s.out, "  %s: %s\n", exhibit.ArrayName(messages.English, strip.Array), numbersOf(strip.Values))
		}
	}
	return nil
}

// exhibit returns the map with the number: of one head, of a layer.
func (c *explainCmd) exhibit(report *engine.Report) (*exhibit.Exhibit, error) {
	head := exhibit.Auto
	if c.Head != exhibit.HeadName(exhibit.Auto) {
		n, err := strconv.Atoi(c.Head)
		if err != nil || n < 1 {
			return nil, wrong("head", "head", messages.Quote(c.Head))
		}
		head = n
	}
	x, err := exhibit.Select(report, exhibit.Choice{Layer: c.Layer, Head: head}).Exhibit(c.Mechanism, c.Map, 0)
	if err == nil && x.Layer.Number == 0 {
		err = fault.Errorf(fault.Unsupported, "explain.whole")
	}
	return x, err
}

// cellOf reads ROW.COLUMN, from 1.
func cellOf(text string) (row, col int, err error) {
	first, second, _ := strings.Cut(text, ".")
	if row, err = strconv.Atoi(first); err == nil {
		col, err = strconv.Atoi(second)
	}
	if err != nil || row < 1 || col < 1 {
		err = wrong("cell", "cell", messages.Quote(text))
	}
	return row, col, err
}

func numbersOf(values []float64) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = exhibit.WithAllDigits(v)
	}
	return strings.Join(list, " ")
}
