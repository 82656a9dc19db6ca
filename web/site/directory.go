package site

import (
	"strings"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// DirectoryPath is the path of the directory of all pages.
const DirectoryPath = "/pages"

// Aim is a purpose for which visitors open a page. It names a group in the directory of all pages.
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

// Listing places a page in the directory of all pages. Name and Says are the message ids of its name and of its
// description.
type Listing struct {
	Aim        Aim
	Name, Says string
	// At is the address that the directory links to if the page's path has a parameter. If At is empty, it links to
	// the path.
	At string
}

// mostListed is the number of bytes of a text that the links of the directory carry.
const mostListed = 1 << 10

// Directory lists all pages by purpose. The links carry the state of the address. Links to pages about one model
// carry only the text and the appearance.
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

// Alone is the part of a state that pages about other models use: the text and the appearance.
func Alone(st address.State) address.State {
	usual := address.Default()
	usual.Text, usual.Cmap, usual.Theme, usual.Compute = st.Text, st.Cmap, st.Theme, st.Compute
	return usual
}
