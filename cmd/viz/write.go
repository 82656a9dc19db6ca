package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

type writeCmd struct {
	weights
	Text string `short:"t" help:"${text}" placeholder:"TEXT"`
	Task string `help:"${write_task}" enum:",reverse,sort" default:"" placeholder:"TASK"`
	Cut  string `help:"${cut}" placeholder:"CUTS"`
	JSON bool   `help:"${write_json}"`
}

// Run prints what the encoder–decoder writes.
func (c *writeCmd) Run(ctx context.Context, s streams) error {
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	if !c.JSON {
		q.Set(address.Map, engine.CrossPart)
		q.Set(address.Head, exhibit.HeadName(exhibit.Auto))
	}
	body, err := c.ask(ctx, s, "/api/v1/write", q)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = s.out.Write(body)
		return err
	}
	return tellWriting(s.out, body)
}

// tellWriting prints one line for each step: what was written, what else was likely,
// and which word of the text the last layer read most for it.
func tellWriting(w io.Writer, body []byte) error {
	var a api.Write
	if err := json.Unmarshal(body, &a); err != nil {
		return err
	}
	for i, step := range a.Steps {
		mark := " "
		if !step.Right {
			mark = "✕"
		}
		fmt.Fprintf(w, "%s %2d  %-14s %-48s %s\n", mark, i+1, step.Label, likeliest(step.Top), say("write.reads", "word", mostRead(a, i)))
	}
	last := a.Maps[len(a.Maps)-1]
	fmt.Fprintf(w, "\n%s\n%s\n", say("write.head", "layer", last.Layer, "head", last.Head), say("write.written", "text", a.Written))
	if a.Whole != nil {
		fmt.Fprintln(w, say("write.whole", "text", *a.Whole))
	}
	switch {
	case a.Right:
		fmt.Fprintln(w, say("write.right"))
	case a.Stopped:
		fmt.Fprintln(w, say("write.wrong", "answer", a.Answer))
	default:
		fmt.Fprintln(w, say("write.stopped", "answer", a.Answer))
	}
	return nil
}

// mostRead is the token that cross-attention of the last layer reads most in a step.
func mostRead(a api.Write, step int) string {
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
