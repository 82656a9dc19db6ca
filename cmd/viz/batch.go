package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"

	"attnatlas/engine/disk"
	"attnatlas/web/address"

	"github.com/schollz/progressbar/v3"
)

// mostLines limits the number of lines in the file of a batch.
const mostLines = 16 << 20

// place is the character in a file name that the number of the text replaces.
const place = "*"

// batch draws a figure for every line of a file that is not empty. It reports texts that cannot be drawn, and
// continues with the others.
func (c *renderCmd) batch(ctx context.Context, s streams, path string, q url.Values) error {
	texts, err := c.lines()
	if err != nil {
		return err
	}
	if strings.Count(c.Out, place) != 1 {
		return wrong("batch-out", "file", c.Out)
	}
	srv, err := c.server(slog.New(slog.NewTextHandler(s.err, nil)))
	if err != nil {
		return err
	}
	bar, missed := barOf(s.err, len(texts), progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true)), 0
	for i, text := range texts {
		q.Set(address.Text, text)
		file := strings.Replace(c.Out, place, fmt.Sprintf("%0*d", len(fmt.Sprint(len(texts))), i+1), 1)
		body, err := askServer(ctx, srv, path, q)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = disk.Replace(file, func(w io.Writer) error { _, err := w.Write(body); return err })
		}
		_ = bar.Add(1) // an error concerns only the display
		if err != nil {
			missed++
			fmt.Fprintln(s.err, say("batch.missed", "number", i+1, "cause", err.Error()))
			continue
		}
		if _, err := fmt.Fprintln(s.out, file); err != nil {
			return err
		}
	}
	if missed > 0 {
		return wrong("batch-missed", "missed", missed, "all", len(texts))
	}
	return nil
}

// lines returns the texts of a batch.
func (c *renderCmd) lines() ([]string, error) {
	content, err := disk.Read(c.Lines, mostLines)
	if err != nil {
		return nil, wrong("batch-file", "file", c.Lines, "cause", err.Error())
	}
	var texts []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			texts = append(texts, line)
		}
	}
	if len(texts) == 0 {
		return nil, wrong("batch-empty", "file", c.Lines)
	}
	return texts, nil
}
