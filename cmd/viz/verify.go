package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"attnatlas/engine/huggingface"
	"attnatlas/engine/messages"
	"attnatlas/engine/verify"
)

type verifyCmd struct {
	Out   string   `help:"verify.out" placeholder:"DIR"`
	Cases []string `arg:"" name:"case" help:"verify.cases"`
}

// verified counts the results of cases and models.
type verified struct {
	models, failed, rows, missing int
	left                          int           // cases that this program does not compute
	text                          *bytes.Buffer // output for one case
}

// Run compares every case and opens every model. It fails if one differs or cannot be opened, or if there is nothing
// to do.
func (c *verifyCmd) Run(ctx context.Context, s streams) error {
	var sum verified
	for _, dir := range c.Cases {
		if err := ctx.Err(); err != nil {
			return err
		}
		done, err := unless(ctx, func() (verified, error) { return c.one(dir) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := s.out.Write(done.text.Bytes()); err != nil {
			return err
		}
		if err != nil {
			fmt.Fprintln(s.out, oneLine(err))
			done.failed++
		}
		sum.add(done)
	}
	if cases := len(c.Cases) - sum.left; sum.models < cases {
		fmt.Fprintln(s.out, messages.New("verify.summary", "agree", cases-sum.failed, "cases", cases, "rows", sum.rows,
			"missing", sum.missing))
	}
	switch {
	case sum.failed > 0:
		return messages.Errorf("verify.failed", "failed", sum.failed, "cases", len(c.Cases))
	case sum.rows == 0 && sum.models == 0:
		return messages.Errorf("verify.nothing")
	}
	return nil
}

// add counts the result of another case.
func (v *verified) add(other verified) {
	v.models, v.failed, v.rows, v.missing = v.models+other.models, v.failed+other.failed, v.rows+other.rows,
		v.missing+other.missing
	v.left += other.left
}

// oneLine removes line breaks, which names and values from files may have, from an error.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// one compares a case or opens a model. After an error, the caller continues with the others.
func (c *verifyCmd) one(dir string) (v verified, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = messages.Errorf("verify.broken", "folder", dir, "what", fmt.Sprint(wrong))
		}
	}()
	v.text = &bytes.Buffer{}
	if huggingface.Is(dir) {
		v.models++
		return v, library(dir, v.text)
	}
	cs, err := verify.Open(dir)
	if err != nil {
		return v, err
	}
	if why := cs.LeftOut(); !why.IsZero() {
		v.left++
		fmt.Fprintln(v.text, why)
		return v, nil
	}
	o, err := verify.Run(cs)
	if err == nil && c.Out != "" {
		err = o.Save(c.Out)
	}
	if err != nil {
		return v, err
	}
	o.Print(v.text)
	v.rows, v.missing = len(o.Rows), len(o.Missing)
	if !o.OK() {
		v.failed++
	}
	return v, nil
}
