package wall

import (
	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
)

// scatter plots a card's map against its influence, if the page shows that.
func (p *View) scatter(res *engine.Result) components.Scatter {
	if p.State.Show != exhibit.Influence {
		return components.Scatter{}
	}
	c := p.Sel.Scatter(res)
	if c == nil {
		return components.Scatter{}
	}
	s := components.Scatter{Rank: p.Say(c.Rank())}
	if note := exhibit.EstimateNote(res); !note.IsZero() {
		exact := p.State
		exact.Exact, exact.Mechanisms = true, []string{res.ID}
		s.Says = append(s.Says, p.Say(note))
		s.Exact = components.Link{Label: p.T("scatter.exact"), URL: p.URL(exact)}
	}
	if len(c.Shown) == 0 {
		return s
	}
	s.X, s.Y = c.Map.View.Symbol+" · "+p.Say(c.Map.Head), "‖∂yᵢ/∂xⱼ‖"
	mostX, mostY := largestOrOne(c.Shown), largestOrOne(c.Moves)
	s.MostX, s.MostY = messages.Number(mostX), messages.Number(mostY)
	at := func(x, y float64) components.ScatterPoint {
		return components.ScatterPoint{X: max(x, 0) / mostX, Y: y / mostY}
	}
	for i, x := range c.Shown {
		s.Points, s.Cells = append(s.Points, at(x, c.Moves[i])), append(s.Cells, c.Cells[i])
	}
	s.Words = len(p.Sel.Report.TokensOf(res))
	for i, says := range c.Says() {
		o := c.Outliers[i]
		sentence := p.Say(says)
		s.Outliers = append(s.Outliers, components.Outlier{ScatterPoint: at(o.Value, o.Moved), Says: sentence})
		s.Says = append(s.Says, sentence)
	}
	return s
}

// largestOrOne returns the largest of some numbers, or 1 if none is above 0.
func largestOrOne(values []float64) float64 {
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	if top == 0 {
		return 1
	}
	return top
}
