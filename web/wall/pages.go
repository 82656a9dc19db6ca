// Package wall shows the maps of several mechanisms for one text side by side. It also has the parts that all pages
// with maps of a text share: reading and inspecting a state, cards, pictures, words, pins and exclusions.
package wall

import (
	"slices"

	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// Views makes the parts that all pages with maps of a text share.
type Views struct{ *site.Server }

// New returns the wall of a server.
func New(s *site.Server) *Views { return &Views{s} }

// AttendTakes are the parameters of requests for maps.
var AttendTakes = address.Takes{Own: address.NamesTable,
	State: []string{address.Text, address.Mechanisms, address.Layer, address.Head, address.Mask,
		address.Task, address.Show, address.Sinks, address.Mass, address.Top, address.Exact, address.CutKey, address.Compute}}

// drawingTakes are the parameters of requests for the maps that pages draw.
var drawingTakes = address.Takes{State: slices.Concat(AttendTakes.State, []string{address.Norm, address.Other,
	address.Arrange, address.Special}),
	Own: address.Both{address.NamesTable, address.DrawnTable}}

// Pages returns the wall, its frame for other sites, and the numbers of maps.
func (s *Views) Pages() []site.Page {
	race := []string{address.Text, address.Was, address.Race, address.Mechanisms, address.Mask, address.CutKey,
		address.Compute}
	attend := site.Data{ID: "attend", Answer: s.ServeAttend, Takes: AttendTakes, Out: api.Attend{}}
	numbers, framed := attend, attend
	numbers.API, numbers.Beside, framed.Beside = true, "/wall.json", site.EmbedPath+".json"
	return []site.Page{
		{Path: "/", Aim: site.Look, Title: "layout.wall", Summary: "wall.summary", Serve: s.serveWall,
			Data: &numbers},
		{Path: site.EmbedPath, Serve: s.serveEmbed, Data: &framed},
		{Data: &site.Data{ID: "drawing", API: true, Answer: s.serveDrawing, Takes: drawingTakes, Out: api.Drawing{}}},
		{Data: &site.Data{ID: "attention", API: true, Serve: s.serveAttention, Asks: AttentionQuestion{},
			Out: Attention{}}},
		{Data: &site.Data{ID: "race", API: true, Answer: s.serveRace,
			Takes: address.Takes{State: race, Own: address.HideTable}, Out: Race{}}},
		{Data: &site.Data{ID: "oembed", Beside: site.OEmbedPath, Serve: s.serveOEmbed,
			Takes: address.Takes{Own: embeddedTable}, Out: OEmbed{}}},
	}
}
