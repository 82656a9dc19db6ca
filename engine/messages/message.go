package messages

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Message is a sentence or a label as data: the id of a text and its arguments by name. The zero
// Message is empty.
type Message struct {
	ID   string
	Args Args
	text string // instead of an id: a text for all languages, or the separator between parts
	of   []Message
}

// Args are the arguments of a message by name: a string, an int, a Message, or a List.
type Args map[string]any

// List is an argument whose items are listed one after another.
type List []string

// New returns a message with arguments, given as name, value, name, value, …
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

// Text returns a message with the same text in every language, such as a name that a visitor
// entered.
func Text(s string) Message { return Message{text: s} }

// Join returns a message that joins others with a separator. Empty messages are left out.
func Join(between string, of ...Message) Message {
	said := slices.DeleteFunc(slices.Clone(of), Message.IsZero)
	if len(said) == 0 {
		return Message{}
	}
	return Message{text: between, of: said}
}

// IsZero reports whether the message is empty.
func (m Message) IsZero() bool { return m.ID == "" && m.text == "" && m.of == nil }

// IDs returns the ids of the texts in the message and its arguments.
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

// String returns the message in English, for logs and the command line.
func (m Message) String() string { return English.Say(m) }

// Key returns a name as the last part of an id: "place in the order" becomes "place-in-the-order".
func Key(name string) string { return strings.ReplaceAll(name, " ", "-") }

// Capital makes the first letter of a label a capital.
func Capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// Quote returns a foreign value for a message: in curly quotation marks, with control characters and
// invalid bytes escaped as by strconv.Quote. It also escapes closing curly marks, so that the value's end
// is clear. It shortens long values, because a message must not repeat a text of many kilobytes.
func Quote(s string) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = string(runes[:limit]) + "…"
	}
	quoted := strconv.Quote(s)
	return "“" + curly.Replace(quoted[1:len(quoted)-1]) + "”"
}

// curly moves escapes from straight quotation marks to closing curly ones. The first pair skips escaped
// backslashes.
var curly = strings.NewReplacer(`\\`, `\\`, `\"`, `"`, "”", `\”`)

// Readable is an error with a message for readers.
type Readable interface {
	error
	Message() Message
}

// Error is an error with a message for readers. The message's arguments state the fault, the given
// value and the permitted values.
type Error struct {
	Msg Message
	Err error // the cause, or nil
}

// Errorf returns an error with a message.
func Errorf(id string, args ...any) *Error { return &Error{Msg: New(id, args...)} }

// Error returns the message in English, and its cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Msg.String() + ": " + e.Err.Error()
	}
	return e.Msg.String()
}

// Message returns the message for readers.
func (e *Error) Message() Message { return e.Msg }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Of returns the message of an error for readers: the message of the first Readable in its chain, or else
// its text.
func Of(err error) Message {
	var e Readable
	if errors.As(err, &e) {
		return e.Message()
	}
	return Text(err.Error())
}
