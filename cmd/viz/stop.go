package main

import "context"

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
