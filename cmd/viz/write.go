package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/url"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/mechanism"
	continuing "attnatlas/web/write"
)

type writeCmd struct {
	weights
	modelFlag
	Text string `short:"t" help:"text" placeholder:"TEXT"`
	Task string `help:"write.task" enum:",reverse,sort" default:"" placeholder:"TASK"`
	Cut  string `help:"cut" placeholder:"CUTS"`
	JSON bool   `help:"write.json"`

	Mechanism   string `short:"m" help:"write.mechanism" placeholder:"ID"`
	Words       string `help:"write.words" placeholder:"NUMBER"`
	Temperature string `help:"write.temperature" placeholder:"NUMBER"`
	TopK        string `name:"top-k" help:"write.topk" placeholder:"NUMBER"`
	Seed        string `help:"write.seed" placeholder:"NUMBER"`
	Take        string `help:"write.take" placeholder:"TOKEN.RANK,…"`
}

// continues holds the parameters of a text to be continued; if it is empty, the encoder–decoder writes.
func (c *writeCmd) continues() url.Values {
	v := url.Values{}
	for key, value := range map[string]string{
		address.Mechanisms: c.Mechanism, continuing.Words: c.Words, continuing.Temperature: c.Temperature,
		continuing.TopK: c.TopK, continuing.Seed: c.Seed, continuing.Take: c.Take,
	} {
		if value != "" && value != encoder.EncoderDecoder.ID {
			v.Set(key, value)
		}
	}
	return v
}

// Run prints the text that the encoder–decoder writes, or the text that a model of next words continues.
func (c *writeCmd) Run(ctx context.Context, s streams) error {
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	guests, err := c.invite()
	if err != nil {
		return err
	}
	if c.Mechanism == "" && len(guests) > 0 {
		c.Mechanism = guests[0]
	}
	if more := c.continues(); len(more) > 0 {
		if c.Task != "" || c.Cut != "" {
			return wrong("write-alone")
		}
		q.Del(continuing.Seed)
		maps.Copy(q, more)
		return printAnswer(ctx, c.weights, s, request{path: "/api/v1/continue", query: q, asJSON: c.JSON}, tellContinued)
	}
	if !c.JSON {
		q.Set(address.Map, engine.CrossPart)
		q.Set(address.Head, exhibit.HeadName(exhibit.Auto))
	}
	return printAnswer(ctx, c.weights, s, request{path: "/api/v1/write", query: q, asJSON: c.JSON}, tellWriting)
}

// tellWriting prints one line for each step: the written word, the alternatives, and the word of the text to which
// the last layer attends most.
func tellWriting(w io.Writer, a mechanism.Write) error {
	for i, step := range a.Steps {
		mark := " "
		if !step.Right {
			mark = "✕"
		}
		fmt.Fprintf(w, "%s %2d  %-14s %-48s %s\n", mark, i+1, step.Label, likeliest(step.Top),
			say("write.reads", "word", mostRead(a, i)))
	}
	last := a.Maps[len(a.Maps)-1]
	fmt.Fprintf(w, "\n%s\n%s\n", say("write.head", "layer", last.Layer, "head", last.Head),
		say("write.written", "text", a.Written))
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

// tellContinued prints one line for each written token, with its probability and the alternatives.
func tellContinued(w io.Writer, a continuing.Continue) error {
	for i, step := range a.Steps {
		fmt.Fprintf(w, "%3d  %-14s %.3f  %s\n", i+1, step.Label, step.P, likeliest(step.Top))
	}
	_, err := fmt.Fprintf(w, "\n%s\n%s\n", say("write.written", "text", a.Written), say("write.invents"))
	return err
}

// mostRead returns the token to which cross-attention of the last layer attends most in a step.
func mostRead(a mechanism.Write, step int) string {
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
