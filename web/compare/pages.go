// Package compare shows two maps and how they differ.
package compare

import (
	"embed"
	"slices"

	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

//go:embed *.css
var own embed.FS

var files = static.Add("compare", own)

// pages serves the pages of two maps.
type pages struct{ *wall.Views }

// Pages returns the comparison of two maps, and the data that scripts draw.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	takes := []string{address.Text, address.Other, address.Mechanisms, address.Layer, address.Head, address.Mask,
		address.Show, address.CutKey, address.Compute}
	drawing := slices.Concat(takes, []string{address.Norm, address.Sinks, address.Mass, address.Top})
	numbers := &site.Data{ID: "compare", API: true, Beside: "/compare.json", Answer: s.serveCompareJSON,
		Takes: address.Takes{State: takes, Own: address.ComparisonTable}, Out: Compare{}}
	drawn := address.Takes{State: drawing, Own: address.Both{address.ComparisonTable, address.DrawnTable}}
	return []site.Page{
		{Path: "/compare", Aim: site.Compare, Summary: "compare.about",
			Serve: s.serveCompare, Data: numbers},
		{Data: &site.Data{ID: "compare-drawing", API: true, Answer: s.serveCompareDrawing, Takes: drawn, Out: api.Drawing{}}},
	}
}
