package admission

import (
	"time"

	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
)

// Refusal is the error of work that may not begin now.
type Refusal struct {
	After time.Duration // time until a retry makes sense
	err   *fault.Error
}

// Refuse returns a Refusal with a message whose argument is "seconds".
func Refuse(id string, after time.Duration) *Refusal {
	after = max(after, time.Second)
	return &Refusal{After: after, err: fault.Errorf(fault.Busy, id, "seconds", Seconds(after))}
}

// Seconds returns a duration in whole seconds, rounded up.
func Seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Error returns the message.
func (r *Refusal) Error() string { return r.err.Error() }

// Unwrap returns the error with its kind.
func (r *Refusal) Unwrap() error { return r.err }

// Message returns the text of the error for visitors.
func (r *Refusal) Message() messages.Message { return r.err.Message() }

// RetryAfter returns the time after which a retry makes sense.
func (r *Refusal) RetryAfter() time.Duration { return r.After }
