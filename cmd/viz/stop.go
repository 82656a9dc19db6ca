package main

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"time"
)

// unless runs a function that cannot be cancelled, and abandons it if the context ends first, because the program is
// about to end.
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

// moment is how long a write may wait for its reader after the context has ended.
const moment = time.Second

// ending is the output of a command. A reader that takes nothing, such as a pager, must not keep the program from
// ending on the first signal: output that is not taken within a moment is dropped, with everything after it.
type ending struct {
	ctx  context.Context
	to   io.Writer
	left atomic.Bool
}

// Write fails with the error of the context if output is dropped.
func (e *ending) Write(p []byte) (int, error) {
	if e.left.Load() {
		return 0, e.ctx.Err()
	}
	type outcome struct {
		n   int
		err error
	}
	done, own := make(chan outcome, 1), bytes.Clone(p) // the caller may change its bytes after Write has returned
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

// failed returns an error, or that of the context if output was dropped.
func (e *ending) failed(err error) error {
	if err == nil && e.left.Load() {
		return e.ctx.Err()
	}
	return err
}
