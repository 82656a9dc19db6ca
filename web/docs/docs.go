// Package docs serves the documents of the folder docs as pages.
package docs

import (
	"embed"
	"net/http"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/fault"
	"attnatlas/static"
	"attnatlas/web/site"

	"github.com/go-chi/chi/v5"
)

//go:embed *.css
var own embed.FS

var files = static.Add("docs", own)

// document is a file of the folder docs. Body is its HTML below the title, Summary its first paragraph.
type document struct{ ID, Title, Summary, Body string }

// order lists the documents as readers need them.
var order = []string{"guide", "models", "serving", "CONTRIBUTING", "ARCHITECTURE", "training", "log"}

func names() []string {
	ids := make([]string, len(order))
	for i, name := range order {
		ids[i] = strings.ToLower(name)
	}
	return ids
}

// File is the name of the file of all documents for the program for browsers.
const File = "documents.json"

// pages serves the documents.
type pages struct{ *site.Server }

// pageView holds the data of the page of a document. Body is its HTML.
type pageView struct {
	Page      components.Page
	ID, Body  string
	Documents []document
}

// Pages returns the list of documents and the page of each.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	return []site.Page{
		{Path: "/docs", Aim: site.TakeAway,
			Serve: s.serveList},
		{Path: "/docs/{document}", Serve: s.serveDocument, Names: names},
	}
}

// serveList answers GET /docs.
func (s *pages) serveList(w http.ResponseWriter, r *http.Request) error {
	all, err := documents()
	if err != nil {
		return err
	}
	l := site.Language(r)
	head := s.Head(l, "docs", l.T("docs.title"), l.T("docs.summary"), s.StateOf(r)).With(files...)
	return s.Render(w, r, http.StatusOK, List(pageView{Page: head, Documents: all}))
}

// serveDocument answers GET /docs/{document}.
func (s *pages) serveDocument(w http.ResponseWriter, r *http.Request) error {
	all, err := documents()
	if err != nil {
		return err
	}
	for _, d := range all {
		if d.ID == chi.URLParam(r, "document") {
			head := s.Head(site.Language(r), "docs", d.Title, d.Summary, s.StateOf(r)).With(files...)
			return s.Render(w, r, http.StatusOK, Document(pageView{Page: head, ID: d.ID, Body: d.Body, Documents: all}))
		}
	}
	return fault.Errorf(fault.NotFound, "error.nothing-here")
}
