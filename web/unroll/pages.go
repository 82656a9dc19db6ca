// Package unroll takes a forward pass apart: its steps, the hashing of Reformer, the adaptive
// computation of the Universal Transformer, and the recomputation of reversible layers.
package unroll

import (
	"embed"
	"slices"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/unroll"
	"attnatlas/static"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed *.js *.css
var own embed.FS

var files = static.Add("unroll", own)

// Style is the style sheet of the page of steps, which similar pages share.
const Style = "unroll/steps.css"

// pages are the handlers of this package.
type pages struct{ *site.Server }

// Pages returns the pages that take a model apart: the steps of a pass, hashing, adaptive
// computation and reversible layers.
func Pages(server *site.Server) []site.Page {
	s := &pages{server}
	word := []string{address.Text, address.Mechanisms, address.Layer, address.PinKey, address.Mask, address.CutKey,
		address.Compute}
	steps := address.Takes{State: slices.Concat(word, []string{address.Task}), Own: throughTable}
	one := address.Takes{State: slices.Concat(word, []string{address.Head})}
	hashing := address.Takes{State: one.State, Own: hashesTable}
	page := func(path string, serve site.Answer, of func(*site.Mechanism) string, data site.Data) site.Page {
		data.ID, data.API, data.Beside = path[1:], true, path+".json"
		return site.Page{Path: path, Serve: s.Asked(&data, serve), Of: of, Data: &data}
	}
	return []site.Page{
		page(address.StepsPath, s.serveSteps, nil,
			site.Data{Answer: s.serveStepsJSON, Usual: site.UsualModel(""), Takes: steps, Out: Steps{}}),
		page(hashingPath, s.serveHashing, ofReformer,
			site.Data{Answer: s.serveHashingJSON, Usual: site.UsualModel(attention.Reformer.ID), Takes: hashing,
				Out: unroll.Hashing{}}),
		page(ponderingPath, s.servePondering, ofStack(encoder.Universal.ID, "pondering.link"),
			site.Data{Answer: s.servePonderingJSON, Usual: site.UsualModel(encoder.Universal.ID), Takes: one,
				Out: unroll.Pondering{}}),
		page(reversingPath, s.serveReversing, ofStack(encoder.Reversible.ID, "reversing.link"),
			site.Data{Answer: s.serveReversingJSON, Usual: site.UsualModel(encoder.Reversible.ID), Takes: one,
				Out: unroll.Reversing{}}),
	}
}

// ofReformer returns the id of the link from mechanisms and architectures with Reformer's hashing.
func ofReformer(m *site.Mechanism) string {
	if m.Mixer().ID == attention.Reformer.ID && !m.Generates() {
		return "hashing.link"
	}
	return ""
}

// ofStack returns a function for the link from an architecture, with any mixer.
func ofStack(id, label string) func(*site.Mechanism) string {
	return func(m *site.Mechanism) string {
		if m.Stack != nil && m.Stack.ID == id {
			return label
		}
		return ""
	}
}
