package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/disk"
	"attnatlas/web/address"
	"attnatlas/web/match"
)

type matchCmd struct {
	weights
	modelFlag
	Mechanism string   `short:"m" help:"match.mechanism"`
	Passage   int      `help:"match.passage" placeholder:"NUMBER"`
	Lines     string   `type:"path" placeholder:"FILE" help:"match.lines"`
	JSON      bool     `help:"match.json"`
	Text      string   `arg:"" help:"match.text"`
	Passages  []string `arg:"" optional:"" help:"match.passages"`
}

// Run ranks texts by their similarity to a text.
func (c *matchCmd) Run(ctx context.Context, s streams) error {
	guests, err := c.invite()
	if err != nil {
		return err
	}
	if c.Lines != "" {
		content, err := disk.Read(c.Lines, mostLines)
		if err != nil {
			return wrong("batch-file", "file", c.Lines, "cause", err.Error())
		}
		c.Passages = append(c.Passages, string(content))
	}
	q := url.Values{address.Text: {c.Text}, "passages": {strings.Join(c.Passages, "\n")}}
	if c.Mechanism == "" && len(guests) > 0 {
		c.Mechanism = guests[0]
	}
	if c.Mechanism != "" {
		q.Set(address.Mechanisms, c.Mechanism)
	}
	if c.Passage != 0 {
		q.Set("passage", strconv.Itoa(c.Passage))
	}
	return printAnswer(ctx, c.weights, s, request{path: "/api/v1/match", query: q, asJSON: c.JSON}, tellMatch)
}

// tellMatch lists the texts by their scores.
func tellMatch(w io.Writer, m match.Match) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for rank, number := range m.Ranking {
		p := m.Passages[number-1]
		fmt.Fprintf(table, "%d\t%.6f\t%s\n", rank+1, p.Score, p.Text)
	}
	return table.Flush()
}
