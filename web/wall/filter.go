package wall

import (
	"cmp"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// These are the shares and numbers that a page offers; an address may ask for others.
var (
	masses = []string{"0.5", "0.8", "0.9", "0.95", "0.99"}
	tops   = []string{"1", "2", "3", "5", "10"}
)

// filter returns the controls of the filter.
func (p *View) filter() components.FilterControls {
	f := components.FilterControls{On: p.State.Filter != exhibit.Filter{}}
	f.Selects = append(f.Selects, p.Choices(address.Sinks, 0, 0), p.amounts(address.Mass, masses),
		p.amounts(address.Top, tops))
	return f
}

// amounts returns a control with numbers, or none.
func (p *View) amounts(key string, offered []string) components.Select {
	c := components.Select{Name: key, Label: p.T("control." + key + ".label"), Help: p.T("control." + key + ".help")}
	chosen := p.State.Value(key)
	if chosen != "" && !slices.Contains(offered, chosen) {
		offered = append(slices.Clone(offered), chosen)
		slices.SortFunc(offered, byNumber)
	}
	for _, value := range append([]string{""}, offered...) {
		label := value
		if value == "" {
			label = p.T("filter.all")
		}
		c.Options = append(c.Options, components.SelectOption{Value: value, Label: label, Selected: value == chosen})
	}
	return c
}

func byNumber(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}
