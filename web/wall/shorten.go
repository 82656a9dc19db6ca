package wall

import (
	"attnatlas/engine/exhibit"
	"attnatlas/web/site"
)

// Shorten cuts the text of a page that no model can read to its beginning: to as many tokens as the longest model
// reads. The page stays small; the form keeps the whole text.
func (p *View) Shorten() {
	p.shortenSecond()
	p.State.Text, p.State.Was = site.BeginningBytes(p.State.Text, site.LongestLink), nil
	if p.Sel == nil {
		return
	}
	most := 0
	for _, m := range p.Sel.Report.Mechanisms {
		if m.Model != nil {
			most = max(most, m.Model.Longest)
		}
	}
	if list := p.Sel.Report.Tokens; len(list) > most && most > 1 {
		r := *p.Sel.Report // other requests may be reading it
		r.Tokens = list[:most]
		if r.Segments != nil {
			r.Segments = r.Segments[:most]
		}
		p.cut = len(list)
		p.Sel = exhibit.Select(&r, p.State.InTextOrder())
		p.State.Text = site.BeginningBytes(p.Typed, list[most-1].End)
	}
}
