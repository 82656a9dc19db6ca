package site

import (
	"cmp"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// DirectoryPath is that of the directory of all pages.
const DirectoryPath = "/pages"

// Aim is what a visitor wants of a page. It names a group of the directory of all pages.
type Aim struct{ id string }

// The aims, and their order in the directory.
var (
	Look       = Aim{"look"}
	Compare    = Aim{"compare"}
	Understand = Aim{"understand"}
	Measure    = Aim{"measure"}
	TakeAway   = Aim{"take"}
)

var aims = []Aim{Look, Compare, Understand, Measure, TakeAway}

// mostListed is how many bytes of a text go along to every page of the directory.
const mostListed = 1 << 10

// Directory lists all pages by what one wants of them. The links carry a state; those to pages about one model take
// of it the text and how pages look.
func (s *Server) Directory(l *messages.Language, st address.State) (all []components.PageGroup) {
	st.Text, st.Other = BeginningBytes(st.Text, mostListed), BeginningBytes(st.Other, mostListed)
	for _, aim := range aims {
		g := components.PageGroup{ID: aim.id, Name: l.T("directory.group." + aim.id)}
		for _, p := range s.pages {
			if cmp.Or(p.Aim, Understand) != aim || !s.listed(p) {
				continue
			}
			carried := st
			if p.Data != nil && p.Data.Usual != nil {
				carried = Alone(st)
			}
			g.Pages = append(g.Pages, components.PageLink{URL: address.Page(p.Paths()[0], carried),
				Section: sectionOf(p.Path), Name: l.T(p.title()), Says: l.T(p.SummaryID())})
		}
		all = append(all, g)
	}
	return all
}

// listed says whether a page is in the directory: all are but frames, the directory itself, which the masthead has,
// and the pages of single things, such as /m/bert, which the page of all of them lists.
func (s *Server) listed(p Page) bool {
	all, _, single := strings.Cut(p.Path, "/{")
	return p.Path != "" && p.Path != DirectoryPath && !Framed(p.Path) &&
		!(single && slices.ContainsFunc(s.pages, func(other Page) bool { return other.Path == all }))
}

// title is the id of the page's name.
func (p Page) title() string { return cmp.Or(p.Title, sectionOf(p.Path)+".title") }

// SummaryID is the id of what the page shows.
func (p Page) SummaryID() string { return cmp.Or(p.Summary, sectionOf(p.Path)+".summary") }

// sectionOf is how a page calls its place in the navigation.
func sectionOf(path string) string {
	switch path {
	case "/":
		return "wall"
	case "/m":
		return "mechanisms"
	}
	return strings.TrimPrefix(path, "/")
}

// Alone is what pages about other models take of a state: its text, and how pages look.
func Alone(st address.State) address.State {
	usual := address.Default()
	usual.Text, usual.Cmap, usual.Theme, usual.Compute = st.Text, st.Cmap, st.Theme, st.Compute
	return usual
}
