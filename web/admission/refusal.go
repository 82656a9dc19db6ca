package admission

import (
	"time"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// Refusal is the error of work that may not begin now.
type Refusal struct {
	After time.Duration // when it is worth asking again
	err   *fault.Error
}

// Refuse makes a Refusal of a message with the argument "seconds".
func Refuse(id string, after time.Duration) *Refusal {
	after = max(after, time.Second)
	return &Refusal{After: after, err: fault.Errorf(fault.Busy, id, "seconds", Seconds(after))}
}

// Seconds are whole seconds, from above.
func Seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Error returns the message.
func (r *Refusal) Error() string { return r.err.Error() }

// Unwrap gives the error with its kind.
func (r *Refusal) Unwrap() error { return r.err }

// Message is what the error says.
func (r *Refusal) Message() messages.Message { return r.err.Message() }

// RetryAfter is when it is worth asking again.
func (r *Refusal) RetryAfter() time.Duration { return r.After }
