package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"attnatlas/engine"
)

type attendCmd struct {
	view
	Mechanism []string `short:"m" help:"Mechanisms, such as dense,fastformer; without it the four of the wall."`
	Map       []string `help:"Maps, such as weights, or influence: how much each output moves when an input moves; without it, all that the mechanism computes." placeholder:"NAME"`
	JSON      bool     `help:"Print JSON with every value, as GET /api/v1/attend does."`
}

// Run prints what the mechanisms read.
func (c *attendCmd) Run(ctx context.Context, s streams) error {
	q, err := c.query(stdin())
	if err != nil {
		return err
	}
	set(q, "m", strings.Join(c.Mechanism, ","))
	set(q, "map", strings.Join(c.Map, ","))
	if !c.JSON && c.Head == "" {
		q.Set("head", "mean")
	}
	body, err := c.ask(ctx, s, "/api/v1/attend", q)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = fmt.Fprintf(s.out, "%s\n", body)
		return err
	}
	return summarise(s.out, body)
}

// attended is the part of the answer that a summary needs.
type attended struct {
	Tokens     []struct{ Label string }
	Mechanisms []struct {
		ID, Error string
		Layers    []struct {
			Layer int
			Maps  []struct {
				Name   string
				Axes   []string
				Shape  []int
				Values []float64
			}
		}
	}
}

const strongest = 3 // columns that a summary names for each row

// summarise prints the strongest columns of each row of each map.
func summarise(w io.Writer, body []byte) error {
	var a attended
	if err := json.Unmarshal(body, &a); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	for _, m := range a.Mechanisms {
		if m.Error != "" {
			fmt.Fprintf(w, "%s: %s\n", m.ID, m.Error)
			continue
		}
		for _, l := range m.Layers {
			for _, t := range l.Maps {
				fmt.Fprintf(w, "%s, layer %d, %s\n", m.ID, l.Layer, t.Name)
				cols := t.Shape[len(t.Shape)-1]
				for i := 0; i*cols < len(t.Values); i++ {
					label := ""
					if len(t.Shape) == 2 && t.Axes[0] == "query" {
						label = a.Tokens[i].Label + " " + verb(t.Name)
					}
					fmt.Fprintf(w, "  %-16s %s\n", label, top(t.Values[i*cols:][:cols], a))
				}
			}
		}
	}
	return nil
}

// verb is what a row of a map does with a column.
func verb(mapName string) string {
	if mapName == engine.Influence {
		return "moves with"
	}
	return "reads"
}

func top(row []float64, a attended) string {
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case row[i] > row[j]:
			return -1
		case row[i] < row[j]:
			return 1
		}
		return 0
	})
	var parts []string
	for _, i := range order[:min(strongest, len(order))] {
		parts = append(parts, fmt.Sprintf("%s %.3f", a.Tokens[i].Label, row[i]))
	}
	return strings.Join(parts, " · ")
}
