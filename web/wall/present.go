package wall

import (
	"net/url"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// largeFigure is the approximate width in pixels of the cells of an enlarged map that the server draws.
const largeFigure = 960

// enlarge returns the link to a map as a figure that fills a window.
func (p *View) enlarge(name string, x *exhibit.Exhibit) components.Link {
	scale := max(1, largeFigure/max(1, x.Grid().Cols))
	return components.Link{
		Label: p.T("screen.enlarge", "name", name), Hint: p.T("screen.enlarge-help"),
		URL: address.Export(p.State, x.Result.ID, "png", url.Values{address.Scale: {strconv.Itoa(scale)}}),
	}
}

// presenting returns the link to the page for a projector, or back.
func (p *View) presenting() components.Link {
	id := "screen.present"
	if p.State.Present {
		id = "screen.present-end"
	}
	st := p.State
	st.Present = !st.Present
	return components.Link{Label: p.T(id), Hint: p.T(id + "-help"), URL: p.URL(st)}
}

// compacting returns the link to the page that shows only the map and the name of every card, or back.
func (p *View) compacting() components.Link {
	id := "screen.compact"
	if p.State.Compact {
		id = "screen.compact-end"
	}
	st := p.State
	st.Compact = !st.Compact
	return components.Link{Label: p.T(id), Hint: p.T(id + "-help"), URL: p.URL(st)}
}

// compact removes from a card the parts that a compact wall or an enlarged map does not show.
func compact(c *components.Card) {
	c.Compact = true
	c.Second, c.Scatter, c.Facts, c.Predictions, c.Guesses = components.Second{}, components.Scatter{}, nil,
		components.Predictions{}, nil
	c.Heads.Sheet, c.Heads.Bare = components.Image{}, true
}
