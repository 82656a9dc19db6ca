// Package explain shows where a number of a map comes from.
package explain

import (
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// pages are those of where numbers come from.
type pages struct{ *site.Server }

// Pages are the page of where a number comes from.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	takes := address.Parameters(address.Text, address.Mechanisms, address.Layer, address.Head, address.Map, address.PinKey, address.Number, address.Mask,
		address.Task, address.CutKey, address.Compute)
	return []site.Page{{Path: address.ExplainPath, Serve: s.serveExplain, Data: &site.Data{
		ID: "explain", API: true, Beside: "/explain.json", Serve: s.serveExplainJSON, Usual: site.UsualTextOfModel, Takes: takes, Out: api.Explain{}}}}
}
