package messages

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Message is a sentence or a label as data: the id of a text and its arguments
// by name. The zero Message says nothing.
type Message struct {
	ID   string
	Args Args
	text string // instead of an id: what is said in every language, and between parts
	of   []Message
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

// Join says messages one after the other. Those that say nothing are left out.
func Join(between string, of ...Message) Message {
	said := slices.DeleteFunc(slices.Clone(of), Message.IsZero)
	if len(said) == 0 {
		return Message{}
	}
	return Message{text: between, of: said}
}

// IsZero says that the message says nothing.
func (m Message) IsZero() bool { return m.ID == "" && m.text == "" && m.of == nil }

// IDs are the texts that the message and its arguments are made of.
func (m Message) IDs() []string {
	var ids []string
	if m.ID != "" {
		ids = append(ids, m.ID)
	}
	for _, part := range m.of {
		ids = append(ids, part.IDs()...)
	}
	for _, value := range m.Args {
		switch v := value.(type) {
		case Message:
			ids = append(ids, v.IDs()...)
		case []Message:
			ids = append(ids, Join("", v...).IDs()...)
		}
	}
	return ids
}

// String says the message in English: for logs and the command line.
func (m Message) String() string { return English.Say(m) }

// Key is a name as the last part of an id: "place in the order" is "place-in-the-order".
func Key(name string) string { return strings.ReplaceAll(name, " ", "-") }

// Quote writes a value of somebody else's into a message: with quotation marks, and
// shortened, because a message must not repeat a text of many kilobytes.
func Quote(s string) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = string(runes[:limit]) + "…"
	}
	return strconv.Quote(s)
}

// Readable is an error that is meant to be read by people.
type Readable interface {
	error
	Message() Message
}

// Error is a readable error: what was wrong, what was given and what is allowed are
// arguments of its message.
type Error struct {
	Msg Message
	Err error // the cause, or nil
}

// Errorf is an error with a message.
func Errorf(id string, args ...any) *Error { return &Error{Msg: New(id, args...)} }

// Error says the message in English, and its cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Msg.String() + ": " + e.Err.Error()
	}
	return e.Msg.String()
}

// Message is what the error says.
func (e *Error) Message() Message { return e.Msg }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Of is what an error says to people: the message of the first readable error in its
// chain, else its text.
func Of(err error) Message {
	var e Readable
	if errors.As(err, &e) {
		return e.Message()
	}
	return Text(err.Error())
}
