// Package directory serves the directory of all pages, in which a search finds pages, mechanisms, terms, examples and
// papers.
package directory

import (
	"embed"
	"maps"
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("directory", own)

// searchKey is the parameter that holds the search.
const searchKey = "q"

var searchTable = address.ParamTable[string]{address.String(searchKey, func(q *string) *string { return q })}

// pages serves the directory.
type pages struct{ *wall.Views }

// pageView is the page "/pages". Its groups hold all entries, also those that a search leaves out.
type pageView struct {
	components.Page
	Query  string
	Found  int
	Groups []pageGroup
	Hidden []components.Field
}

// pageGroup is a part of the directory.
type pageGroup struct {
	ID, Name string
	Open     bool
	Usual    bool // it is open if there is no search
	Found    int  // number of entries that the search found
	Entries  []Entry
}

// Entry is a link of the directory with a sentence about its target. Out reports whether the search left it out.
type Entry struct {
	Name, Says, URL string
	Out             bool
}

// Pages returns the pages of the directory.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	data := &site.Data{ID: "pages", API: true, Beside: site.DirectoryPath + ".json", Answer: s.serveJSON,
		Takes: address.Takes{Own: searchTable, Any: true}, Out: Directory{}}
	return []site.Page{{Path: site.DirectoryPath, Serve: s.Asked(data, s.serve), Data: data}}
}

// serve answers GET /pages.
func (s *pages) serve(w http.ResponseWriter, r *http.Request, q address.Query) error {
	l, st := site.Language(r), s.StateOf(r)
	search, _ := searchTable.Decode(q.Values)
	v := pageView{Page: s.Head(l, "pages", l.T("directory.title"), l.T("directory.summary"), st).With(files...),
		Query: site.Clean(search), Groups: s.groups(r, st, search)}
	for _, g := range v.Groups {
		v.Found += g.Found
	}
	state := address.Encode(st)
	for _, key := range slices.Sorted(maps.Keys(state)) {
		for _, value := range state[key] {
			v.Hidden = append(v.Hidden, components.Field{Name: key, Value: site.Clean(value)})
		}
	}
	return s.Render(w, r, http.StatusOK, DirectoryPage(v))
}

// serveJSON answers GET /api/v1/pages and /pages.json with what the search finds.
func (s *pages) serveJSON(w http.ResponseWriter, r *http.Request, q address.Query) error {
	search, _ := searchTable.Decode(q.Values)
	answer := Directory{Version: 1, Query: site.Clean(search)}
	for _, g := range s.groups(r, s.StateOf(r), search) {
		one := DirectoryGroup{ID: g.ID, Name: g.Name, Entries: []DirectoryEntry{}}
		for _, e := range g.Entries {
			if !e.Out {
				one.Entries = append(one.Entries, DirectoryEntry{Name: e.Name, Says: e.Says, URL: s.Rooted(r, e.URL)})
			}
		}
		answer.Groups = append(answer.Groups, one)
	}
	return site.SendJSON(w, answer)
}

// matches reports whether an entry has all words of a search.
func (e Entry) matches(search string) bool {
	has := strings.ToLower(e.Name + " " + e.Says)
	for word := range strings.FieldsSeq(strings.ToLower(search)) {
		if !strings.Contains(has, word) {
			return false
		}
	}
	return true
}
