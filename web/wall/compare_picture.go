package wall

import (
	"net/url"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// sideOf returns the name of an exhibit as a side of a comparison.
func sideOf(x *exhibit.Exhibit) address.Side {
	s := address.Side{ID: x.Result.ID, Layer: x.Layer.Number, Head: address.Default().Head}
	if x.PerHead() {
		s.Head = x.Number
	}
	return s
}

// Compared returns the server's picture of one of the three maps of a comparison.
func (p *View) Compared(c address.Comparison, which string, x *exhibit.Exhibit, width int) components.Image {
	img := cells(sizeOf(x), width, c.Theme, url.Values{address.Map: {which}}, func(theme string, v url.Values) string {
		c.Theme = theme
		return address.CompareFigure(c, "png", v)
	})
	img.Alt = p.Say(x.Alt())
	return img
}
