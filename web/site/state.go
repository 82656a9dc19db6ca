package site

import (
	"net/http"
	"unicode/utf8"

	"attnatlas/web/address"
)

// StateOf returns the state that a page without maps passes on. Its texts are cut to the length that a link has room
// for.
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
	if deepest > 0 && st.Layer > deepest { // no page could show that layer
		st.Layer = 0
	}
	return st
}

// LongestLink is the length in bytes to which links cut a text that no model can read.
const LongestLink = 2 << 10

// BeginningBytes returns the beginning of a text, cut between characters.
func BeginningBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// StateLinks passes a state on to other pages, with its text cut to the length that a link has room for.
func StateLinks(st address.State) func(path string) string {
	st.Text = BeginningBytes(st.Text, LongestCarried)
	return func(path string) string { return address.Page(path, st) }
}

// LongestCarried is the length of a text that is passed on to pages that do not show it. No model reads more.
const LongestCarried = 4 << 10
