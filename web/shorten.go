package web

import (
	"unicode/utf8"

	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// longestLink is more than the beginning of a text has that any link carries for which no model answers.
const longestLink = 2 << 10

// shorten lets a page of a text that nobody answers tell of its beginning only: of as many tokens
// as the longest model reads. Whatever is on it, the page is small; the form has the whole text.
func (p *page) shorten() {
	p.shortenSecond()
	p.state.Text, p.state.Was = beginningBytes(p.state.Text, longestLink), nil
	if p.sel == nil {
		return
	}
	most := 0
	for _, m := range p.sel.Report.Mechanisms {
		if m.Model != nil {
			most = max(most, m.Model.Longest)
		}
	}
	if list := p.sel.Report.Tokens; len(list) > most && most > 1 {
		r := *p.sel.Report // which others may be reading
		r.Tokens = list[:most]
		if r.Segments != nil {
			r.Segments = r.Segments[:most]
		}
		p.cut = len(list)
		p.sel = exhibit.Select(&r, p.state.Choice)
		p.state.Text = beginningBytes(p.typed, list[most-1].End)
	}
}

// beginningBytes is the beginning of a text, of whole characters.
func beginningBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// along takes a state along to other pages, with no more of its text than a link has room for.
func along(st address.State) func(path string) string {
	st.Text = beginningBytes(st.Text, longestCarried)
	return func(path string) string { return address.Page(path, st) }
}

// longestCarried is how much of a text goes along to pages that do not show it: more than any
// model reads.
const longestCarried = 4 << 10
