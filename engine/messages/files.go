//go:build !js

package messages

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/BurntSushi/toml"
)

//go:embed ??/*.toml ??/*/*.toml
var files embed.FS

// open reads the texts of a folder. It panics on errors, because the texts are part of the program.
func open(tag string) *Language {
	l := newLanguage(tag)
	err := fs.WalkDir(files, tag, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		table := map[string]any{}
		if _, err := toml.DecodeFS(files, name, &table); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := l.addTable("", table); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		panic("messages: " + err.Error())
	}
	return l
}

// addTable adds the texts of a table, whose ids begin with prefix. A table with a text "other" has
// the plural forms of one text: "other" and, if the number 1 differs, "one".
func (l *Language) addTable(prefix string, table map[string]any) error {
	for key, value := range table {
		id := prefix + key
		switch v := value.(type) {
		case string:
			l.add(id, map[string]string{"other": v})
		case map[string]any:
			other, forms := v["other"].(string)
			if !forms {
				if err := l.addTable(id+".", v); err != nil {
					return err
				}
				continue
			}
			one, ok := v["one"].(string)
			if !ok || len(v) != 2 {
				return fmt.Errorf("%s has other plural forms than one and other", id)
			}
			l.add(id, map[string]string{"one": one, "other": other})
		default:
			return fmt.Errorf("%s is %T and no text", id, value)
		}
	}
	return nil
}
