package wall

import (
	"context"
	"net/url"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// SmallPicture returns a small picture of a map of two axes of the only mechanism of a state: the map with a name, or
// the main map. It returns the zero Image if there is no such map. An error is temporary.
func (p *View) SmallPicture(ctx context.Context, st address.State, id, name string) (components.Image, error) {
	report, err := p.Site.Report(ctx, st.Request(), p.Site.Inspector.Inspect)
	if err != nil {
		return components.Image{}, site.Passing(err)
	}
	sel := exhibit.Select(report, st.Choice)
	x, err := sel.Exhibit(id, name, 0)
	if err != nil || len(x.Map.Axes) != 2 {
		if x, err = sel.Exhibit(id, "", 0); err != nil {
			return components.Image{}, site.Passing(err)
		}
	}
	img := p.Picture(st, x, ThumbWidth)
	img.Alt = p.Say(x.Alt())
	return img, nil
}

// cardWidth is the approximate width in CSS pixels of a map on a card, and thumbWidth that of a small map.
const (
	CardWidth  = 320
	ThumbWidth = 128
)

// mostPictured is the largest number of planes that get pictures without scripts. With more, each plane is a link to
// its figure.
const mostPictured = 4

// pictures adds to a map the links to its pictures and figures.
func (p *View) pictures(v *components.Map, x *exhibit.Exhibit, st address.State) {
	for i, label := range x.Planes {
		plane, err := p.Sel.Exhibit(x.Result.ID, x.Name, i+1)
		if err != nil {
			continue // the map has as many planes
		}
		one := components.Plane{Label: p.Say(label), Export: p.export(st, plane)}
		if len(x.Planes) <= mostPictured {
			one.Image = p.image(st, plane, CardWidth)
		}
		v.Planes = append(v.Planes, one)
	}
	if len(x.Planes) > 0 {
		v.Stack = x.Layout.Stack.String()
	}
	v.Export = p.export(st, x)
	if v.Wiring == nil {
		v.Image = p.image(st, x, CardWidth)
	}
}

// export returns the link to the figure of a map.
func (p *View) export(st address.State, x *exhibit.Exhibit) components.Link {
	return components.Link{Label: "PNG", Hint: p.T("export.figure"), Download: x.FileName("png"),
		URL: address.Export(st, x.Result.ID, "png", mapKeys(x))}
}

// mapKeys returns the parameters that name a map in addresses.
func mapKeys(x *exhibit.Exhibit) url.Values {
	v := url.Values{address.Map: {x.Name}}
	if x.Plane > 0 {
		v.Set(address.Plane, strconv.Itoa(x.Plane))
	}
	return v
}

// image returns the server's picture of a map, and its description in words.
func (p *View) image(st address.State, x *exhibit.Exhibit, width int) components.Image {
	if p.Folds.scripted {
		return components.Image{}
	}
	img := p.Picture(st, x, width)
	img.Alt = p.Say(x.Alt())
	return img
}

// Picture returns the server's picture of a map.
func (p *View) Picture(st address.State, x *exhibit.Exhibit, width int) components.Image {
	return cells(sizeOf(x), width, st.Theme, mapKeys(x), func(theme string, v url.Values) string {
		st.Theme = theme
		return address.Export(st, x.Result.ID, "png", v)
	})
}

// sizeOf returns the number of rows and columns of a map.
func sizeOf(x *exhibit.Exhibit) [2]int {
	g := x.Grid()
	return [2]int{g.Rows, g.Cols}
}

// cells returns a picture that shows only the cells of a map, about as wide as asked for. It has the page's theme, or
// both themes if the visitor's system decides. The function in returns the address for a theme.
func cells(size [2]int, width int, theme string, v url.Values,
	in func(theme string, v url.Values) string) components.Image {
	rows, cols := size[0], size[1]
	scale := min(max(width/cols, 1), 32)
	v.Set(address.Bare, "1")
	v.Set(address.Scale, strconv.Itoa(scale))
	img := components.Image{Width: cols * scale, Height: rows * scale}
	if theme != address.Themes[0] {
		img.URL = in(theme, v)
		return img
	}
	img.URL, img.Dark = in(figure.Light.String(), v), in(figure.Dark.String(), v)
	return img
}
