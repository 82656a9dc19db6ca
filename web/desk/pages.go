// Package desk shows what becomes of a model that computes otherwise than it learned.
package desk

import (
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// pages are those of models that compute otherwise than they learned.
type pages struct{ *site.Server }

// Pages are the page of a model that computes otherwise than it learned.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	takes := address.Parameters(address.Text, address.Mechanisms, address.DeskRank, address.Layer, address.Head, address.PinKey, address.Mask, address.CutKey, address.Compute)
	return []site.Page{{Path: address.DeskPath, Serve: s.serveDesk, Data: &site.Data{
		ID: "desk", API: true, Beside: "/desk.json", Serve: s.serveDeskJSON, Usual: site.UsualTextOfModel, Takes: takes, Out: api.Desk{}}}}
}
