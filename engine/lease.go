package engine

import (
	"context"
	"time"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// lease lets a long computation share the slots. It holds a slot from one next until the following next or end.
type lease struct {
	ctx   context.Context
	slots chan struct{}
	held  bool
}

// next releases the slot to other computations and waits for another one.
func (l *lease) next() error {
	l.end()
	if err := take(l.ctx, l.slots); err != nil {
		return err
	}
	l.held = true
	return nil
}

func (l *lease) end() {
	if l.held {
		l.held = false
		<-l.slots
	}
}

// promptly is the longest time that something takes without waiting.
const promptly = 50 * time.Millisecond

// lend runs do, which may wait for a client or for memory. If it takes long, others get the slot meanwhile.
func (l *lease) lend(do func() error) error {
	lent := make(chan struct{})
	timer := time.AfterFunc(promptly, func() {
		l.end()
		close(lent)
	})
	ended := false
	defer func() { // if do panics, only one of the two ends the lease
		if !ended && !timer.Stop() {
			<-lent
		}
	}()
	err := do()
	ended = true
	if timer.Stop() {
		return err
	}
	<-lent
	if err != nil {
		return err
	}
	return l.next()
}

// take waits for a place in a semaphore. The error is Busy if ctx ends first.
func take(ctx context.Context, places chan struct{}) error {
	if ctx.Err() == nil {
		select {
		case places <- struct{}{}:
			return nil
		case <-ctx.Done():
		}
	}
	return &fault.Error{Kind: fault.Busy, Msg: messages.New("error.busy"), Err: ctx.Err()}
}
