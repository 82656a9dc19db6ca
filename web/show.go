package web

import (
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// Show is what the cards show.
type Show uint8

// The things to show.
const (
	ShowMaps      Show = iota // what each mechanism computes
	ShowInfluence             // ‖∂y_i/∂x_j‖, which all have
	ShowRollout               // what came from where, through all layers
)

var showNames = [...]string{"maps", "influence", "rollout"}

func (s Show) String() string { return showNames[s] }

// What the values of maps are that are made of others.
const (
	influenceNoun = "influence"
	rolloutNoun   = "share"
)

// influenceView reads the map of influence as a mechanism's views read theirs.
func influenceView() attention.View {
	return attention.View{
		Map: engine.Influence, Symbol: "‖∂yᵢ/∂xⱼ‖",
		Caption: "how much the row’s output moves when the column’s input moves",
	}
}

// rolloutView reads the map of rollout likewise.
func rolloutView() attention.View {
	return attention.View{
		Map: engine.Rollout, Symbol: "R",
		Caption: "share of the row’s word that comes from the column’s, if weights and residual connections were all that counts",
	}
}

// derived is the view of a map that is made of a model's others, in the same way for all.
func derived(name string) (attention.View, bool) {
	switch name {
	case engine.Influence:
		return influenceView(), true
	case engine.Rollout:
		return rolloutView(), true
	}
	return attention.View{}, false
}

// derived is the only map that cards show in this state, or none.
func (s Show) derived() (attention.View, bool) {
	if s == ShowMaps {
		return attention.View{}, false
	}
	return derived(s.String())
}

// views are the maps that a card shows in this state, the main one first.
func (s State) views(e *attention.Entry) []attention.View {
	if v, ok := s.Show.derived(); ok {
		return []attention.View{v}
	}
	return e.Views
}

// mainMap is the name of the map that a card shows first in this state.
func (s State) mainMap(e *attention.Entry) string {
	if v, ok := s.Show.derived(); ok {
		return v.Map
	}
	return mainMap(e)
}

// influenceLayer is the layer to measure; 0: none.
func (s State) influenceLayer() int {
	if s.Show == ShowInfluence {
		return max(s.Layer, 1)
	}
	return 0
}

// showFor is the state in which a map is shown: naming the map of influence or rollout asks
// for it, and naming only others leaves nothing to measure.
func (s State) showFor(maps ...string) State {
	s.Show = ShowMaps
	for _, name := range maps {
		switch name {
		case engine.Influence:
			s.Show = ShowInfluence
		case engine.Rollout:
			s.Show = ShowRollout
		}
	}
	return s
}

// normFor is the normalisation of a map: influences are no shares of anything,
// so that a scale made for shares has no meaning for them; and the rows of a map of steps
// or layers share a scale.
func (s State) normFor(t trace.Map) figure.Norm {
	if t.Name == engine.Influence && (s.Norm == figure.Log || s.Norm == figure.Uniform) {
		return figure.PerMap
	}
	if len(t.Axes) > 0 && (t.Axes[0].Role == trace.Ponder || t.Axes[0].Role == trace.Layer) && s.Norm != figure.Absolute {
		return figure.PerMap // rows are steps or layers, which are to be compared
	}
	if s.Norm == figure.PerRow && len(t.Axes) == 1 && (t.Kind == trace.Gate || t.Kind == trace.Count) {
		return figure.PerMap // its only row: the same colours, but the legend says true numbers
	}
	return s.Norm
}

// headsOf says whose a map is, in words.
func headsOf(t trace.Map, head, heads int) string {
	if _, ok := derived(t.Name); ok {
		return "all heads together"
	}
	return headPhrase(head, heads)
}

// headPart is the head in the name of a map's file.
func headPart(t trace.Map, head int) string {
	if _, ok := derived(t.Name); ok {
		return "all"
	}
	return headName(head)
}

// influenceTitle is the legend's title, from that of a figure.
func influenceTitle(title string) string {
	v := influenceView()
	_, rule, _ := strings.Cut(title, influenceNoun)
	return v.Symbol + ": " + v.Caption + strings.TrimSuffix(" ("+strings.TrimLeft(rule, ", ")+")", " ()")
}

// influenceFacts are what was measured on a map of influence.
func influenceFacts(m *engine.Result, t trace.Map) []components.Fact {
	shares := metrics.RowShares(t)
	return []components.Fact{
		{Label: "mean distance", Value: components.Number(metrics.MeanDistance(shares)) + " tokens",
			Help: "Σ I·|i−j| ÷ Σ I for each row: from how far away an output is moved, on average"},
		{Label: "diagonal", Value: components.Number(100*metrics.Diagonal(shares)) + " %",
			Help: "Iᵢᵢ ÷ Σ I for each row, on average: how much of what moves an output is its own input"},
		{Label: "time", Value: components.Millis(m.Measured),
			Help: "measured: all derivatives of this layer’s mixer, on one core"},
	}
}
