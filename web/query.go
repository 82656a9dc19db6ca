package web

import (
	"net/url"
	"strings"
)

// parseQuery reads a query string without ever losing a value. A parameter that
// is not correctly percent-encoded ("100%") is kept as it was written and
// reported, so that a page can show the visitor's text beside the complaint;
// url.ParseQuery would drop it. A semicolon is an ordinary character.
func parseQuery(raw string) (url.Values, []ParamError) {
	values := url.Values{}
	var bad []ParamError
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(key)
		if err != nil {
			name = key
		}
		text, err2 := url.QueryUnescape(value)
		if err2 != nil {
			text = strings.ReplaceAll(value, "+", " ")
		}
		if err != nil || err2 != nil {
			bad = append(bad, invalid(name, "the address is not correctly percent-encoded at %s; a percent sign is written %%25", shown(pair)))
		}
		values[name] = append(values[name], text)
	}
	return values, bad
}
