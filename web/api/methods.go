package api

import (
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
)

// shows stands in the documentation of a parameter for all values of show.
const shows = "{shows}"

// Documented fills the catalogue of methods into the documentation of a parameter: {shows} becomes
// the values of show, {layered} the methods for one layer, and {methods} the description of each
// method.
func Documented(doc string) string {
	if !strings.Contains(doc, "{") {
		return doc
	}
	var all []string
	for _, m := range method.Catalog() {
		all = append(all, messages.English.T("method-api."+m.Name))
	}
	return strings.NewReplacer(
		shows, listed(showNames(), "or"),
		"{layered}", listed(method.Names(method.OneLayer), "and"),
		"{methods}", strings.Join(all, " "),
	).Replace(doc)
}

func showNames() (names []string) {
	for _, s := range exhibit.Shows() {
		names = append(names, s.String())
	}
	return names
}

// listed returns "a, b and c", with the given last conjunction.
func listed(names []string, last string) string {
	end := len(names) - 1
	return strings.Join(names[:end], ", ") + " " + last + " " + names[end]
}
