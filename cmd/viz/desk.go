package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/desk"
)

type deskCmd struct {
	weights
	Text      string   `short:"t" help:"text" placeholder:"TEXT"`
	Mechanism string   `short:"m" required:"" help:"desk.mechanism"`
	Layer     int      `help:"explain.layer"`
	Head      string   `help:"explain.head"`
	Share     []string `help:"desk.share" placeholder:"LAYER.PART=SHARE"`
	Rank      int      `help:"desk.rank" placeholder:"NUMBER"`
	Mask      string   `help:"mask" placeholder:"MASK"`
	Cut       string   `help:"cut" placeholder:"CUTS"`
	JSON      bool     `help:"desk.json"`
}

// Run prints how changes of a model's computation change its loss and predictions.
func (c *deskCmd) Run(ctx context.Context, s streams) error {
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	q.Set(address.Mechanisms, c.Mechanism)
	for _, set := range c.Share {
		of, share, _ := strings.Cut(set, "=")
		q.Add(desk.Share+of, share)
	}
	if c.Rank != 0 {
		q.Set(desk.Rank, strconv.Itoa(c.Rank))
	}
	return printAnswer(ctx, c.weights, s, request{path: "/api/v1/desk", query: q, asJSON: c.JSON}, tellDesk)
}

// tellDesk prints the results of the model as trained next to those with the changes.
func tellDesk(w io.Writer, d desk.Desk) error {
	for i, learned := range d.Learned.Shares {
		for k, part := range d.Parts {
			fmt.Fprintln(w, say("desk.share", "layer", i+1, "part", part, "learned", brief(float64(learned[k])), "changed",
				brief(float64(d.Changed.Shares[i][k]))))
		}
	}
	if len(d.Singular) > 0 {
		var values []string
		for _, v := range d.Singular {
			values = append(values, messages.Number(v))
		}
		fmt.Fprintln(w, say("desk.singular", "layer", d.Layer, "head", d.Head, "values", strings.Join(values, " ")))
	}
	if r := d.Running; r != nil {
		_, err := fmt.Fprintln(w, say("desk.running", "layer", d.Layer, "head", d.Head, "width", r.Width, "apart",
			messages.Number(r.Apart), "model", messages.Number(r.Model)))
		return err
	}
	fmt.Fprintln(w, say("desk.loss", "pieces", d.Pieces, "learned", strconv.FormatFloat(d.Learned.Loss, 'f', 3, 64),
		"changed", strconv.FormatFloat(d.Changed.Loss, 'f', 3, 64)))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, say("desk.head"))
	for _, word := range d.Words {
		written := strings.Join(d.Tokens[word.Place-1:word.Place-1+word.Tokens], "")
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", written, brief(word.Learned.Truth), brief(word.Changed.Truth),
			word.Learned.Guess, word.Changed.Guess)
	}
	return table.Flush()
}
