package site

import (
	"cmp"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// DirectoryPath is the path of the directory of all pages.
const DirectoryPath = "/pages"

// Aim is a purpose for which visitors open a page. It names a group in the directory of all pages.
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

// mostListed is the number of bytes of a text that the links of the directory carry.
const mostListed = 1 << 10

// Directory lists all pages by purpose. The links carry the state of the address. Links to pages about one model
// carry only the text and the appearance.
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

// listed reports whether the directory contains a page. It leaves out iframes, the directory itself, which the
// masthead links, and pages of single things, such as /m/bert, which have an index.
func (s *Server) listed(p Page) bool {
	all, _, single := strings.Cut(p.Path, "/{")
	return p.Path != "" && p.Path != DirectoryPath && !Framed(p.Path) &&
		!(single && slices.ContainsFunc(s.pages, func(other Page) bool { return other.Path == all }))
}

// title returns the message id of the page's name.
func (p Page) title() string { return cmp.Or(p.Title, sectionOf(p.Path)+".title") }

// SummaryID returns the message id of the page's summary.
func (p Page) SummaryID() string { return cmp.Or(p.Summary, sectionOf(p.Path)+".summary") }

// sectionOf returns the name under which a page appears in the navigation.
func sectionOf(path string) string {
	switch path {
	case "/":
		return "wall"
	case "/m":
		return "mechanisms"
	}
	return strings.TrimPrefix(path, "/")
}

// Alone returns the part of a state that pages about other models use: the text and the appearance.
func Alone(st address.State) address.State {
	usual := address.Default()
	usual.Text, usual.Cmap, usual.Theme, usual.Compute = st.Text, st.Cmap, st.Theme, st.Compute
	return usual
}
