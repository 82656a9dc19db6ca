package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"attnatlas/engine/disk"
	"attnatlas/engine/figure"
)

type inspectCmd struct {
	File string `arg:"" type:"path" help:"${inspect_file}"`
}

// Run prints where a figure comes from, and the command that makes it again.
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
	for _, m := range meta {
		if _, err := fmt.Fprintf(s.out, "%s: %s\n", m.Key, m.Value); err != nil {
			return err
		}
	}
	return nil
}
