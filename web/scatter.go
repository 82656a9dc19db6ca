package web

import (
	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
)

// scatter is a card's map beside its influence, where that is what the page shows.
func (p *page) scatter(res *engine.Result) components.Scatter {
	if p.state.Show != exhibit.Influence {
		return components.Scatter{}
	}
	c := p.sel.Scatter(res)
	if c == nil {
		return components.Scatter{}
	}
	s := components.Scatter{Rank: p.say(c.Rank())}
	if note := exhibit.EstimateNote(res); !note.IsZero() {
		exact := p.state
		exact.Exact, exact.Mechanisms = true, []string{res.ID}
		s.Says = append(s.Says, p.say(note))
		s.Exact = components.Link{Label: p.t("scatter.exact"), URL: p.url(exact)}
	}
	if len(c.Shown) == 0 {
		return s
	}
	s.X, s.Y = c.Map.View.Symbol+" · "+p.say(c.Map.Head), "‖∂yᵢ/∂xⱼ‖"
	mostX, mostY := most(c.Shown), most(c.Moves)
	s.MostX, s.MostY = messages.Number(mostX), messages.Number(mostY)
	at := func(x, y float64) components.ScatterPoint {
		return components.ScatterPoint{X: max(x, 0) / mostX, Y: y / mostY}
	}
	for i, x := range c.Shown {
		s.Points, s.Cells = append(s.Points, at(x, c.Moves[i])), append(s.Cells, c.Cells[i])
	}
	s.Words = len(p.sel.Report.Tokens)
	for i, says := range c.Says() {
		o := c.Outliers[i]
		sentence := p.say(says)
		s.Outliers = append(s.Outliers, components.Outlier{ScatterPoint: at(o.Value, o.Moved), Says: sentence})
		s.Says = append(s.Says, sentence)
	}
	return s
}

// most is the largest of numbers, or 1 where none is above 0.
func most(values []float64) float64 {
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	if top == 0 {
		return 1
	}
	return top
}
