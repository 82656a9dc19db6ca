// Package cost shows what mechanisms cost, as measured, counted and claimed, and after how many layers a word has
// heard of another.
package cost

import (
	"sync"

	"attnatlas/engine/costs"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// pages are those of what mechanisms cost.
type pages struct {
	*site.Server
	measured *measurement
	ladder   func() []costs.Shared // counted once
}

// Pages are what mechanisms cost, and who has heard of whom.
func Pages(server *site.Server) []site.Page { return newPages(server).list() }

func newPages(server *site.Server) *pages {
	s := &pages{Server: server, measured: newMeasurement(server)}
	s.ladder = sync.OnceValue(func() []costs.Shared {
		all, err := costs.Ladder(s.Vocab.Size())
		if err != nil {
			s.Log().Error("ladder", "err", err) // the catalogue's models can be built
		}
		return all
	})
	return s
}

func (s *pages) list() []site.Page {
	sizes := append(address.Parameters(address.Text, address.CostLength, address.CostWidth, address.CostHeads, address.CostPositions, address.CostMechanism),
		address.Parameter{Key: address.CostMeasure, Values: address.Measures})
	reach := address.Parameters(address.CostLength, address.ReachLayers, address.CostMechanism, address.Mask)
	return []site.Page{
		{Path: address.CostPath, Serve: s.serveCost, Data: &site.Data{
			ID: "cost", API: true, Beside: "/cost.json", Serve: s.serveCostJSON, Takes: sizes, Out: costs.Report{}}},
		{Path: address.ReachPath, Serve: s.serveReach, Data: &site.Data{
			ID: "reach", API: true, Beside: "/reach.json", Serve: s.serveReachJSON, Takes: reach, Out: costs.Hearing{}}},
	}
}
