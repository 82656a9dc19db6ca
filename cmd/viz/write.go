package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
)

type writeCmd struct {
	weights
	Text string `short:"t" help:"The text. Without it, standard input is read." placeholder:"TEXT"`
	JSON bool   `help:"Print JSON with the steps and every map, as GET /api/v1/write does."`
}

// Run prints what the encoder–decoder writes.
func (c *writeCmd) Run(ctx context.Context, s streams) error {
	q, err := view{Text: c.Text}.query(stdin())
	if err != nil {
		return err
	}
	if !c.JSON {
		q = url.Values{"text": q["text"], "map": {"cross"}, "head": {"mean"}}
	}
	body, err := view{weights: c.weights}.ask(ctx, s, "/api/v1/write", q)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = s.out.Write(body)
		return err
	}
	return tellWriting(s.out, body)
}

// written is the part of the answer that people read.
type written struct {
	Tokens          []struct{ Label string }
	Written, Answer string
	Stopped, Right  bool
	Steps           []struct {
		Label string
		Right bool
		Top   []attendedWord
	}
	Maps []struct {
		Shape  []int
		Values []float64
	}
}

// tellWriting prints one line for each step: what was written, what else was likely,
// and which word of the text the last layer read most for it.
func tellWriting(w io.Writer, body []byte) error {
	var a written
	if err := json.Unmarshal(body, &a); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	for i, step := range a.Steps {
		mark := " "
		if !step.Right {
			mark = "✕"
		}
		fmt.Fprintf(w, "%s %2d  %-14s %-48s reads %s\n", mark, i+1, step.Label, likeliest(step.Top), a.mostRead(i))
	}
	fmt.Fprintf(w, "\nwritten: %s\n", a.Written)
	switch {
	case a.Right:
		fmt.Fprintln(w, "That is right.")
	case a.Stopped:
		fmt.Fprintf(w, "That is wrong; right would be: %s\n", a.Answer)
	default:
		fmt.Fprintf(w, "That is wrong, and was stopped; right would be: %s\n", a.Answer)
	}
	return nil
}

// mostRead is the token that cross-attention of the last layer reads most in a step.
func (a written) mostRead(step int) string {
	m := a.Maps[len(a.Maps)-1]
	cols := m.Shape[len(m.Shape)-1]
	row := m.Values[step*cols:][:cols]
	best := 0
	for j, v := range row {
		if v > row[best] {
			best = j
		}
	}
	return fmt.Sprintf("%s %.3f", a.Tokens[best].Label, row[best])
}
