// Package results shows what was measured of the models, and where these come from.
package results

import (
	"embed"

	"attnatlas/engine/results"
	"attnatlas/static"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

//go:embed *.css
var own embed.FS

var files = static.Add("results", own)

// pages are those of what was measured of models, and of where these come from.
type pages struct{ *site.Server }

// Pages are what was measured of models, and what the site is about.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	return []site.Page{
		{Path: "/results", Aim: site.Measure,
			Serve: s.serveResults, Data: &site.Data{ID: "results", API: true, Beside: "/results.json",
				Answer: s.serveResultsJSON, Out: results.Results{}}},
		{Path: "/about", Serve: s.serveAbout, Data: &site.Data{ID: "about", Beside: "/about.json", Answer: s.serveAboutJSON,
			Out: api.About{}}},
	}
}
