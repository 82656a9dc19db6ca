package engine

import (
	"context"
	"time"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// lease lets a long computation share the slots: it has one between next and
// the next next, or end.
type lease struct {
	ctx   context.Context
	slots chan struct{}
	held  bool
}

// next gives the slot to whoever waits for it and waits for another.
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

// promptly is how long something takes at most that does not wait.
const promptly = 50 * time.Millisecond

// lend does something that may wait, for a client or for memory. If it does, others get the slot meanwhile.
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

// take waits for a place in a semaphore.
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
