package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/disk"
	"attnatlas/engine/huggingface/tokenizers"
)

type tokensCmd struct {
	Model string `required:"" type:"path" placeholder:"DIR" help:"tokens.model"`
	Lines string `type:"path" placeholder:"FILE" help:"tokens.lines"`
	JSON  bool   `help:"tokens.json"`
	Text  string `arg:"" optional:"" help:"text"`
}

// Run prints the tokens of a text, or of every line of a file.
func (c *tokensCmd) Run(ctx context.Context, s streams) error {
	t, err := tokenizers.Open(c.Model)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Model, err)
	}
	texts, err := c.texts(ctx)
	if err != nil {
		return err
	}
	show := printTokens
	if c.JSON {
		show = printTokensJSON
	}
	out := bufio.NewWriter(s.out)
	for number, text := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		tokens, err := t.EncodeDeclared(text)
		if err != nil {
			return wrong("tokens-line", "number", number+1, "cause", err.Error())
		}
		if err := show(out, text, tokens); err != nil {
			return err
		}
	}
	return out.Flush()
}

// texts returns the lines of the file, the text of the command line, or standard input.
func (c *tokensCmd) texts(ctx context.Context) ([]string, error) {
	switch {
	case c.Lines != "" && c.Text != "":
		return nil, wrong("lines-alone")
	case c.Lines != "":
		content, err := disk.Read(c.Lines, mostLines)
		if err != nil {
			return nil, wrong("batch-file", "file", c.Lines, "cause", err.Error())
		}
		return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n"), nil
	case c.Text != "":
		return []string{c.Text}, nil
	}
	content, err := unless(ctx, func() ([]byte, error) {
		return io.ReadAll(io.LimitReader(os.Stdin,
			tokenizers.LongestText+1))
	})
	return []string{strings.TrimSuffix(string(content), "\n")}, err
}

// printTokensJSON prints the tokens of one text on one line.
func printTokensJSON(w io.Writer, _ string, tokens []tokenizers.Token) error {
	line := struct {
		IDs     []int    `json:"ids"`
		Tokens  []string `json:"tokens"`
		Offsets [][2]int `json:"offsets"`
	}{make([]int, len(tokens)), make([]string, len(tokens)), make([][2]int, len(tokens))}
	for i, t := range tokens {
		line.IDs[i], line.Tokens[i], line.Offsets[i] = t.ID, t.Text, [2]int{t.Start, t.End}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}

// printTokens prints a table of the tokens of one text.
func printTokens(w io.Writer, text string, tokens []tokenizers.Token) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns(table, "cli.tokens.columns")
	for _, t := range tokens {
		part := ""
		if t.Start < t.End {
			part = strconv.Quote(text[t.Start:t.End])
		}
		fmt.Fprintf(table, "%d\t%s\t%d–%d\t%s\t\n", t.ID, strconv.Quote(t.Text), t.Start, t.End, part)
	}
	return table.Flush()
}
