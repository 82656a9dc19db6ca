// Package export serves figures, and the pages for exporting them.
package export

import (
	"embed"

	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("export", own)

// pages are the handlers of this package.
type pages struct{ *wall.Views }

// formatTable is the table with the file format.
var formatTable = address.ParamTable[string]{address.String(address.Format, func(name *string) *string { return name })}

// Pages returns the figures of maps, the export pages, and the page about embedding.
func Pages(v *wall.Views) []site.Page {
	s := &pages{v}
	figures := address.Takes{Own: address.FigureTable,
		State: []string{address.Text, address.Layer, address.Head, address.Mask, address.Task, address.Norm,
			address.Cmap, address.Theme, address.Draw, address.Arrange, address.Special, address.PinKey, address.Compute}}
	takes := address.Takes{Own: address.Both{address.FigureTable, formatTable},
		State: []string{address.Text, address.Layer, address.Head, address.Theme, address.Arrange, address.Special}}
	take := &site.Data{ID: "take", Beside: "/take/{take}.json", Serve: s.serveTakeJSON, Takes: takes, Out: Take{}}
	return []site.Page{
		{Path: "/embedding", Aim: site.TakeAway,
			Serve: s.serveEmbedding},
		{Path: "/take/{take}", Aim: site.TakeAway, Title: "take.link", Summary: "take.lead",
			Serve: s.serveTake, Names: s.takeIDs, Data: take},
		{Data: &site.Data{ID: "export", Beside: "/export/{file}", Serve: s.serveExport,
			Takes: figures}}, // names can contain dots
	}
}

// takeIDs returns the ids of the export pages.
func (s *pages) takeIDs() []string { return append([]string{address.WallFile}, s.MechanismIDs()...) }
