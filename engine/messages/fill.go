package messages

import (
	"fmt"
	"strings"
)

// fill returns the text of an id with its arguments filled in, or "" if there is no such text.
// {{.name}} is replaced by an argument. As in English, the plural form "one" is for the number 1.
// Languages without plurals, such as Chinese, have only "other".
func (l *Language) fill(id string, args Args) string {
	forms := l.texts[id]
	text := forms["other"]
	if one, ok := forms["one"]; ok && args["count"] == 1 {
		text = one
	}
	var said strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{.")
		said.WriteString(before)
		if !found {
			return said.String()
		}
		name, after, _ := strings.Cut(rest, "}}")
		value, ok := args[name]
		if ok {
			value = l.argument(value)
		} else {
			value = "<no value>" // as in text/template
		}
		if words, ok := value.(string); ok {
			said.WriteString(words)
		} else {
			fmt.Fprint(&said, value)
		}
		text = after
	}
}
