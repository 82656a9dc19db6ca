package web

import (
	"fmt"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/nn"
)

// advice is what a visitor can do about a card without a map: look at a layer that it
// has, at it without the mask that is not defined for it, or at as many tokens as its
// model was trained for.
func (s *Server) advice(p *wallPage, m *engine.Result, e *subject) components.Link {
	st := p.state
	switch {
	case e == nil:
		return components.Link{}
	case e.Stack != nil && m.Model == nil && e.ID != e.Stack.ID && s.trained(e.Stack.ID):
		st.Mechanisms = replaced(st.Mechanisms, e.ID, e.Stack.ID)
		return components.Link{Label: "Show " + e.Stack.Name + " with its own mixer", URL: p.url(st)}
	case m.Err == nil && len(m.Layers) > 0 && st.Layer > len(m.Layers):
		st.Layer = len(m.Layers)
		return components.Link{Label: "Show " + m.Layers[st.Layer-1].Name + " everywhere", URL: p.url(st)}
	case e.NoRollout != "" && st.Show == ShowRollout:
		st.Show = ShowMaps
		return components.Link{Label: "Show the maps", URL: p.url(st)}
	case e.Masks.NoCausal != "" && st.Mask == nn.Causal:
		st.Mask = nn.NoMask
		return components.Link{Label: "Show it without a mask", URL: p.url(st)}
	}
	switch {
	case m.Model != nil && len(p.report.Tokens) > m.Model.Length:
	case e.writes():
		return components.Link{Label: "Let it write", URL: mechanismPath(e.ID)}
	default:
		return components.Link{}
	}
	last := p.report.Tokens[m.Model.Length-2] // the end needs a place for [SEP]
	st.Text = st.Text[:last.End]
	return components.Link{Label: fmt.Sprintf("Show the first %d tokens", m.Model.Length), URL: p.url(st)}
}

// replaced is a list with one id in the place of another.
func replaced(ids []string, old, id string) []string {
	var all []string
	for _, one := range ids {
		if one == old {
			one = id
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
