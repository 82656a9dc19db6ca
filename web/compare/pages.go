// Package compare shows two maps and how they differ.
package compare

import (
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// pages are those of two maps.
type pages struct{ *wall.Views }

// Pages are the comparison of two maps, and what scripts draw of it.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	takes := address.Parameters(address.Text, address.Other, address.SideA, address.SideB, address.Mechanisms, address.Layer, address.Head, address.Mask,
		address.Show, address.CutKey, address.Compute)
	drawing := append(takes, address.Parameters(address.Of, address.Norm, address.Numbers, address.Sinks, address.Mass, address.Top)...)
	numbers := &site.Data{ID: "compare", API: true, Beside: "/compare.json", Serve: s.serveCompareJSON, Usual: site.UsualText, Takes: takes, Out: api.Compare{}}
	return []site.Page{
		{Path: "/compare", Serve: s.serveCompare, Data: numbers},
		{Data: &site.Data{ID: "compare-drawing", API: true, Serve: s.serveCompareDrawing, Takes: drawing, Out: api.Drawing{}}},
	}
}
