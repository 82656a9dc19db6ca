package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
)

type attendCmd struct {
	view
	Mechanism []string `short:"m" help:"Mechanisms and stacks, such as dense,fastformer,bert; without it the four of the wall."`
	Map       []string `help:"Maps, such as weights, influence (how much each output moves when an input moves) or rollout (which words each word comes from); without it, all that the mechanism computes." placeholder:"NAME"`
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
		Note      string        // of this text's maps
		Written   string        // by an encoder–decoder
		Maps      []attendedMap // of a stack itself
		Guesses   []attendedGuess
		Charges   []struct {
			Name  string
			Value float64
		}
		// Predictions are words that the model expects, with the number of a token from 0.
		Predictions []attendedWords
		Layers      []struct {
			Name string
			Maps []attendedMap
		}
	}
}

type attendedGuess struct {
	Task    string
	Classes []struct {
		Name string
		P    float64
	}
}

type attendedWords struct {
	Token int
	Next  bool
	Words []attendedWord // the likeliest first
}

type attendedWord struct {
	Piece string
	P     float64
}

type attendedMap struct {
	Name    string
	Kind    string
	Axes    []string
	Shape   []int
	Labels  [][]string
	Classes []string
	Values  []float64
}

const strongest = 3 // columns, classes or words that a summary names for each row

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
		if m.Note != "" {
			fmt.Fprintf(w, "%s: %s\n", m.ID, m.Note)
		}
		for _, t := range m.Maps {
			fmt.Fprintf(w, "%s, %s\n", m.ID, t.Name)
			t.summarise(w, a)
		}
		for _, l := range m.Layers {
			for _, t := range l.Maps {
				fmt.Fprintf(w, "%s, %s, %s\n", m.ID, l.Name, t.Name)
				t.summarise(w, a)
			}
		}
		if len(m.Predictions) > 0 {
			fmt.Fprintf(w, "%s, expected words\n", m.ID)
		}
		for _, p := range m.Predictions {
			p.summarise(w, a)
		}
		if m.Written != "" {
			fmt.Fprintf(w, "%s, its encoder's maps; its decoder writes (viz write shows how)\n  %s\n", m.ID, m.Written)
		}
		for _, g := range m.Guesses {
			fmt.Fprintf(w, "%s, %s\n  %s\n", m.ID, g.Task, g.likeliest())
		}
		for _, c := range m.Charges {
			fmt.Fprintf(w, "%s, %s cost\n  %s\n", m.ID, c.Name, strconv.FormatFloat(c.Value, 'g', 3, 64))
		}
	}
	return nil
}

// likeliest names the most probable classes.
func (g attendedGuess) likeliest() string {
	var parts []string
	for _, c := range g.Classes[:min(strongest, len(g.Classes))] {
		parts = append(parts, c.Name+" "+brief(c.P))
	}
	return strings.Join(parts, " · ")
}

// summarise prints the likeliest words of one place.
func (p attendedWords) summarise(w io.Writer, a attended) {
	place := "behind "
	if p.Next {
		place = "after "
	}
	fmt.Fprintf(w, "  %-16s %s\n", place+a.Tokens[p.Token].Label, likeliest(p.Words))
}

// likeliest names the first words of a list with their probabilities.
func likeliest(words []attendedWord) string {
	var parts []string
	for _, word := range words[:min(strongest, len(words))] {
		parts = append(parts, fmt.Sprintf("%s %.3f", word.Piece, word.P))
	}
	return strings.Join(parts, " · ")
}

// summarise prints a line for each row.
func (t attendedMap) summarise(w io.Writer, a attended) {
	cols := t.Shape[len(t.Shape)-1]
	for i := 0; i*cols < len(t.Values); i++ {
		label := ""
		if len(t.Shape) == 2 {
			label = t.label(0, i, a)
			if t.Axes[0] == "query" {
				label += " " + verb(t.Name)
			}
		}
		fmt.Fprintf(w, "  %-16s %s\n", label, t.top(t.Values[i*cols:][:cols], a))
	}
}

// label names position i of an axis.
func (t attendedMap) label(axis, i int, a attended) string {
	switch {
	case axis < len(t.Labels) && i < len(t.Labels[axis]):
		return t.Labels[axis][i]
	case slices.Contains([]string{"query", "key", "token"}, t.Axes[axis]) && i < len(a.Tokens):
		return a.Tokens[i].Label
	}
	return t.Axes[axis] + " " + strconv.Itoa(i+1)
}

// verb is what a row of a map does with a column.
func verb(mapName string) string {
	switch mapName {
	case engine.Influence:
		return "moves with"
	case engine.Rollout:
		return "comes from"
	}
	return "reads"
}

// all says that a map is one row whose every value says something of its own: how many steps
// a word took is no share that only the largest would be worth naming of. Classes have no
// largest, either.
func (t attendedMap) all() bool {
	return t.Classes != nil || len(t.Axes) == 1 && (t.Kind == "count" || t.Kind == "gate")
}

// value is a number of a map in words: a class by its name, a count as it is counted.
func (t attendedMap) value(v float64) string {
	switch {
	case t.Classes != nil:
		return t.Classes[int(v)]
	case t.Kind == "count" && v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return brief(v)
}

// top names the largest columns of a row, or all in their order.
func (t attendedMap) top(row []float64, a attended) string {
	last := len(t.Axes) - 1
	var parts []string
	if t.all() {
		for i, v := range row {
			parts = append(parts, t.label(last, i, a)+" "+t.value(v))
		}
		return strings.Join(parts, " · ")
	}
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
	for _, i := range order[:min(strongest, len(order))] {
		parts = append(parts, t.label(last, i, a)+" "+t.value(row[i]))
	}
	return strings.Join(parts, " · ")
}

// brief is a number with three decimals, or as many as a small one needs.
func brief(v float64) string {
	if v != 0 && math.Abs(v) < 0.0005 {
		return strconv.FormatFloat(v, 'e', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}
