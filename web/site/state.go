package site

import (
	"net/http"
	"unicode/utf8"

	"attnatlas/web/address"
)

// StateOf is what the address of a page without maps carries along, with no more of its texts than a link has room for.
func (s *Server) StateOf(r *http.Request) address.State {
	v, _ := address.ParseQuery(r.URL.RawQuery)
	st, _ := address.Decode(v, s.Vocab, "")
	st.Text, st.Other = BeginningBytes(st.Text, LongestCarried), BeginningBytes(st.Other, LongestCarried)
	if !v.Has(address.Mechanisms) {
		st.Mechanisms = s.FirstWall()
	}
	deepest := 0
	for _, id := range st.Mechanisms {
		if e, m := s.Find(id), s.Model(id); e != nil && m != nil {
			deepest = max(deepest, e.Facts(m).Runs)
		}
	}
	if deepest > 0 && st.Layer > deepest { // which no page could show
		st.Layer = 0
	}
	return st
}

// LongestLink is more than the beginning of a text has that any link carries for which no model answers.
const LongestLink = 2 << 10

// BeginningBytes is the beginning of a text, of whole characters.
func BeginningBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// StateLinks takes a state along to other pages, with no more of its text than a link has room for.
func StateLinks(st address.State) func(path string) string {
	st.Text = BeginningBytes(st.Text, LongestCarried)
	return func(path string) string { return address.Page(path, st) }
}

// LongestCarried is how much of a text goes along to pages that do not show it: more than any
// model reads.
const LongestCarried = 4 << 10
