// Package desk is the playground: it shows the effect of changes to a model's learned values.
package desk

import (
	"embed"

	"attnatlas/engine/attention"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("desk", own)

// pages are the handlers of the playground.
type pages struct{ *site.Server }

// Pages returns the pages of the playground.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	takes := address.Takes{Own: changeTable, Tells: true,
		State: []string{address.Text, address.Mechanisms, address.Layer, address.Head, address.PinKey,
			address.Mask, address.CutKey, address.Compute}}
	numbers := &site.Data{ID: "desk", API: true, Beside: "/desk.json", Answer: s.serveDeskJSON,
		Usual: site.UsualModel(attention.MixtureRV.ID), Takes: takes, Out: Desk{}}
	return []site.Page{{Path: deskPath, Serve: s.Asked(numbers, s.serveDesk), Of: s.of, Data: numbers}}
}

// of returns the id of the link from a mechanism with a playground and a model, or "".
func (s *pages) of(m *site.Mechanism) string {
	if _, ok := attention.Find(m.ID); ok && m.Stack == nil && site.AtDesk(m.Entry) && s.Trained(m.ID) {
		return "desk.beside-" + site.DeskKind(m.Entry)
	}
	return ""
}
