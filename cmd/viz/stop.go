package main

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"time"
)

// unless runs what cannot be told to stop, and leaves it behind when the context ends first:
// the program is about to end.
func unless[T any](ctx context.Context, do func() (T, error)) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.result, o.err = do()
		done <- o
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		return result, ctx.Err()
	}
}

// moment is how long what is written when the context ends, or later, may wait for its reader.
const moment = time.Second

// ending is where a command writes. A reader who takes nothing, such as a pager, does not keep a program from ending
// on the first signal: what it does not take within a moment is left, and so is all that follows.
type ending struct {
	ctx  context.Context
	to   io.Writer
	left atomic.Bool
}

// Write fails with the error of the context when something is left.
func (e *ending) Write(p []byte) (int, error) {
	if e.left.Load() {
		return 0, e.ctx.Err()
	}
	type outcome struct {
		n   int
		err error
	}
	done, own := make(chan outcome, 1), bytes.Clone(p) // the caller's may change when it is left behind
	go func() {
		n, err := e.to.Write(own)
		done <- outcome{n, err}
	}()
	select {
	case o := <-done:
		return o.n, o.err
	case <-e.ctx.Done():
	}
	select {
	case o := <-done:
		return o.n, o.err
	case <-time.After(moment):
		e.left.Store(true)
		return 0, e.ctx.Err()
	}
}

// failed is an error, or that of the context when something is left.
func (e *ending) failed(err error) error {
	if err == nil && e.left.Load() {
		return e.ctx.Err()
	}
	return err
}
