// Package unroll takes a forward pass apart: its steps, the hashing of Reformer, how long the Universal Transformer
// ponders, and how reversible layers are computed back.
package unroll

import (
	"attnatlas/engine"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// pages are those that take a model apart.
type pages struct{ *site.Server }

// Pages are those that take a model apart: the steps of a pass, hashing, pondering and reversing.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	one := address.Parameters(address.Text, address.Mechanisms, address.Layer, address.Head, address.PinKey, address.Mask, address.CutKey, address.Compute)
	steps := address.Parameters(address.Text, address.Mechanisms, address.Layer, address.Map, address.PinKey, address.Mask, address.Task, address.CutKey, address.Compute)
	hashing := address.Parameters(address.Text, address.Mechanisms, address.Layer, address.Head, address.HashRounds, address.HashSeed, address.HashTop,
		address.HashRound, address.PinKey, address.Mask, address.CutKey, address.Compute)
	page := func(path string, serve site.Handler, data site.Data) site.Page {
		data.ID, data.API, data.Beside, data.Usual = path[1:], true, path+".json", site.UsualTextOfModel
		return site.Page{Path: path, Serve: serve, Data: &data}
	}
	return []site.Page{
		page(address.StepsPath, s.serveSteps, site.Data{Serve: s.serveStepsJSON, Takes: steps, Out: api.Steps{}}),
		page(address.HashingPath, s.serveHashing, site.Data{Serve: s.serveHashingJSON, Takes: hashing, Out: engine.Hashing{}}),
		page(address.PonderingPath, s.servePondering, site.Data{Serve: s.servePonderingJSON, Takes: one, Out: engine.Pondering{}}),
		page(address.ReversingPath, s.serveReversing, site.Data{Serve: s.serveReversingJSON, Takes: one, Out: engine.Reversing{}}),
	}
}
