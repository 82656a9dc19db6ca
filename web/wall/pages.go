// Package wall shows the maps of several mechanisms for one text side by side. What all pages with maps of a text
// have is here, too: how a state is read and inspected, cards, pictures, words, pins and cuts.
package wall

import (
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// Views makes what pages with maps of a text have in common.
type Views struct{ *site.Server }

// New is the wall of a server.
func New(s *site.Server) *Views { return &Views{s} }

// Pages are the wall, its frame for other sites, and the numbers of maps.
func (s *Views) Pages() []site.Page {
	attend := address.Parameters(address.Text, address.Mechanisms, address.Layer, address.Head, address.Mask, address.Task, address.Map, address.Show,
		address.Sinks, address.Mass, address.Top, address.Exact, address.CutKey, address.Compute)
	drawing := address.Parameters(address.Text, address.Mechanisms, address.Of, address.Layer, address.Head, address.Mask, address.Task, address.Show,
		address.Map, address.Exact, address.CutKey, address.Compute, address.Norm, address.Other, address.Numbers, address.Sinks, address.Mass, address.Top)
	race := address.Parameters(address.Text, address.Hide, address.Was, address.Race, address.Mechanisms, address.Mask, address.CutKey, address.Compute)
	numbers := &site.Data{ID: "attend", API: true, Beside: "/wall.json", Serve: s.ServeAttend, Usual: site.UsualText, Takes: attend, Out: api.Attend{}}
	framed := &site.Data{ID: "attend", Beside: site.EmbedPath + ".json", Serve: s.ServeAttend, Usual: site.UsualText, Takes: attend, Out: api.Attend{}}
	return []site.Page{
		{Path: "/", Serve: s.serveWall, Data: numbers},
		{Path: site.EmbedPath, Serve: s.serveEmbed, Data: framed},
		{Data: &site.Data{ID: "drawing", API: true, Serve: s.serveDrawing, Takes: drawing, Out: api.Drawing{}}},
		{Data: &site.Data{ID: "race", API: true, Serve: s.serveRace, Takes: race, Out: api.Race{}}},
		{Data: &site.Data{ID: "oembed", Beside: site.OEmbedPath, Serve: s.serveOEmbed, Takes: address.Parameters("url", "format", "maxwidth", "maxheight"), Out: api.OEmbed{}}},
	}
}
