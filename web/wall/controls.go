package wall

import (
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// atHand are the keys of the controls whose values also appear on paper.
var atHand = []string{address.Show, address.Layer, address.Head, address.Norm, address.Mask}

// Controls returns the controls of the form with the choices of the page.
func (p *View) Controls() components.Controls {
	st := p.State
	c := components.Controls{
		Action: p.action(), Submit: p.T("form.render"),
		Text:       components.Field{Name: address.Text, Value: site.Clean(st.Text)},
		Mechanisms: p.menu(),
	}
	layers, heads := p.Depth()
	for _, key := range address.Controls() {
		if slices.Contains(address.FilterKeys, key) {
			continue
		}
		c.Selects = append(c.Selects, p.Choices(key, layers, heads))
	}
	c.Filter = p.filter()
	if p.At == nil {
		c.Hidden = append(c.Hidden, components.Field{Name: orderKey, Value: site.Clean(strings.Join(st.Mechanisms, ","))})
	}
	for _, was := range st.Was {
		c.Hidden = append(c.Hidden, components.Field{Name: address.Was, Value: site.Clean(was)})
	}
	c.Hidden = append(append(c.Hidden, ownHeads(st)...), ownCuts(st)...)
	for _, key := range []string{address.PinKey, address.Large, address.Present, address.Compact, address.Exact,
		address.CutKey} {
		if value := st.Value(key); value != "" {
			c.Hidden = append(c.Hidden, components.Field{Name: key, Value: site.Clean(value)})
		}
	}
	for _, key := range []string{address.Example, address.Walk, address.From, address.Race} {
		if value := st.Value(key); value != "" && p.At == nil {
			c.Hidden = append(c.Hidden, components.Field{Name: key, Value: site.Clean(value)})
		}
	}
	return c
}

// action returns the path of the page that the form of a wall opens.
func (p *View) action() string {
	if p.embedded {
		return site.EmbedPath
	}
	return "/"
}

// Choices returns the values of a control. Their labels are in the catalogue, by key and value.
func (p *View) Choices(key string, layers, heads int) components.Select {
	c := components.Select{Name: key, Label: p.T("control." + key + ".label"), Help: p.T("control." + key + ".help"),
		Minor: !slices.Contains(atHand, key), Changes: key == address.Mask}
	chosen := p.State.Value(key)
	add := func(value, label, hint string) {
		c.Options = append(c.Options, components.SelectOption{Value: value, Label: label, Hint: hint,
			Selected: value == chosen})
	}
	switch key {
	case address.Layer:
		if chosen == "" && p.Generated() {
			chosen = strconv.Itoa(layers)
		}
		Numbered(layers, add)
	case address.Head:
		p.HeadChoices(heads, chosen, add)
	default:
		for _, value := range address.Values(key) {
			add(value, p.T(key+"."+value+".label"), p.T(key+"."+value+".help"))
		}
	}
	return c
}

// Numbered adds the choices from 1 to n.
func Numbered(n int, add func(value, label, hint string)) {
	for i := range n {
		add(strconv.Itoa(i+1), strconv.Itoa(i+1), "")
	}
}

// menu lists the mechanisms and stacks that have a trained model, and those that the address names.
func (p *View) menu() components.Menu {
	stacks := components.MenuGroup{Label: p.T("menu.stacks")}
	var mechanisms []components.SelectOption
	for _, known := range p.Site.Listed(p.State.Mechanisms) {
		e := p.Site.Described(&known)
		o := components.SelectOption{Value: e.ID, Label: p.Say(e.Name), Hint: p.Say(e.Summary),
			Selected: slices.Contains(p.State.Mechanisms, e.ID)}
		switch {
		case !o.Selected && !p.Site.Trained(e.ID):
		case e.Stack != nil:
			stacks.Options = append(stacks.Options, o)
		default:
			mechanisms = append(mechanisms, o)
		}
	}
	m := components.Menu{Name: address.Mechanisms, Label: p.T("menu.label")}
	groups := p.groups(mechanisms)
	guests := len(groups) - 1
	for _, g := range append(groups[:guests:guests], stacks, groups[guests]) {
		if len(g.Options) > 0 {
			m.Groups = append(m.Groups, g)
		}
	}
	m.All, m.None = p.everything(), components.Link{Label: p.T("family.none"), Hint: p.T("menu.none"), URL: p.with(nil)}
	return m
}

// everything returns the link to the wall of all mechanisms and architectures that have a model.
func (p *View) everything() components.Link {
	var ids []string
	for _, e := range p.Site.Mechanisms {
		if p.Site.Trained(e.ID) {
			ids = append(ids, e.ID)
		}
	}
	return components.Link{Label: p.T("family.all"), Hint: p.T("menu.all"), URL: p.with(ids)}
}

// with returns the address of the page with other cards.
func (p *View) with(ids []string) string {
	st := p.State.Untold()
	st.Mechanisms, st.Large = ids, ""
	return p.URL(st)
}

// Depth returns the number of layers and heads to choose from: those of the report, or those of all models if there
// is no report.
func (p *View) Depth() (layers, heads int) {
	layers, heads = p.Layers, p.Heads
	if layers == 0 {
		for _, e := range p.Site.Mechanisms {
			if m := p.Site.Model(e.ID); m != nil {
				layers, heads = max(layers, e.Facts(m).Runs), max(heads, m.Heads)
			}
		}
	}
	return layers, heads
}
