package messages

import (
	"errors"
	"strconv"
)

// Message is a sentence or a label as data: the id of a text and its arguments
// by name. The zero Message says nothing.
type Message struct {
	ID   string
	Args Args
	text string // instead of an id: what is said in every language
}

// Args are the arguments of a message by name: a string, an int, a Message, or
// a List.
type Args map[string]any

// List is an argument whose items are said one after the other.
type List []string

// New is a message with arguments, given as name, value, name, value, …
func New(id string, args ...any) Message {
	m := Message{ID: id}
	if len(args) > 0 {
		m.Args = make(Args, len(args)/2)
		for i := 0; i+1 < len(args); i += 2 {
			m.Args[args[i].(string)] = args[i+1]
		}
	}
	return m
}

// Text is a message that says the same in every language, such as a name that a
// visitor has given.
func Text(s string) Message { return Message{text: s} }

// IsZero says that the message says nothing.
func (m Message) IsZero() bool { return m.ID == "" && m.text == "" }

// String says the message in English: for logs and the command line.
func (m Message) String() string { return English.Say(m) }

// Quote writes a value of somebody else's into a message: with quotation marks, and
// shortened, because a message must not repeat a text of many kilobytes.
func Quote(s string) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = string(runes[:limit]) + "…"
	}
	return strconv.Quote(s)
}

// Error is an error that is meant to be read: what was wrong, what was given and
// what is allowed are arguments of its message.
type Error struct {
	Message
	Err error // the cause, or nil
}

// Errorf is an error with a message.
func Errorf(id string, args ...any) *Error { return &Error{Message: New(id, args...)} }

// Error says the message in English, and its cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.String() + ": " + e.Err.Error()
	}
	return e.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Of is what an error says to people: the message of the first error in its chain that
// has one, else its text.
func Of(err error) Message {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return Text(err.Error())
}
