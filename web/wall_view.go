package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
)

// wallView is the wall as its component wants it.
func (s *Server) wallView(r *http.Request, p *wallPage) components.Wall {
	w := components.Wall{
		Page: components.Page{
			Title:       beginning(p.state.Text),
			Description: "Attention maps of several mechanisms, side by side, for a text of your own.",
			Section:     "wall",
			Theme:       p.state.Theme,
			Version:     s.version,
			Weights:     s.weights(),
		},
		Text:     clean(p.state.Text),
		Problem:  sentences(p.errs),
		Examples: s.seen(exampleLinks(p.state, p.url)),
		Controls: s.controls(p),
	}
	if p.report == nil {
		return w
	}
	w.Permalink = p.url(p.state)
	if p.state.Show == ShowInfluence {
		w.Verb = "moves with"
	}
	if p.state.Show == ShowRollout {
		w.Verb = "comes from"
	}
	w.Tokens = tokenViews(p.report.Tokens)
	if p.layers > 0 { // of a text that nobody answers, such as a long one, there is nothing to hide
		w.Tokens, w.Hint = strip(p.state, p.report), hint(p.report)
	}
	for i := range p.report.Mechanisms {
		m := &p.report.Mechanisms[i]
		w.Elapsed += (m.Elapsed + m.Measured).Round(10 * time.Microsecond)
		if m.Err != nil {
			s.logUnforeseen(r, m.Err)
		}
		w.Cards = append(w.Cards, s.card(p, m))
	}
	w.DataURL = drawingURL(p.state, "", cardMaps(w.Cards))
	w.Pin = pinView(p)
	return w
}

// cardMaps are the names of the maps that cards show without being asked for more.
func cardMaps(cards []components.Card) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, c := range cards {
		add(c.Map.Name)
		for _, strip := range c.Strips {
			add(strip.Name)
		}
	}
	return names
}

// clean makes a text fit for an HTML document, which can hold neither NUL nor
// bytes that are not UTF-8. Links carry the text as it was.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

func sentences(errs []error) string {
	all := make([]string, len(errs))
	for i, err := range errs {
		all[i] = fullStop(sentence(err))
	}
	return clean(strings.Join(all, " "))
}

// fullStop makes a sentence of a clause.
func fullStop(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func tokenViews(tokens []tokenizer.Token) []components.Token {
	views := make([]components.Token, len(tokens))
	for i, t := range tokens {
		views[i] = components.Token{
			Piece: t.Piece, Label: Label(t), Start: t.Start, End: t.End,
			Special: isSpecial(t), Byte: isByte(t),
			Joined: i > 0 && t.Start > 0 && t.Start == tokens[i-1].End && !isSpecial(t) && continues(t),
		}
	}
	return views
}

// continues says whether a token is a part of the word before it.
func continues(t tokenizer.Token) bool { return isByte(t) || strings.HasPrefix(t.Piece, "##") }

// pinView reads the pinned cell out of every card.
func pinView(p *wallPage) *components.Pin {
	if p.state.Pin == (Pin{}) || p.layers == 0 {
		return nil
	}
	row, col := p.state.Pin.Row-1, p.state.Pin.Col-1
	pin := &components.Pin{
		Row: row, Col: col,
		RowText: Label(p.report.Tokens[row]), ColText: Label(p.report.Tokens[col]),
	}
	for i := range p.report.Mechanisms {
		m := &p.report.Mechanisms[i]
		pin.Readings = append(pin.Readings, reading(m, p.state, row, col))
	}
	return pin
}

// reading is the value of a mechanism's main map at a cell.
func reading(m *engine.Result, s State, row, col int) components.Reading {
	r := components.Reading{Mechanism: m.ID, Name: nameOf(m), Value: "–"}
	t, err := pickMap(m, s, s.mainMap(m.Entry))
	if err != nil || t.Value.Rank() != 2 || row >= t.Value.Dim(0) || col >= t.Value.Dim(1) {
		return r
	}
	if t.Reach != nil && !t.Reach(row, col) {
		r.Value = "forbidden"
		return r
	}
	v := t.Value.At(row, col)
	r.Value = components.Number(float64(v))
	r.Exact = exact(v)
	return r
}
