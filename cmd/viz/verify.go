package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"attnatlas/engine/huggingface"
	"attnatlas/engine/verify"
)

type verifyCmd struct {
	Out   string   `help:"Folder to write what was computed to, as MECHANISM/CASE.safetensors." placeholder:"DIR"`
	Cases []string `arg:"" name:"case" help:"Case folders (config.json, weights.safetensors, io.safetensors), or models of the transformers library (config.json, model.safetensors)."`
}

// Run compares every case and opens every model; the error is non-nil when any
// differs or cannot be opened, or nothing was done.
func (c *verifyCmd) Run(ctx context.Context, s streams) error {
	compared, skipped, differ, models := 0, 0, 0, 0
	var failed []error
	for _, dir := range c.Cases {
		if err := ctx.Err(); err != nil {
			return err
		}
		if huggingface.Is(dir) {
			models++
			if err := library(dir, s.out); err != nil {
				fmt.Fprintln(s.out, err)
				failed = append(failed, err)
			}
			continue
		}
		o, err := c.one(dir)
		if err != nil {
			fmt.Fprintln(s.out, err)
			failed = append(failed, err)
			continue
		}
		o.Print(s.out)
		compared, skipped = compared+len(o.Rows), skipped+o.NotCompared()
		if !o.OK() {
			differ++
		}
	}
	if models < len(c.Cases) {
		fmt.Fprintf(s.out, "%d of %d cases agree; %d tensors compared, %d not compared\n",
			len(c.Cases)-differ-len(failed), len(c.Cases), compared, skipped)
	}
	switch {
	case differ > 0 || len(failed) > 0:
		return fmt.Errorf("%d of %d cases failed", differ+len(failed), len(c.Cases))
	case compared == 0 && models == 0:
		return errors.New("nothing was compared")
	}
	return nil
}

func (c *verifyCmd) one(dir string) (*verify.Outcome, error) {
	cs, err := verify.Open(dir)
	if err != nil {
		return nil, err
	}
	o, err := verify.Run(cs)
	if err != nil || c.Out == "" {
		return o, err
	}
	return o, o.Save(c.Out, func(path string) (io.WriteCloser, error) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		return os.Create(path)
	})
}
