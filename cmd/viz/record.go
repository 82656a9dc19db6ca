package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/recording"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/train"
)

type recordCmd struct {
	Models  []string `arg:"" optional:"" help:"record.models"`
	Data    string   `required:"" help:"train.data" placeholder:"DIR"`
	State   string   `default:"runs/state" help:"record.state"`
	Weights string   `default:"runs/weights" help:"record.weights"`
	Out     string   `help:"record.out" placeholder:"DIR"`
}

// Run takes recordings of finished trainings.
func (c *recordCmd) Run(ctx context.Context, s streams) error {
	if c.Out == "" {
		c.Out = c.Weights
	}
	ids := c.Models
	if len(ids) == 0 {
		ids = c.finished()
	}
	if len(ids) == 0 {
		return wrong("recordings", "state", c.State, "weights", c.Weights)
	}
	valid, err := unless(ctx, func() (*train.Corpus, error) {
		return train.Load(c.Data, train.Valid, tokenizer.Default(), train.LongestLabelled)
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.one(ctx, s, id, valid); err != nil {
			return err
		}
	}
	return nil
}

// finished returns the models whose training is complete and has snapshots.
func (c *recordCmd) finished() []string {
	var ids []string
	files, _ := os.ReadDir(c.Weights) // empty if there is no folder
	for _, f := range files {
		id, _, _ := strings.Cut(f.Name(), checkpoint.Extension)
		if _, err := os.Stat(train.Snapshot(c.stateOf(id), 0)); err == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (c *recordCmd) stateOf(id string) string {
	return filepath.Join(c.State, id+checkpoint.Extension)
}

func (c *recordCmd) one(ctx context.Context, s streams, id string, valid *train.Corpus) error {
	final, err := checkpoint.In(os.DirFS(c.Weights), id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong("unfinished", "model", id, "weights", c.Weights)
	case err != nil:
		return err
	}
	data, err := recording.Make(ctx, recording.Source{ID: id, Final: final, State: c.stateOf(id),
		Texts: recording.Texts(id), Valid: valid})
	if err != nil {
		return err
	}
	path := filepath.Join(c.Out, id+recording.Extension)
	if err := disk.Replace(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, say("record.done", "file", path, "bytes", len(data)))
	return err
}
