package engine

import (
	"errors"
	"fmt"
)

// Kind sorts the errors that a user can cause by what can be done about them.
type Kind uint8

const (
	Internal    Kind = iota // our bug; the user can do nothing
	Invalid                 // the request is malformed: a number out of range, an empty text
	NotFound                // no such mechanism, layer, head
	Unsupported             // well formed, but not defined for this mechanism: a mask, a length
	Busy                    // too much work at once; try again
)

var kindNames = [...]string{"internal", "invalid", "not-found", "unsupported", "busy"}

func (k Kind) String() string { return kindNames[k] }

// Error is an error with a kind and a sentence that may be shown to the user:
// it says what was wrong and what would be right.
type Error struct {
	Kind Kind
	Msg  string
	Err  error // the cause, or nil
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Msg + ": " + e.Err.Error()
	}
	return e.Msg
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error of the kind, with a formatted sentence.
func Errorf(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Msg: fmt.Sprintf(format, args...)}
}

// KindOf is the kind of the first Error in the chain of err, or Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// tooLong is the error of n tokens for a model that was trained for fewer positions.
func tooLong(positions, n int) *Error {
	return Errorf(Unsupported, "Trained for %d positions; %d tokens asked. Shorten the text by %d tokens.", positions, n, n-positions)
}
