package messages

import (
	"fmt"
	"strings"
)

// fill is the text of an id with its arguments filled in; empty: there is no such text. {{.name}} stands for an
// argument. Of two plural forms "one" is that of the number 1, as in English; languages without plurals, such as
// Chinese, have "other" alone.
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
			value = "<no value>" // as text/template says
		}
		if words, ok := value.(string); ok {
			said.WriteString(words)
		} else {
			fmt.Fprint(&said, value)
		}
		text = after
	}
}
