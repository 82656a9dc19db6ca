// Package gallery shows the examples, each with a picture and a sentence whose numbers are measured.
package gallery

import (
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// pages serves the gallery.
type pages struct{ *wall.Views }

// page is the gallery of one request.
type page struct{ *wall.View }

// Pages returns the pages of the gallery.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	examples := &site.Data{ID: "examples", API: true, Beside: "/gallery.json", Answer: s.serveExamples,
		Out: Examples{}}
	return []site.Page{{Path: "/gallery", Aim: site.Look, Serve: s.serveGallery, Data: examples}}
}
