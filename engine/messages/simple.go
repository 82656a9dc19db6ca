package messages

import (
	"fmt"
	"strings"
)

// simple fills texts in without a library, as all of ours can be: {{.name}} stands for an argument, and of two plural
// forms "one" is that of the number 1, as in English. It is what programs for browsers say, in which the library would
// be a third of all there is; a test holds it against that.
type simple map[string]map[string]string

func (s simple) fill(id string, args map[string]any, count any) string {
	forms := s[id]
	text := forms["other"]
	if one, ok := forms["one"]; ok && count == 1 {
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
		if value, ok := args[name]; ok {
			fmt.Fprint(&said, value)
		} else {
			said.WriteString("<no value>") // as text/template says
		}
		text = after
	}
}
