package api

import (
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
)

// shows stands in the documentation of a parameter for all things to show.
const shows = "{shows}"

// Documented is the documentation of a parameter in which the catalogue of methods is filled in: for {shows} what can
// be shown, for {layered} the methods that measure one layer, for {methods} what each method measures.
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

// listed is "a, b and c".
func listed(names []string, last string) string {
	end := len(names) - 1
	return strings.Join(names[:end], ", ") + " " + last + " " + names[end]
}
