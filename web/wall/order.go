package wall

import (
	"net/url"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// orderKey is the form field with the order of the cards, which check boxes do not have.
const orderKey = "order"

// groups sorts options of mechanisms into their families.
func (p *View) groups(options []components.SelectOption) []components.MenuGroup {
	guests := components.MenuGroup{Label: p.T("menu.guests"), Finds: p.T("menu.find")}
	options = slices.DeleteFunc(options, func(o components.SelectOption) bool {
		guest := engine.FindGuest(o.Value) != nil
		if guest {
			guests.Options = append(guests.Options, o)
		}
		return guest
	})
	return append(p.ownGroups(options), guests)
}

// ownGroups are the families of the Atlas’ own mechanisms.
func (p *View) ownGroups(options []components.SelectOption) []components.MenuGroup {
	if p.Site.Own {
		return []components.MenuGroup{{Label: p.T("menu.own"), Options: options}}
	}
	var all []components.MenuGroup
	for _, f := range p.Site.Families() {
		g := components.MenuGroup{Label: p.T("family." + f.Id)}
		for _, o := range options {
			if slices.ContainsFunc(f.List, func(e site.Mechanism) bool { return e.ID == o.Value }) {
				g.Options = append(g.Options, o)
			}
		}
		all = append(all, g)
	}
	return all
}

// ordered returns mechanisms in the order that the form sent; new ones come last.
func ordered(ids []string, v url.Values) []string {
	order := strings.Split(v.Get(orderKey), ",")
	place := func(id string) int {
		if i := slices.Index(order, id); i >= 0 {
			return i
		}
		return len(order)
	}
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(a, b string) int { return place(a) - place(b) })
	return ids
}

// nothingChosen reports whether a form or an address names no mechanism on purpose.
func nothingChosen(v url.Values) bool {
	if !v.Has(address.Mechanisms) {
		return v.Has(orderKey)
	}
	return strings.Trim(strings.Join(v[address.Mechanisms], ","), ",") == ""
}
