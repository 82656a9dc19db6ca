package web

import (
	"fmt"
	"math"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/metrics"
	"attnatlas/engine/trace"
)

// legend explains the colours of a map as it was quantised, in the words that
// figures use too.
func legend(g *figure.Grid, t trace.Map, st State) components.Legend {
	words := g.Legend()
	if t.Name == engine.Influence {
		words.Text = influenceTitle(words.Text)
	}
	l := components.Legend{
		Norm:  g.Scale.Norm.String(),
		Title: words.Text,
		Scale: st.Cmap.String(),
		Ticks: ticks(&g.Scale),
	}
	if g.Scale.Norm == figure.Shared {
		l.SharedMax = g.Scale.Max
	}
	switch {
	case g.Scale.Category:
		l.Scale = "categorical"
	case g.Scale.Diverging():
		l.Scale = "diverging"
	}
	for _, h := range words.Hues {
		l.Hues = append(l.Hues, components.Hue{Index: int(h.Index) * figure.Steps / 256, Label: h.Text})
	}
	for _, note := range words.Nothing {
		l.Nothing = append(l.Nothing, components.Nothing{Kind: components.NothingKind(note.Class.String()), Label: note.Text})
	}
	return l
}

// ticks are the values at the ends and in the middle of the colour bar.
func ticks(s *figure.Scale) []string {
	switch s.Norm {
	case figure.Log:
		floor := 1 / (1000 * float64(s.Columns))
		return []string{components.Number(floor), components.Number(math.Sqrt(floor)), "1"}
	case figure.Uniform:
		most := fmt.Sprint(1 << figure.Octaves)
		return []string{"1/" + most + " ×", "1 ×", most + " ×"}
	case figure.PerRow:
		if s.Signed {
			return []string{"−row max", "0", "row max"}
		}
		return []string{"0", "half", "row max"}
	}
	if s.Category {
		return nil
	}
	top := s.Top(0)
	if s.Signed {
		return []string{components.Number(-top), "0", components.Number(top)}
	}
	return []string{"0", components.Number(top / 2), components.Number(top)}
}

// sumTolerance is how far a row of float32 probabilities may be from 1: the
// rounding of a sum of a few hundred terms, with a decimal to spare.
const sumTolerance = 1e-5

// badge says of a card's maps whether their rows sum to 1 where they must.
func badge(views []shownMap) components.Badge {
	worst, symbols := 0.0, []string{}
	for _, v := range views {
		if v.t.Kind != trace.Probability {
			continue
		}
		if d := metrics.RowSumDeviation(v.t); !(d <= worst) {
			worst = d
		}
		symbols = append(symbols, v.view.Symbol)
	}
	main := views[0]
	if len(symbols) == 0 {
		return components.Badge{State: components.ByDesign, Text: noSumRule(main)}
	}
	b := components.Badge{State: components.Holds}
	holds := worst <= sumTolerance
	if main.t.Kind == trace.Probability {
		b.Text = "rows Σ = 1, max deviation " + components.Number(worst)
	} else {
		b.State = components.ByDesign
		b.Text = fmt.Sprintf("%s: Σ = 1, max deviation %s; %s", strings.Join(symbols, ", "), components.Number(worst), noSumRule(main))
	}
	if !holds {
		b.State = components.Fails
	}
	return b
}

func noSumRule(v shownMap) string {
	if v.t.Name == engine.Influence {
		return "no sum rule: each cell is the size of a derivative"
	}
	return v.view.Symbol + " is not row-stochastic by design"
}

// facts are what was measured on a card's maps.
func facts(m *engine.Result, views []shownMap) []components.Fact {
	if views[0].t.Name == engine.Influence {
		return influenceFacts(m, views[0].t)
	}
	var list []components.Fact
	add := func(label, value, help string) {
		list = append(list, components.Fact{Label: label, Value: value, Help: help})
	}
	for i, v := range views {
		if v.t.Kind != trace.Probability {
			continue
		}
		name := ""
		if i > 0 || len(views) > 1 {
			name = " of " + v.view.Symbol
		}
		add("entropy"+name, components.Number(metrics.Entropy(v.t))+" bits",
			fmt.Sprintf("mean over the rows; %s bits if all %d were read alike",
				components.Number(math.Log2(float64(v.grid.Cols))), v.grid.Cols))
		if _, pairs := v.t.Has(trace.Query); pairs && v.t.Axes[len(v.t.Axes)-1].Role == trace.Key {
			add("mean distance", components.Number(metrics.MeanDistance(v.t))+" tokens",
				"Σ A·|i−j|: how far away a word reads, on average")
		}
	}
	list = append(list, stackFacts(m)...)
	add("time", components.Millis(m.Elapsed), "measured: the forward pass of this mechanism, all layers and heads")
	if m.Model != nil {
		add("parameters", components.Grouped(m.Model.Params), "trainable numbers of the whole model")
	}
	return list
}
