package mechanism

import (
	"cmp"
	"slices"

	"attnatlas/engine/messages"
	"attnatlas/engine/results"
)

// deletion returns how much the predictions of the page's model depend on the tokens that its maps
// point at.
func (p *page) deletion() DeletionTables {
	var d DeletionTables
	m := p.Site.Results.Find(p.At.ID)
	if m == nil {
		return d
	}
	for _, one := range m.Deletions {
		if len(one.By) > 0 {
			d.Tables = append(d.Tables, p.deletionTable(one))
		}
	}
	return d
}

// near is the largest difference of accuracies that counts as noise: two percentage points.
const near = 0.02

func (p *page) deletionTable(d results.Deletion) DeletionTable {
	least := slices.MinFunc(d.By, func(a, b results.DeletedBy) int { return cmp.Compare(a.Right, b.Right) })
	verdict := "some"
	if least.Right > d.Random-near {
		verdict = "none"
	}
	t := DeletionTable{
		Heads: []string{p.T("deletion.mean")},
		Intro: p.T("deletion.texts", "task", p.T("deletion.task."+d.Task), "texts", d.Texts, "whole",
			messages.Percent(d.Whole), "random", messages.Percent(d.Random)) + " " +
			p.T("deletion."+verdict, "least", messages.Percent(least.Right)),
	}
	for _, by := range d.By { // for each map the mean first, then its heads
		if by.Head == 0 {
			t.Rows = append(t.Rows, DeletionRow{Label: p.T("unit.layer", "number", by.Layer), Symbol: p.symbol(by.Map)})
		}
		row := &t.Rows[len(t.Rows)-1]
		row.Shares = append(row.Shares, DeletionShare{Text: messages.Percent(by.Right), Least: by == least &&
			verdict == "some"})
		if len(row.Shares) > len(t.Heads) {
			t.Heads = append(t.Heads, p.T("head.number", "number", by.Head))
		}
	}
	return t
}

// symbol returns the symbol of a map of the page's mechanism.
func (p *page) symbol(name string) string {
	for _, v := range p.At.Views {
		if v.Map == name {
			return v.Symbol
		}
	}
	return name
}
