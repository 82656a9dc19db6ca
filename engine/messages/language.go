package messages

import (
	"cmp"
	"context"
	"strconv"
	"strings"
)

// English is the fallback of every other language.
var English = open("en")

// Language turns messages into text.
type Language struct {
	tag   string
	ids   []string
	texts map[string]map[string]string // by id and plural form
	plain map[string]string            // texts without arguments and forms
}

func newLanguage(tag string) *Language {
	return &Language{tag: tag, texts: map[string]map[string]string{}, plain: map[string]string{}}
}

// add adds a text.
func (l *Language) add(id string, forms map[string]string) {
	l.ids, l.texts[id] = append(l.ids, id), forms
	if other, ok := forms["other"]; ok && len(forms) == 1 && !strings.Contains(other, "{{") {
		l.plain[id] = other
	}
}

// Templates returns the texts whose ids begin with one of the prefixes, with {{.name}} in place of
// arguments. Scripts fill them in themselves.
func (l *Language) Templates(prefixes ...string) map[string]map[string]string {
	found := map[string]map[string]string{}
	for id, text := range l.texts {
		for _, prefix := range prefixes {
			if strings.HasPrefix(id, prefix) {
				found[id] = text
			}
		}
	}
	return found
}

// Tag returns the language's BCP 47 tag, as in the attribute lang.
func (l *Language) Tag() string { return l.tag }

// IDs returns the ids of all texts. An id that occurs twice is in two files.
func (l *Language) IDs() []string { return l.ids }

// T returns the text of an id with arguments, given as for New.
func (l *Language) T(id string, args ...any) string { return l.Say(New(id, args...)) }

// Say returns the text of a message. An id without a text is a bug, which a test finds; Say returns
// the id itself.
func (l *Language) Say(m Message) string {
	if m.of != nil {
		said := make([]string, len(m.of))
		for i, part := range m.of {
			said[i] = l.Say(part)
		}
		return strings.Join(said, m.text)
	}
	if m.ID == "" {
		return m.text
	}
	if text, ok := l.plain[m.ID]; ok {
		return text
	}
	return cmp.Or(l.fill(m.ID, m.Args), m.ID)
}

func (l *Language) argument(value any) any {
	switch v := value.(type) {
	case int:
		return Grouped(v)
	case Message:
		return l.Say(v)
	case List:
		return strings.Join(v, l.T("list.between"))
	case []Message:
		return l.Say(Join(l.T("list.between"), v...))
	}
	return value
}

// Lines returns the items of a text that is a list, one per line.
func (l *Language) Lines(m Message) []string { return parts(l.Say(m), "\n") }

// Paragraphs returns the paragraphs of a text, which are separated by empty lines.
func (l *Language) Paragraphs(m Message) []string { return parts(l.Say(m), "\n\n") }

func parts(text, between string) []string {
	var list []string
	for part := range strings.SplitSeq(text, between) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// Grouped formats a whole number with narrow spaces between thousands.
func Grouped[N int | int64](n N) string {
	digits, negative := strings.CutPrefix(strconv.FormatInt(int64(n), 10), "-") // the smallest number has no opposite
	var b strings.Builder
	if negative {
		b.WriteString("−")
	}
	for i, d := range digits {
		if i > 0 && len(digits) > 4 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return b.String()
}

type contextKey struct{}

// With returns a context whose responses are in the language.
func With(ctx context.Context, l *Language) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// From returns the language of a context, or English if it has none.
func From(ctx context.Context) *Language {
	if l, ok := ctx.Value(contextKey{}).(*Language); ok {
		return l
	}
	return English
}
