package wall

import (
	"net/url"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// largeFigure is the width in pixels that the cells of an enlarged map have about, where the
// server draws it.
const largeFigure = 960

// enlarge leads to a map as a figure that fills a window.
func (p *View) enlarge(name string, x *exhibit.Exhibit) components.Link {
	scale := max(1, largeFigure/max(1, x.Grid().Cols))
	return components.Link{
		Label: p.T("screen.enlarge", "name", name), Hint: p.T("screen.enlarge-help"),
		URL: address.Export(p.State, x.Result.ID, "png", url.Values{address.Scale: {strconv.Itoa(scale)}}),
	}
}

// presenting leads to the page for a projector, or back.
func (p *View) presenting() components.Link {
	id := "screen.present"
	if p.State.Present {
		id = "screen.present-end"
	}
	st := p.State
	st.Present = !st.Present
	return components.Link{Label: p.T(id), Hint: p.T(id + "-help"), URL: p.URL(st)}
}

// compacting leads to the page that has of every card its map and its name alone, or back.
func (p *View) compacting() components.Link {
	id := "screen.compact"
	if p.State.Compact {
		id = "screen.compact-end"
	}
	st := p.State
	st.Compact = !st.Compact
	return components.Link{Label: p.T(id), Hint: p.T(id + "-help"), URL: p.URL(st)}
}

// compact takes from a card what is not seen of it, on its wall or when its map is enlarged.
func compact(c *components.Card) {
	c.Compact = true
	c.Second, c.Scatter, c.Facts, c.Predictions, c.Guesses = components.Second{}, components.Scatter{}, nil,
		components.Predictions{}, nil
	c.Heads.Sheet, c.Heads.Bare = components.Image{}, true
}
