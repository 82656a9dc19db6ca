// Package cost shows what mechanisms cost, as measured, counted and claimed, and after how many layers a word has
// heard of another.
package cost

import (
	"embed"
	"sync"

	"attnatlas/engine/costs"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("cost", own)

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
	return []site.Page{
		{Path: costPath, Aim: site.Measure,
			Serve: s.serveCost, Act: s.serveMeasure, Data: s.costData()},
		{Path: reachPath, Serve: s.serveReach, Data: s.reachData()},
	}
}

// costData are the numbers of the page of costs. What is wrong with a size is told beside what is usual.
func (s *pages) costData() *site.Data {
	takes := address.Takes{State: []string{address.Text}, Own: costTable, Any: true, Tells: true}
	return &site.Data{ID: "cost", API: true, Beside: "/cost.json", Answer: s.serveCostJSON, Takes: takes,
		Out: costs.Report{}}
}

// reachData are the numbers of the page of who has heard of whom.
func (s *pages) reachData() *site.Data {
	takes := address.Takes{State: []string{address.Mask}, Own: reachTable, Tells: true}
	return &site.Data{ID: "reach", API: true, Beside: "/reach.json", Answer: s.serveReachJSON, Takes: takes,
		Out: costs.Hearing{}}
}
