package wall

import (
	"attnatlas/engine/exhibit"
	"attnatlas/web/site"
)

// Shorten lets a page of a text that nobody answers tell of its beginning only: of as many tokens
// as the longest model reads. Whatever is on it, the page is small; the form has the whole text.
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
		r := *p.Sel.Report // which others may be reading
		r.Tokens = list[:most]
		if r.Segments != nil {
			r.Segments = r.Segments[:most]
		}
		p.cut = len(list)
		p.Sel = exhibit.Select(&r, p.State.Choice)
		p.State.Text = site.BeginningBytes(p.Typed, list[most-1].End)
	}
}
