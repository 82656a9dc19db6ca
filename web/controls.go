package web

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/web/address"
)

// atHand are the keys of the controls that stand in a row; the others are folded away.
var atHand = []string{address.Show, address.Layer, address.Head, address.Norm, address.Mask}

// controls are the form's controls with the choices of the page.
func (p *page) controls() components.Controls {
	st := p.state
	c := components.Controls{
		Action: p.action(), Submit: p.t("form.render"),
		Text:       components.Field{Name: address.Text, Value: clean(st.Text)},
		Mechanisms: p.menu(),
	}
	layers, heads := p.depth()
	for _, key := range address.Controls() {
		if slices.Contains(address.FilterKeys, key) {
			continue
		}
		c.Selects = append(c.Selects, p.choices(key, layers, heads))
	}
	c.Filter = p.filter()
	if p.at == nil {
		c.Hidden = append(c.Hidden, components.Field{Name: orderKey, Value: clean(strings.Join(st.Mechanisms, ","))})
	}
	for _, was := range st.Was {
		c.Hidden = append(c.Hidden, components.Field{Name: address.Was, Value: clean(was)})
	}
	c.Hidden = append(append(c.Hidden, ownHeads(st)...), ownCuts(st)...)
	for _, key := range []string{address.PinKey, address.Large, address.Present, address.Compact, address.Exact, address.CutKey} {
		if value := st.Value(key); value != "" {
			c.Hidden = append(c.Hidden, components.Field{Name: key, Value: clean(value)})
		}
	}
	for _, key := range []string{address.Example, address.Walk, address.From, address.Race} {
		if value := st.Value(key); value != "" && p.at == nil {
			c.Hidden = append(c.Hidden, components.Field{Name: key, Value: clean(value)})
		}
	}
	return c
}

// action is the path of the page that the form of a wall asks for.
func (p *page) action() string {
	if p.embedded {
		return embedPath
	}
	return "/"
}

// choices are the values of a control. Their words are in the catalogue, by key and value.
func (p *page) choices(key string, layers, heads int) components.Select {
	c := components.Select{Name: key, Label: p.t("control." + key + ".label"), Help: p.t("control." + key + ".help"), Minor: !slices.Contains(atHand, key)}
	chosen := p.state.Value(key)
	add := func(value, label, hint string) {
		c.Options = append(c.Options, components.Option{Value: value, Label: label, Hint: hint, Selected: value == chosen})
	}
	switch key {
	case address.Layer:
		if chosen == "" && p.generated() {
			chosen = strconv.Itoa(layers)
		}
		numbered(layers, add)
	case address.Head:
		p.headChoices(heads, chosen, add)
	default:
		for _, value := range address.Values(key) {
			add(value, p.t(key+"."+value+".label"), p.t(key+"."+value+".help"))
		}
	}
	return c
}

func numbered(n int, add func(value, label, hint string)) {
	for i := range n {
		add(strconv.Itoa(i+1), strconv.Itoa(i+1), "")
	}
}

// menu lists the mechanisms and the stacks that have a trained model, and those
// that the address asks for.
func (p *page) menu() components.Menu {
	stacks := components.MenuGroup{Label: p.t("menu.stacks")}
	var mechanisms []components.Option
	for _, known := range p.s.listed(p.state.Mechanisms) {
		e := p.s.as(&known)
		o := components.Option{Value: e.ID, Label: p.say(e.Name), Hint: p.say(e.Summary), Selected: slices.Contains(p.state.Mechanisms, e.ID)}
		switch {
		case !o.Selected && !p.s.trained(e.ID):
		case e.Stack != nil:
			stacks.Options = append(stacks.Options, o)
		default:
			mechanisms = append(mechanisms, o)
		}
	}
	m := components.Menu{Name: address.Mechanisms, Label: p.t("menu.label")}
	for _, g := range append(p.groups(mechanisms), stacks) {
		if len(g.Options) > 0 {
			m.Groups = append(m.Groups, g)
		}
	}
	return m
}

// depth is how many layers and heads there are to choose from: those of the
// report, or of all models when there is none.
func (p *page) depth() (layers, heads int) {
	layers, heads = p.layers, p.heads
	if layers == 0 {
		for _, e := range p.s.mechanisms {
			if m := p.s.model(e.ID); m != nil {
				layers, heads = max(layers, e.facts(m).Runs), max(heads, m.Heads)
			}
		}
	}
	return layers, heads
}
