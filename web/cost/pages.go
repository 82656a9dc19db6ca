// Package cost shows the costs of mechanisms, as measured, counted and claimed, and their receptive
// fields.
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

// pages are the handlers of this package.
type pages struct {
	*site.Server
	measured *measurement
	ladder   func() []costs.Shared // computed once
}

// Pages returns the cost page and the receptive field page. Visitors can measure the costs at these
// lengths.
func Pages(server *site.Server, lengths costs.Lengths) []site.Page {
	s := &pages{Server: server, measured: newMeasurement(server, lengths)}
	s.ladder = sync.OnceValue(func() []costs.Shared {
		all, err := costs.Ladder(s.Vocab.Size())
		if err != nil {
			s.Log().Error("ladder", "err", err) // the catalogue's models can always be built
		}
		return all
	})
	return []site.Page{
		{Path: costPath, Aim: site.Measure,
			Serve: s.serveCost, Act: s.serveMeasure, Data: s.costData()},
		{Path: reachPath, Serve: s.serveReach, Data: s.reachData()},
	}
}

// costData describes the numbers of the cost page. The page shows errors in sizes next to the
// defaults.
func (s *pages) costData() *site.Data {
	takes := address.Takes{State: []string{address.Text}, Own: costTable, Any: true, Tells: true}
	return &site.Data{ID: "cost", API: true, Beside: "/cost.json", Answer: s.serveCostJSON, Takes: takes,
		Out: costs.Report{}}
}

// reachData describes the numbers of the receptive field page.
func (s *pages) reachData() *site.Data {
	takes := address.Takes{State: []string{address.Mask}, Own: reachTable, Tells: true}
	return &site.Data{ID: "reach", API: true, Beside: "/reach.json", Answer: s.serveReachJSON, Takes: takes,
		Out: costs.Hearing{}}
}
