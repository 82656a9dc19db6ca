package desk

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/altered"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// mixture fills in the playground for the mixing weights of a mixture.
func (p *deskPage) mixture(v *pageView, name string) {
	var parts []messages.Message
	for _, id := range p.entry.Parts {
		parts = append(parts, p.s.Find(id).Name)
	}
	all := messages.Join(", ", parts...)
	v.Heading, v.Lead = p.l.T("desk.mixture.heading", "name", name), p.l.T("desk.mixture.lead", "name", name, "parts", all)
	v.Form.Legend, v.Form.Note = p.l.T("desk.mixture.legend", "layer", p.state.Layer), p.l.T("desk.mixture.note")
	v.Form.Dials = p.shareDials(parts)
	if len(p.asked.Shares) > 0 {
		v.Form.Reset = components.Link{Label: p.l.T("desk.reset"), URL: p.url(p.state, change{ID: p.asked.ID})}
	}
	if scaled, ok := scaledShares(p.asked.Shares); p.bad != nil && ok {
		v.Mend = components.Link{Label: p.l.T("desk.mixture.mend"),
			URL: p.url(p.state, change{ID: p.asked.ID, Change: altered.Change{Shares: scaled}})}
	}
	v.Table = p.shareTable(all)
}

// shareDials returns the sliders of the selected layer.
func (p *deskPage) shareDials(parts []messages.Message) (dials []Dial) {
	learned := sharesOf(p.Learned)[p.state.Layer-1]
	for i, id := range p.entry.Parts {
		share := float64(learned[i])
		if asked, ok := p.asked.Shares[p.state.Layer]; ok {
			share = asked[i]
		}
		dials = append(dials, Dial{
			ID: "desk-" + id, Key: shareKey(p.state.Layer, id), Label: p.l.Say(parts[i]),
			Value: shareValue(share), Says: shareText(share), From: "0", To: "1", Step: "any",
			Learned: float64(learned[i]), LearnedSays: p.l.T("desk.mixture.learned", "share", shareText(float64(learned[i]))),
			Whole: "1",
		})
	}
	return dials
}

// shareText formats a mixing weight to a thousandth.
func shareText(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// scaledShares scales mixing weights so that they add up to 1. ok is false if they already do, or
// cannot.
func scaledShares(shares map[int][]float64) (scaled map[int][]float64, ok bool) {
	scaled = map[int][]float64{}
	for layer, list := range shares {
		sum := 0.0
		for _, share := range list {
			sum += max(share, 0)
		}
		if !(sum > 0) || math.IsInf(sum, 0) {
			return nil, false
		}
		left := 1.0
		for i, share := range list {
			if share = math.Round(1e3*max(share, 0)/sum) / 1e3; i == len(list)-1 {
				share = math.Round(1e3*left) / 1e3
			}
			scaled[layer] = append(scaled[layer], max(share, 0))
			left -= share
		}
		ok = ok || !slices.Equal(scaled[layer], list)
	}
	return scaled, ok
}

// shareTable returns the table of mixing weights in every layer.
func (p *deskPage) shareTable(parts messages.Message) NamedTable {
	table := NamedTable{
		Title: p.l.T("desk.mixture.table"), Intro: p.l.T("desk.mixture.table-intro", "parts", parts),
		Head: p.l.Lines(messages.New("desk.mixture.columns")),
	}
	changed := sharesOf(p.Changed)
	for i, learned := range sharesOf(p.Learned) {
		st := p.state
		st.Layer = i + 1
		row := tableLine{Link: components.Link{Label: p.l.T("desk.mixture.layer", "layer", i+1), URL: p.url(st, p.asked)},
			Current: i+1 == p.state.Layer}
		for _, shares := range [][]tensor.Elem{learned, changed[i]} {
			row.Cells = append(row.Cells, shareCell(shares))
		}
		table.Rows = append(table.Rows, row)
	}
	if shares, ok := p.asked.Shares[p.state.Layer]; ok && p.bad == nil && len(table.Rows) > 1 {
		all := maps.Clone(p.asked.Shares)
		for i := range table.Rows {
			all[i+1] = shares
		}
		table.Link = components.Link{Label: p.l.T("desk.everywhere"),
			URL: p.url(p.state, change{ID: p.asked.ID, Change: altered.Change{Shares: all}})}
	}
	return table
}

// shareCell returns the mixing weights of a layer as a bar and as text.
func shareCell(shares []tensor.Elem) Value {
	cell := Value{Words: true}
	for i, share := range shares {
		if i > 0 {
			cell.Text += " · "
		}
		cell.Text += shareText(float64(share))
		cell.Shares = append(cell.Shares, float64(share))
	}
	return cell
}
