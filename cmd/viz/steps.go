package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/unroll"
)

type stepsCmd struct {
	weights
	Text      string `short:"t" help:"text" placeholder:"TEXT"`
	Mechanism string `short:"m" required:"" help:"explain.mechanism"`
	Layer     int    `help:"explain.layer"`
	Word      int    `help:"steps.word" placeholder:"NUMBER"`
	Mask      string `help:"mask" placeholder:"MASK"`
	Cut       string `help:"cut" placeholder:"CUTS"`
	JSON      bool   `help:"steps.json"`
}

// Run lists the steps of a forward pass.
func (c *stepsCmd) Run(ctx context.Context, s streams) error {
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	q.Set(address.Mechanisms, c.Mechanism)
	if c.Word != 0 {
		q.Set(address.PinKey, strconv.Itoa(c.Word))
	}
	return printAnswer(ctx, c.weights, s, request{path: "/api/v1/steps", query: q, asJSON: c.JSON}, tellSteps)
}

// tellSteps lists the steps with their formulas in plain text.
func tellSteps(w io.Writer, a unroll.Steps) error {
	part := ""
	for i, step := range a.Steps {
		if step.Part != part {
			part = step.Part
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%2d  %s %s  %s\n    %s\n%s", i+1, step.Key, sizes(step.Shape), step.Plain, step.Says,
			guessesOf(step))
	}
	return nil
}

// sizes formats the sizes of an array: "[4,12,12]".
func sizes(shape []int) string {
	return strings.ReplaceAll(fmt.Sprint(shape), " ", ",")
}

// guessesOf returns the words or classes of a prediction step, with their numbers.
func guessesOf(s unroll.Step) string {
	var list []string
	if len(s.Labels) == 0 || s.Part != "" {
		return ""
	}
	labels := s.Labels[len(s.Labels)-1]
	if labels == nil || len(labels) != len(s.Values) {
		return ""
	}
	for i, label := range labels {
		list = append(list, label+" "+messages.Number(float64(s.Values[i])))
	}
	return "    " + strings.Join(list, " · ") + "\n"
}
