package site

import (
	"strings"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// DirectoryPath is that of the directory of all pages.
const DirectoryPath = "/pages"

// Aim is what a visitor wants of a page. It names a group of the directory of all pages.
type Aim string

// The aims, and their order in the directory.
const (
	Look       Aim = "look"
	Compare    Aim = "compare"
	Understand Aim = "understand"
	Measure    Aim = "measure"
	TakeAway   Aim = "take"
)

var aims = []Aim{Look, Compare, Understand, Measure, TakeAway}

// Listing places a page in the directory of all pages. Name and Says are the ids of its name and of what it shows.
type Listing struct {
	Aim        Aim
	Name, Says string
	// At is where the directory leads to, for a page whose path has a parameter; empty: to its path.
	At string
}

// mostListed is how many bytes of a text go along to every page of the directory.
const mostListed = 1 << 10

// Directory lists all pages by what one wants of them. The links carry a state; those to pages about one model take
// of it the text and how pages look.
func (s *Server) Directory(l *messages.Language, st address.State) (all []components.PageGroup) {
	st.Text, st.Other = BeginningBytes(st.Text, mostListed), BeginningBytes(st.Other, mostListed)
	for _, aim := range aims {
		g := components.PageGroup{ID: string(aim), Name: l.T("directory.group." + string(aim))}
		for _, p := range s.pages {
			if p.Listed.Aim != aim {
				continue
			}
			at, carried := p.Path, st
			if p.Listed.At != "" {
				at = p.Listed.At
			}
			if p.Data != nil && p.Data.Usual != nil {
				carried = Alone(st)
			}
			g.Pages = append(g.Pages, components.PageLink{URL: address.Page(at, carried), Section: sectionOf(p.Path),
				Name: l.T(p.Listed.Name), Says: l.T(p.Listed.Says)})
		}
		all = append(all, g)
	}
	return all
}

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
