package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode"

	"attnatlas/engine/disk"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
)

type inspectCmd struct {
	File string `arg:"" type:"path" help:"inspect.file"`
}

// Run prints the origin of a figure, and the command that makes it again.
func (c *inspectCmd) Run(ctx context.Context, s streams) error {
	file, err := unless(ctx, func() ([]byte, error) { return disk.Read(c.File, figure.MostFileBytes) })
	if errors.Is(err, fs.ErrNotExist) {
		return wrong("no-file", "file", c.File)
	}
	if err != nil {
		return err
	}
	meta, err := figure.OriginOf(file)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	source := ""
	for _, m := range meta {
		switch m.Key {
		case "Command": // the file may contain any command: print the one that follows from the address
			continue
		case "Source":
			source = m.Value
		}
		if _, err := fmt.Fprintf(s.out, "%s: %s\n", printable(m.Key), printable(m.Value)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(s.out, "Command: %s\n", exhibit.Command(source))
	return err
}

// printable removes characters that control a terminal from a text of the file. It indents the lines, so that none
// looks like a line of ours.
func printable(said string) string {
	var b strings.Builder
	for _, r := range said {
		switch quoted := strconv.QuoteRuneToGraphic(r); {
		case r == '\n':
			b.WriteString("\n  ")
		case unicode.IsGraphic(r):
			b.WriteRune(r)
		default:
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}
