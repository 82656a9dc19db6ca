package cost

import (
	"slices"
	"strconv"
	"time"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/admission"
	"attnatlas/web/site"

	"github.com/a-h/templ"
)

// costView builds the cost page.
type costView struct {
	s    *pages
	l    *messages.Language
	c    costed
	m    measured
	rows []costs.MechanismCost // with default options, in the order of the catalogue
}

// costPage returns the cost page.
func (s *pages) costPage(l *messages.Language, c costed, m measured) templ.Component {
	v := &costView{s: s, l: l, c: c, m: m}
	for i := range attention.Catalog {
		v.rows = append(v.rows, costs.Of(&attention.Catalog[i], c.asked.Sizes, nil, m.points))
	}
	page := pageView{
		Page: s.Head(l, "cost", l.T("cost.title"), l.T("cost.summary"), c.state).With(files...), Form: v.form(),
		Measuring: v.measuring(),
		Legend:    v.legend(func(id string) string { return v.address(costPath, id) }), Says: v.says(),
		JSON: v.address("/api/v1/cost", c.entry.ID),
	}
	if m.Running {
		page.Again = 2
	}
	if c.bad != nil {
		page.Problem = site.FullStop(l.Say(site.MessageOf(c.bad)))
	}
	if len(m.points) > 0 {
		page.Plots = []components.Plot{v.timePlot(), v.bytesPlot()}
	}
	page.Tables = append(page.Tables, v.chosen(), v.counted(), v.kept(), v.shared())
	if t := v.roofed(); len(t.Rows) > 0 {
		page.Tables = append(page.Tables, t)
	}
	page.Tables = append(page.Tables, v.claimed())
	return Cost(page)
}

// address returns the URL of the page, or of the data, with a mechanism.
func (v *costView) address(path, id string) string {
	c := v.c.asked
	if id != v.c.entry.ID {
		c.Options = nil
	}
	c.Mechanism, c.Measure = id, ""
	return c.url(path, costTable, v.c.state, v.c.usual)
}

func (v *costView) name(id string) string {
	e, stack, _ := engine.Find(id)
	if stack != nil {
		return v.l.Say(stack.Name)
	}
	return v.l.Say(e.Name)
}

// form returns the form with the sliders.
func (v *costView) form() SizeForm {
	s := v.c.asked.Sizes
	size := func(key string, value, from, to, step int) components.Slider {
		return components.Slider{
			ID: "cost-" + key, Key: key, Label: v.l.T("cost.size." + key), Help: v.l.T("cost.size." + key + "-help"),
			Value: strconv.Itoa(value), From: min(from, value), To: max(to, value), Step: step,
		}
	}
	f := SizeForm{Action: costPath, Chosen: v.name(v.c.entry.ID)}
	f.Sizes = []components.Slider{
		size(lengthKey, s.Length, 1, 4096, 1), size(positionsKey, s.Positions, 1, 4096, 1),
		size(widthKey, s.Width, 16, 1024, 16), {},
	}
	heads := size(headsKey, s.Heads, 1, 16, 1)
	for n := 1; n <= costs.MostHeads; n++ {
		if s.Width%n == 0 {
			heads.Values = append(heads.Values, strconv.Itoa(n))
		}
	}
	f.Sizes[3] = heads
	for _, e := range attention.Catalog {
		f.Mechanisms = append(f.Mechanisms, SizeChoice{Value: e.ID, Label: v.l.Say(e.Name), Current: e.ID == v.c.entry.ID})
	}
	for _, o := range v.c.entry.Options {
		f.Options = append(f.Options, v.option(o))
	}
	for key, values := range address.Encode(v.c.state) {
		for _, value := range values {
			f.Hidden = append(f.Hidden, components.Field{Name: key, Value: value})
		}
	}
	slices.SortFunc(f.Hidden, func(a, b components.Field) int {
		return slices.Compare([]string{a.Name, a.Value}, []string{b.Name, b.Value})
	})
	return f
}

// option returns the slider for an option of the selected mechanism.
func (v *costView) option(o attention.Option) components.Slider {
	value := attention.Chosen(v.c.entry.Options, v.c.asked.Options, o.Name)
	slider := components.Slider{ID: "cost-option-" + o.Name, Key: optionKey + o.Name, Label: o.Name, Help: v.l.Say(o.Help),
		Value: value, Values: o.Values}
	if o.Symbol != "" {
		slider.Label = o.Name + ", " + o.Symbol
	}
	n, err := strconv.Atoi(value)
	switch {
	case len(o.Values) > 0:
	case err != nil || o.Check != nil:
		slider.Text = true
	default:
		slider.From, slider.To, slider.Step = o.Bounds()
		slider.To = max(n, min(slider.To, max(slider.From+64*slider.Step, v.c.asked.Length)))
	}
	return slider
}

// measuring returns the progress of the measurement, and its buttons.
func (v *costView) measuring() Measuring {
	m := Measuring{Done: v.m.Done, All: v.m.All, Running: v.m.Running}
	say := func(id string, args ...any) { m.Says = append(m.Says, v.l.T("cost."+id, args...)) }
	button := func(what string) {
		about := v.c.asked
		about.Measure = what
		m.Ask, m.Label = about.url(costPath, measureTable, v.c.state, v.c.usual), v.l.T("cost.ask-"+what)
	}
	switch {
	case v.m.Running:
		say("running", "done", v.m.Done, "all", v.m.All, "seconds", admission.Seconds(max(v.m.left, time.Second)))
		button("stop")
	case v.m.Done == 0:
		say("not-yet", "all", v.m.All)
		button("now")
	case v.m.Done < v.m.All:
		say("stopped", "done", v.m.Done, "all", v.m.All)
		button("now")
	default:
		say("done", "all", v.m.All)
		if v.m.again == 0 {
			button("now")
		}
	}
	if v.m.Done > 0 {
		say("how-"+costs.Clock, "processor", costs.Processor())
	}
	for _, left := range v.m.Left {
		say("left", "name", v.name(left.Mechanism), "length", left.Length, "megabytes", int(left.Parameters>>20))
	}
	return m
}

// legend returns links to all mechanisms; address returns their URLs.
func (v *costView) legend(address func(id string) string) (links []MechanismLink) {
	for _, e := range attention.Catalog {
		links = append(links, MechanismLink{
			Link: components.Link{Label: v.l.Say(e.Name), URL: address(e.ID)}, ID: e.ID, Current: e.ID == v.c.entry.ID,
		})
	}
	return links
}

// says states the length from which the selected mechanism is cheaper.
func (v *costView) says() (all []string) {
	i := slices.IndexFunc(v.rows, func(r costs.MechanismCost) bool { return r.ID == v.c.entry.ID })
	row, name := v.rows[i], v.name(v.c.entry.ID)
	if row.Fewer == nil {
		return nil
	}
	from := func(id string, n *int) {
		switch {
		case n == nil:
		case *n == 0:
			all = append(all, v.l.T("cost."+id+"-never", "name", name))
		default:
			all = append(all, v.l.T("cost."+id, "name", name, "from", *n))
		}
	}
	from("fewer", row.Fewer)
	from("faster", row.Faster)
	return all
}
