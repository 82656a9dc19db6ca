//go:build !js

package messages

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed */*.toml */*/*.toml
var files embed.FS

// open reads the texts of a folder. They are part of the program: what is wrong with
// them is our mistake.
func open(tag string) *Language {
	bundle := i18n.NewBundle(language.Make(tag))
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	l := &Language{tag: tag, texts: map[string]map[string]string{}, plain: map[string]string{}}
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
			l.add(m.ID, forms(m))
		}
		return nil
	})
	if err != nil {
		panic("messages: " + err.Error())
	}
	l.filler = library{i18n.NewLocalizer(bundle, tag)}
	return l
}

// forms are the texts of a message by plural form; one without forms has "other".
func forms(m *i18n.Message) map[string]string {
	all := map[string]string{}
	for form, text := range map[string]string{"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many, "other": m.Other} {
		if text != "" {
			all[form] = text
		}
	}
	return all
}

// library fills texts in as go-i18n does.
type library struct{ *i18n.Localizer }

func (l library) fill(id string, args map[string]any, count any) string {
	config := i18n.LocalizeConfig{MessageID: id, PluralCount: count}
	if args != nil {
		config.TemplateData = args
	}
	text, _ := l.Localize(&config) // a text in another language is better than none
	return text
}
