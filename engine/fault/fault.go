// Package fault defines the errors that a user can cause. Their Kind states how to handle them.
package fault

import (
	"errors"

	"attnatlas/engine/messages"
)

// Kind classifies the errors that a user can cause by how to handle them.
type Kind uint8

const (
	Internal    Kind = iota // our bug; the user can do nothing
	Invalid                 // the request is malformed: a number out of range, an empty text
	NotFound                // no such mechanism, layer, head
	Unsupported             // well formed, but not defined for this mechanism: a mask, a length
	Busy                    // too much work at once; try again
	TooLarge                // an answer or a text above its bound
)

var kindNames = [...]string{"internal", "invalid", "not-found", "unsupported", "busy", "too-large"}

// String returns the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Error is an error with a kind and a message for the user. The arguments of the message state what was wrong, which
// value was given and which value would be right.
type Error struct {
	Kind Kind
	Msg  messages.Message
	Err  error // the cause, or nil
}

// Errorf returns an Error of a kind with a message of the catalogue.
func Errorf(k Kind, id string, args ...any) *Error {
	return &Error{Kind: k, Msg: messages.New(id, args...)}
}

// Error returns the message.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Msg.String() + ": " + e.Err.Error()
	}
	return e.Msg.String()
}

// Message returns the message of the error.
func (e *Error) Message() messages.Message { return e.Msg }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first Error in the chain of err, or Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
