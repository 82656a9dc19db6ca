package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/wall"
)

type raceCmd struct {
	weights
	Text      string   `arg:"" optional:"" help:"text"`
	Hidden    string   `name:"hide" help:"race.hide" placeholder:"WORD"`
	Every     bool     `help:"race.every"`
	Mechanism []string `short:"m" help:"race.mechanism"`
	Mask      string   `help:"mask" placeholder:"MASK"`
	Cut       string   `help:"cut" placeholder:"CUTS"`
	JSON      bool     `help:"race.json"`
}

// Run prints the predictions of models for masked words.
func (c *raceCmd) Run(ctx context.Context, s streams) error {
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	if c.Hidden != "" {
		q.Set(address.Hide, c.Hidden)
	}
	if c.Every {
		q.Set(address.Race, "all")
	}
	if ids := written(c.Mechanism); ids != "" {
		q.Set(address.Mechanisms, ids)
	}
	tell := tellRace
	if c.Every {
		tell = tellScores
	}
	return printAnswer(ctx, c.weights, s, request{path: "/api/v1/race", query: q, asJSON: c.JSON}, tell)
}

// tellRace prints a table for each hidden word.
func tellRace(w io.Writer, a wall.Race) error {
	for _, word := range a.Words {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		head := "race.head"
		if word.Hidden == "" {
			head = "race.head-unknown"
		}
		fmt.Fprintln(table, say(head))
		for _, m := range word.Models {
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s%.2f\n", m.Place, m.ID, m.Guess, brief(m.P), behind(m), m.Loss)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		for _, out := range word.Out {
			fmt.Fprintf(w, "%s: %s\n", out.ID, out.Error)
		}
	}
	return nil
}

// behind returns the end of a line about the masked word, if the word is known.
func behind(m wall.RaceModel) string {
	if m.Hidden == nil {
		return ""
	}
	verdict, rank := "race.wrong", 0
	if m.Right {
		verdict = "race.right"
	}
	for _, p := range m.Pieces {
		rank = max(rank, p.Rank)
	}
	return fmt.Sprintf("%s\t%s\t%d\t", messages.New(verdict), brief(*m.Hidden), rank)
}

// tellScores prints how many words each model predicts.
func tellScores(w io.Writer, a wall.Race) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, say("race.scores"))
	for _, s := range a.Scores {
		fmt.Fprintf(table, "%s\t%s\t%.2f\n", s.ID, messages.New("race.of", "right", s.Right, "words", s.Words), s.Surprise)
	}
	return table.Flush()
}
