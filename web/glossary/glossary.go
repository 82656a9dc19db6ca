// Package glossary shows the terms of the field with their definitions.
package glossary

import (
	"embed"
	"net/http"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/static"
	"attnatlas/web/site"
)

//go:embed *.css
var own embed.FS

var files = static.Add("glossary", own)

// pageView is the page "/glossary".
type pageView struct {
	components.Page
	Lead  string
	Terms []messages.Term
}

// Pages returns the page of the glossary.
func Pages(s *site.Server) []site.Page {
	return []site.Page{{Path: site.GlossaryPath, Serve: func(w http.ResponseWriter, r *http.Request) error {
		l := site.Language(r)
		head := s.Head(l, "glossary", l.T("glossary.title"), l.T("glossary.summary"), s.StateOf(r)).With(files...)
		return s.Render(w, r, http.StatusOK, Glossary(pageView{Page: head, Lead: l.T("glossary.lead"), Terms: l.Terms()}))
	}}}
}
