package messages

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed en
var files embed.FS

// English is the language that every other falls back to.
var English = open("en")

// Language says messages.
type Language struct {
	tag       string
	localizer *i18n.Localizer
	ids       []string
}

// open reads the texts of a folder. They are part of the program: what is wrong with
// them is our mistake.
func open(tag string) *Language {
	bundle := i18n.NewBundle(language.Make(tag))
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	l := &Language{tag: tag}
	err := fs.WalkDir(files, tag, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := bundle.ParseMessageFileBytes(data, tag+".toml")
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, m := range f.Messages {
			l.ids = append(l.ids, m.ID)
		}
		return nil
	})
	if err != nil {
		panic("messages: " + err.Error())
	}
	l.localizer = i18n.NewLocalizer(bundle, tag)
	return l
}

// Tag is the language's BCP 47 tag, as the attribute lang has it.
func (l *Language) Tag() string { return l.tag }

// IDs lists the ids of all texts; an id that stands twice is in two files.
func (l *Language) IDs() []string { return l.ids }

// T says the text of an id with arguments, given as for New.
func (l *Language) T(id string, args ...any) string { return l.Say(New(id, args...)) }

// Say says a message. An id without a text is a mistake of the program, which a test
// finds; it is said as it is.
func (l *Language) Say(m Message) string {
	if m.ID == "" {
		return m.text
	}
	config := i18n.LocalizeConfig{MessageID: m.ID}
	if m.Args != nil {
		data := make(map[string]any, len(m.Args))
		for name, value := range m.Args {
			data[name] = l.argument(value)
		}
		config.TemplateData = data
		if n, ok := m.Args["count"].(int); ok {
			config.PluralCount = n
		}
	}
	text, err := l.localizer.Localize(&config)
	if err != nil && text == "" {
		return m.ID
	}
	return text
}

func (l *Language) argument(value any) any {
	switch v := value.(type) {
	case int:
		return Grouped(v)
	case Message:
		return l.Say(v)
	case List:
		return strings.Join(v, l.T("list.between"))
	}
	return value
}

// Lines are the items of a text that is a list: one on each line.
func (l *Language) Lines(m Message) []string { return parts(l.Say(m), "\n") }

// Paragraphs are those of a text that has an empty line between them.
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

// Grouped writes a whole number with narrow spaces between thousands.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	if n < 0 {
		return "−" + Grouped(-n)
	}
	if len(digits) <= 4 {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return b.String()
}
