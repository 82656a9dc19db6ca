package main

import (
	"context"
	"fmt"
	"io"

	"attnatlas/engine/huggingface"
	"attnatlas/engine/messages"
	"attnatlas/engine/verify"
)

type verifyCmd struct {
	Out   string   `help:"${verify_out}" placeholder:"DIR"`
	Cases []string `arg:"" name:"case" help:"${verify_cases}"`
}

// verified counts what became of cases and models.
type verified struct {
	models, failed, rows, missing int
}

// Run compares every case and opens every model; the error is non-nil when any
// differs or cannot be opened, or nothing was done.
func (c *verifyCmd) Run(ctx context.Context, s streams) error {
	var sum verified
	for _, dir := range c.Cases {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.one(dir, s.out, &sum); err != nil {
			fmt.Fprintln(s.out, err)
			sum.failed++
		}
	}
	if sum.models < len(c.Cases) {
		fmt.Fprintln(s.out, messages.New("verify.summary", "agree", len(c.Cases)-sum.failed, "cases", len(c.Cases), "rows", sum.rows, "missing", sum.missing))
	}
	switch {
	case sum.failed > 0:
		return messages.Errorf("verify.failed", "failed", sum.failed, "cases", len(c.Cases))
	case sum.rows == 0 && sum.models == 0:
		return messages.Errorf("verify.nothing")
	}
	return nil
}

// one compares a case or opens a model. Whatever is wrong with it, others can be
// looked at.
func (c *verifyCmd) one(dir string, w io.Writer, sum *verified) (err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = messages.Errorf("verify.broken", "folder", dir, "what", fmt.Sprint(wrong))
		}
	}()
	if huggingface.Is(dir) {
		sum.models++
		return library(dir, w)
	}
	cs, err := verify.Open(dir)
	if err != nil {
		return err
	}
	o, err := verify.Run(cs)
	if err == nil && c.Out != "" {
		err = o.Save(c.Out)
	}
	if err != nil {
		return err
	}
	o.Print(w)
	sum.rows, sum.missing = sum.rows+len(o.Rows), sum.missing+len(o.Missing)
	if !o.OK() {
		sum.failed++
	}
	return nil
}
