package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

type attendCmd struct {
	view
	modelFlag
	Mechanism []string `short:"m" help:"attend.mechanism"`
	Map       []string `help:"attend.map" placeholder:"NAME"`
	Exact     bool     `help:"exact"`
	JSON      bool     `help:"attend.json"`
	Stream    bool     `help:"attend.stream"`
	Out       string   `short:"o" type:"path" help:"attend.out" placeholder:"FILE"`
	Half      bool     `help:"attend.half"`
	Rows      []int    `help:"attend.rows" placeholder:"NUMBERS"`
	Decoder   string   `name:"decoder-text" help:"attend.decoder" placeholder:"TEXT"`
}

// Run prints what the mechanisms attend to.
func (c *attendCmd) Run(ctx context.Context, s streams) error {
	q, err := query(ctx, c)
	if err != nil {
		return err
	}
	guests, err := c.invite()
	if err != nil {
		return err
	}
	if len(c.Mechanism) == 0 {
		c.Mechanism = guests
	}
	switch {
	case c.Stream || c.Out != "":
		if len(c.Mechanism) == 0 {
			c.Mechanism = engine.Default[:]
		}
		return c.attentionWeights(ctx, s, q)
	case len(c.Rows) > 0 || c.Half || c.Decoder != "":
		return wrong("rows-alone")
	}
	if ids := written(c.Mechanism); ids != "" {
		q.Set(address.Mechanisms, ids)
	}
	if !c.JSON && c.Head == "" {
		q.Set(address.Head, exhibit.HeadName(exhibit.Auto))
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

const strongest = 3 // columns, classes or words that a summary names for each row

// summarise prints the strongest columns of each row of each map.
func summarise(w io.Writer, body []byte) error {
	var a api.Attend
	if err := json.Unmarshal(body, &a); err != nil {
		return err
	}
	for _, m := range a.Mechanisms {
		if m.Error != "" {
			fmt.Fprintf(w, "%s: %s\n", m.ID, m.Error)
			continue
		}
		if m.Note != "" {
			fmt.Fprintf(w, "%s: %s\n", m.ID, m.Note)
		}
		summariseMaps(w, m, a.Tokens)
		summariseAnswers(w, m, a)
	}
	return nil
}

// summariseMaps prints the maps of a model, and those of its layers.
func summariseMaps(w io.Writer, m api.AttendMechanism, tokens []api.AttendToken) {
	for _, t := range m.Maps {
		fmt.Fprintf(w, "%s, %s\n", m.ID, t.Name)
		summariseMap(w, t, tokens)
	}
	for _, l := range m.Layers {
		for _, t := range l.Maps {
			fmt.Fprintf(w, "%s, %s, %s\n", m.ID, where(l), t.Name)
			summariseMap(w, t, tokens)
		}
	}
}

// summariseAnswers prints a model's predictions for the text, and their cost.
func summariseAnswers(w io.Writer, m api.AttendMechanism, a api.Attend) {
	if m.Tokens != nil {
		a.Tokens = m.Tokens
	}
	if len(m.Predictions) > 0 {
		fmt.Fprintln(w, say("attend.expected", "model", m.ID))
	}
	for _, p := range m.Predictions {
		summariseWords(w, p, a.Tokens)
	}
	if m.Written != "" {
		fmt.Fprintf(w, "%s\n  %s\n", say("attend.writes", "model", m.ID), m.Written)
	}
	for _, g := range m.Guesses {
		if guess := guessOf(g); exhibit.Means(guess, a.Text) {
			fmt.Fprintf(w, "%s, %s\n  %s\n", m.ID, exhibit.TaskName(guess), likeliestClasses(g))
		}
	}
	for _, c := range m.Charges {
		fmt.Fprintf(w, "%s\n  %s\n", say("attend.cost", "model", m.ID, "name", c.Name),
			strconv.FormatFloat(c.Value, 'g', 3, 64))
	}
}

// where names the layer of maps, and the head if they belong to one.
func where(l api.AttendLayer) string {
	if l.Head == exhibit.Mean {
		return l.Name
	}
	return l.Name + ", " + messages.New("head.number", "number", l.Head).String()
}

// guessOf converts a prediction of the API to the engine's type.
func guessOf(g api.AttendGuess) predict.Guess {
	guess := predict.Guess{Task: g.Task, Token: g.Token, Apart: g.Apart}
	for _, c := range g.Classes {
		guess.Classes = append(guess.Classes, predict.Class(c))
	}
	return guess
}

// likeliestClasses names the most probable classes.
func likeliestClasses(g api.AttendGuess) string {
	var parts []string
	for _, c := range g.Classes[:min(strongest, len(g.Classes))] {
		parts = append(parts, exhibit.ClassName(c.Name).String()+" "+brief(c.P))
	}
	return strings.Join(parts, " · ")
}

// summariseWords prints the most probable words for one position.
func summariseWords(w io.Writer, p api.AttendPrediction, tokens []api.AttendToken) {
	place := "attend.for"
	if p.Next {
		place = "attend.after"
	}
	fmt.Fprintf(w, "  %-16s %s\n", say(place, "word", tokens[p.Token].Label), likeliest(p.Words))
}

// likeliest names the first words of a list with their probabilities.
func likeliest(words []api.AttendWord) string {
	var parts []string
	for _, word := range words[:min(strongest, len(words))] {
		parts = append(parts, fmt.Sprintf("%s %.3f", word.Piece, word.P))
	}
	return strings.Join(parts, " · ")
}

// mapTable is a map of an answer with the labels of its tokens.
type mapTable struct {
	api.AttendMap
	tokens []api.AttendToken
}

// summariseMap prints a line for each row.
func summariseMap(w io.Writer, m api.AttendMap, tokens []api.AttendToken) {
	t := mapTable{m, tokens}
	cols := t.Shape[len(t.Shape)-1]
	for i := 0; i*cols < len(t.Values); i++ {
		label := ""
		if len(t.Shape) == 2 {
			label = t.label(0, i)
			if t.Axes[0] == "query" {
				label = say("attend.row", "word", label, "verb", exhibit.ShowOf(t.Name).Verb())
			}
		}
		fmt.Fprintf(w, "  %-16s %s\n", label, t.top(i, t.Values[i*cols:][:cols]))
	}
}

// label returns the label of position i of an axis.
func (t mapTable) label(axis, i int) string {
	switch {
	case axis < len(t.Labels) && i < len(t.Labels[axis]):
		return t.Labels[axis][i]
	case slices.Contains([]string{"query", "key", "token"}, t.Axes[axis]) && i < len(t.tokens):
		return t.tokens[i].Label
	}
	return t.Axes[axis] + " " + strconv.Itoa(i+1)
}

// all reports whether every value of a map of one row is worth printing. That is so for counts of steps, which are
// not shares, and for classes, which have no largest value.
func (t mapTable) all() bool {
	return t.Classes != nil || len(t.Axes) == 1 && (t.Kind == "count" || t.Kind == "gate")
}

// value prints a number of a map: a class by its name, and a count as a whole number.
func (t mapTable) value(v float64) string {
	switch {
	case t.Classes != nil:
		return t.Classes[int(v)]
	case t.Kind == "count" && v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return brief(v)
}

// top names the largest columns of row i that the filter keeps, or all columns in their order.
func (t mapTable) top(i int, row api.Values) string {
	last := len(t.Axes) - 1
	var parts []string
	if t.all() {
		for i, v := range row {
			parts = append(parts, t.label(last, i)+" "+t.value(float64(v)))
		}
		return strings.Join(parts, " · ")
	}
	var order []int
	for c := range row {
		if t.Aside == "" || t.Aside[i*len(row)+c] == '0' {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(row[j], row[i]) })
	for _, i := range order[:min(strongest, len(order))] {
		parts = append(parts, t.label(last, i)+" "+t.value(float64(row[i])))
	}
	return strings.Join(parts, " · ")
}

// brief formats a number with three decimals, or with more if it is small.
func brief(v float64) string {
	if v != 0 && math.Abs(v) < 0.0005 {
		return strconv.FormatFloat(v, 'e', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}
