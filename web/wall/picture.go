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

// SmallPicture is a small picture of a map of two axes of a mechanism, alone in the state: of the
// map of a name, or of the main one; the zero Image where there is none. The error is one that passes.
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

// cardWidth is about how many CSS pixels a map of a card is wide, and thumbWidth a small one.
const (
	CardWidth  = 320
	ThumbWidth = 128
)

// mostPictured is the most planes that have pictures without scripts; of more, each is
// a link to its figure.
const mostPictured = 4

// pictures links a map to its pictures and figures.
func (p *View) pictures(v *components.Map, x *exhibit.Exhibit, st address.State) {
	for i, label := range x.Planes {
		plane, err := p.Sel.Exhibit(x.Result.ID, x.Name, i+1)
		if err != nil {
			continue // the planes are as many as the map has
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

// export is the figure of a map.
func (p *View) export(st address.State, x *exhibit.Exhibit) components.Link {
	return components.Link{Label: "PNG", Hint: p.T("export.figure"), Download: x.FileName("png"),
		URL: address.Export(st, x.Result.ID, "png", mapKeys(x))}
}

// mapKeys name a map in addresses.
func mapKeys(x *exhibit.Exhibit) url.Values {
	v := url.Values{address.Map: {x.Name}}
	if x.Plane > 0 {
		v.Set(address.Plane, strconv.Itoa(x.Plane))
	}
	return v
}

// image is the server's picture of a map with what it shows in words.
func (p *View) image(st address.State, x *exhibit.Exhibit, width int) components.Image {
	if p.Folds.scripted {
		return components.Image{}
	}
	img := p.Picture(st, x, width)
	img.Alt = p.Say(x.Alt())
	return img
}

// Picture is the server's picture of a map.
func (p *View) Picture(st address.State, x *exhibit.Exhibit, width int) components.Image {
	return cells(sizeOf(x), width, st.Theme, mapKeys(x), func(theme string, v url.Values) string {
		st.Theme = theme
		return address.Export(st, x.Result.ID, "png", v)
	})
}

// sizeOf is how many rows and columns a map has.
func sizeOf(x *exhibit.Exhibit) [2]int {
	g := x.Grid()
	return [2]int{g.Rows, g.Cols}
}

// cells are a picture of the cells of a map and nothing else, about as wide as asked for, in the
// page's theme, or in both when the visitor's system decides. in is the address of a theme's.
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
