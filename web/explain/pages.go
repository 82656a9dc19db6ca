// Package explain traces a number of a map to the parameters of the model.
package explain

import (
	"embed"

	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("explain", own)

// pages serves the page that traces a number.
type pages struct{ *site.Server }

// Pages returns the page that traces a number, with its data.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	takes := address.Takes{Own: askedTable, State: []string{address.Text, address.Mechanisms, address.Layer, address.Head,
		address.PinKey, address.Mask,
		address.Task, address.CutKey, address.Compute}}
	numbers := &site.Data{ID: "explain", API: true, Beside: "/explain.json", Answer: s.serveExplainJSON,
		Usual: site.UsualModel(""), Takes: takes, Out: Explain{}}
	return []site.Page{{Path: address.ExplainPath, Serve: s.Asked(numbers, s.serveExplain), Data: numbers}}
}
