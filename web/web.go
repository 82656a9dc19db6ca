package web

import (
	"slices"

	"attnatlas/engine/costs"
	"attnatlas/web/compare"
	"attnatlas/web/cost"
	"attnatlas/web/desk"
	"attnatlas/web/directory"
	"attnatlas/web/docs"
	"attnatlas/web/explain"
	"attnatlas/web/export"
	"attnatlas/web/gallery"
	"attnatlas/web/glossary"
	"attnatlas/web/heads"
	"attnatlas/web/long"
	"attnatlas/web/match"
	"attnatlas/web/mechanism"
	"attnatlas/web/plane"
	"attnatlas/web/results"
	"attnatlas/web/site"
	"attnatlas/web/unroll"
	"attnatlas/web/wall"
	"attnatlas/web/write"
)

// New returns a server of all pages. Serve runs it; it is also an http.Handler.
func New(o site.Options) (*site.Server, error) {
	s, err := site.New(o)
	if err != nil {
		return nil, err
	}
	views := wall.New(s)
	s.Register(slices.Concat(views.Pages(), gallery.Pages(views), mechanism.Pages(views), compare.Pages(views),
		explain.Pages(s), unroll.Pages(s), desk.Pages(s), cost.Pages(s, costs.Usual()),
		results.Pages(views), docs.Pages(s), glossary.Pages(s), heads.Pages(s), plane.Pages(s),
		match.Pages(s), long.Pages(s), write.Pages(s),
		export.Pages(views), directory.Pages(views))...)
	return s, nil
}
