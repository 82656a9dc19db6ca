// Package results shows the measurements of the models, and where the models come from.
package results

import (
	"embed"

	"attnatlas/engine/results"
	"attnatlas/static"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

//go:embed *.css
var own embed.FS

var files = static.Add("results", own)

// pages serves the pages about the models.
type pages struct{ *wall.Views }

// Pages returns the page of results and the page about the site.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	return []site.Page{
		{Path: "/results", Aim: site.Measure,
			Serve: s.serveResults, Data: &site.Data{ID: "results", API: true, Beside: "/results.json",
				Answer: s.serveResultsJSON, Out: results.Results{}}},
		{Path: "/about", Serve: s.serveAbout, Data: &site.Data{ID: "about", Beside: "/about.json", Answer: s.serveAboutJSON,
			Out: About{}}},
	}
}
