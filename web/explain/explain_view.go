package explain

import (
	"fmt"
	"math"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/explain"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// explainView returns the view of the page that traces a number.
func (s *pages) explainView(l *messages.Language, x explained) pageView {
	e := s.Find(x.asked.ID)
	first := x.found.Steps[0]
	v := pageView{
		Page: s.Head(l, "explain", l.T("explain.title"), l.T("explain.summary"), x.state).With(files...),
		Name: l.Say(e.Name), Value: site.Number(first.Value),
		Place:   exhibit.PlaceIn(l, first.Array, first.At, x.found.Tokens),
		Formula: e.Formula, DataURL: x.asked.URL("/api/v1/explain", x.state),
	}
	back := x.state
	v.Back = components.Link{Label: l.T("explain.back", "name", v.Name), URL: address.Mechanism(back, x.asked.ID)}
	for _, one := range x.found.Steps {
		v.Steps = append(v.Steps, explainStep(l, x, one))
	}
	return v
}

// explainStep returns the view of one step.
func explainStep(l *messages.Language, x explained, one explain.ExplainedStep) NumberStep {
	o := one.Origin
	operation := exhibit.OperationOf(one)
	step := NumberStep{
		Name: exhibit.ArrayName(l, one.Array), Place: exhibit.PlaceIn(l, one.Array, one.At, x.found.Tokens),
		Tex: one.Array.Tex, Value: exhibit.Digits(one.Value), Filled: exhibit.Filled(one),
		Operation: operation, How: l.T("explain.how." + operation), Exact: exhibit.WithAllDigits(one.Value),
		Given: operation == "given",
		Own:   o.Own, Scale: exhibit.WithAllDigits(o.Scale), Constant: exhibit.WithAllDigits(o.Constant),
		Eps: exhibit.WithAllDigits(o.Eps), Size: exhibit.WithAllDigits(one.Size), Function: o.Function,
	}
	if o.Function != "" {
		step.How = l.T("explain.function." + o.Function)
	}
	switch {
	case step.Given && one.Source.Param:
		step.How = l.T("explain.parameter", "name", one.Source.Name)
	case step.Given:
		step.How = l.T("explain.constant")
	}
	for _, group := range []struct {
		role   string
		strips []explain.Strip
	}{{"x", one.X}, {"y", one.Y}, {"plus", one.Plus}} {
		for _, strip := range group.strips {
			step.Strips = append(step.Strips, explainStrip(l, x, group.role, strip, one))
		}
	}
	return step
}

// explainStrip draws the operands of one array, on a scale of their own around 0.
func explainStrip(l *messages.Language, x explained, role string, strip explain.Strip, of explain.ExplainedStep) Strip {
	v := Strip{Role: role, Name: exhibit.ArrayName(l, strip.Array)}
	top := 0.0
	for _, value := range strip.Values {
		top = max(top, math.Abs(value))
	}
	table := figure.Diverging(x.state.PaperTheme())
	var numbers []string
	for k, value := range strip.Values {
		share := 0.5
		if top > 0 {
			share = (value/top + 1) / 2
		}
		c := table[int(math.Round(share*float64(len(table)-1)))]
		asked := Asked{ID: x.asked.ID, Array: strip.Array.Number, Place: strip.Places[k], Word: x.asked.Word}
		title := exhibit.PlaceIn(l, strip.Array, explain.AlongAxes(strip.Array.Shape, strip.Places[k]),
			x.found.Tokens) + " = " + exhibit.Digits(value)
		v.Cells = append(v.Cells, operandCell{
			Fill: fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]), Title: title, URL: asked.URL(address.ExplainPath, x.state),
			Own: role == "x" && exhibit.IsOwn(of, k),
		})
		numbers = append(numbers, exhibit.WithAllDigits(value))
	}
	v.Numbers = strings.Join(numbers, " ")
	return v
}
