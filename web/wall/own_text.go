package wall

import (
	"context"
	"math"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
)

// ownText describes the most notable facts in the maps of the visitor's text, with links.
func (p *View) ownText() (says string, show components.Link) {
	link, ok := p.Sel.StrongestLink(p.words)
	if !ok {
		return p.differences(), show
	}
	usual, others := "look.link-column", link.Column
	if link.Distance > link.Column {
		usual, others = "look.link-distance", link.Distance
	}
	args := []any{
		"row", p.written(link.Reader), "column", p.written(link.Read), "value", messages.Number(link.Value), "usual",
		messages.Number(others),
		"name", link.Result.Name(), "where", whereOf(link),
	}
	says = p.T("look.link", args...) + " " + p.T(usual, args...)
	if most, name, compared := p.elsewhere(link); compared && most < clearlyLess*link.Value {
		says += " " + p.T("look.link-elsewhere", "value", messages.Number(most), "name", name)
	}
	st := p.stateOf(link)
	if address.Wall(st) != address.Wall(p.State) {
		show = components.Link{Label: p.T("look.show"), URL: address.Wall(st)}
	}
	return says, show
}

// clearlyLess is the largest share of a link's weight that is worth comparing with it.
const clearlyLess = 0.8

// words groups tokens of the page's text into words.
func (p *View) words(tokens []tokenizer.Token) []tokenizer.Cell {
	return p.Site.Vocab.Words(p.Sel.Report.Text, tokens)
}

// written returns a word as it is spelled in the text.
func (p *View) written(word tokenizer.Cell) string {
	return tokenizer.Visible(p.Sel.Report.Text[word.Start:word.End])
}

// whereOf names the layer and the head of a link.
func whereOf(link exhibit.Link) messages.Message {
	if link.Head == exhibit.Mean {
		return exhibit.UnitName(link.Layer)
	}
	return messages.Join(", ", exhibit.UnitName(link.Layer), messages.New("head.number", "number", link.Head))
}

// elsewhere returns the largest weight that another card gives to the words of a link, and the name of that card. It
// returns false if no other card has such weights.
func (p *View) elsewhere(link exhibit.Link) (most float64, name messages.Message, ok bool) {
	for i := range p.Sel.Report.Mechanisms {
		res := &p.Sel.Report.Mechanisms[i]
		if res.ID == link.Result.ID {
			continue
		}
		if v, has := p.Sel.WeightOf(res, link.Reader, link.Read); has && (!ok || v > most) {
			most, name, ok = v, res.Name(), true
		}
	}
	return most, name, ok
}

// stateOf returns the page's state with a link pinned, in its layer and head.
func (p *View) stateOf(link exhibit.Link) address.State {
	st := p.State.Untold()
	st.Layer = link.Layer.Number
	if link.Head != exhibit.Mean {
		st = st.WithHead(link.Result.ID, link.Head)
	}
	own := p.Sel.Report.TokensOf(link.Result)
	st.Pin = address.Pin{Row: p.tokenAt(own[link.Row]) + 1, Col: p.tokenAt(own[link.Col]) + 1}
	return st
}

// tokenAt returns the index of the page's first token that overlaps a mechanism's own token.
func (p *View) tokenAt(own tokenizer.Token) int {
	for i, t := range p.Sel.Report.Tokens {
		if t.Start < own.End && own.Start < t.End {
			return i
		}
	}
	return 0
}

// differences says over how many tokens the mechanisms of the page spread their attention, if at least two can be
// compared.
func (p *View) differences() string {
	var names [2]messages.Message // the most focused and the most spread
	spread, cards := [2]float64{math.Inf(1), 0}, 0
	for i := range p.Sel.Report.Mechanisms {
		m := &p.Sel.Report.Mechanisms[i]
		card, err := p.Sel.Card(m)
		if err != nil {
			continue
		}
		tokens, ok := card.Main.Spread()
		if !ok {
			continue
		}
		cards++
		if tokens < spread[0] {
			spread[0], names[0] = tokens, m.Name()
		}
		if tokens > spread[1] {
			spread[1], names[1] = tokens, m.Name()
		}
	}
	if cards < 2 || spread[0] == spread[1] {
		return p.T("look.any")
	}
	return p.T("look.spread", "narrow", names[0], "few", messages.Number(spread[0]), "wide", names[1], "many",
		messages.Number(spread[1]))
}

// A page looks for a negation that decides the sentiment only in small requests, because the search is one more pass
// of all cards.
const (
	mostCardsNegated  = mostAtLength
	mostTokensNegated = 64
)

// blocking is a word to block, with the state in which it is blocked.
type blocking struct {
	word    string // empty: there is none, or a word is blocked already
	next    address.State
	hint    string
	decides bool // without it a model predicts another sentiment
}

// blockOne blocks a word with a visible effect: a negation without which a model changes its sentiment, or else the
// content word to which the cards attend most.
func (p *View) blockOne(ctx context.Context, st address.State) blocking {
	if p.isCut() {
		return blocking{}
	}
	if cell, ok := p.negation(); ok {
		b := blocking{word: p.written(cell), next: blocked(st, cell), decides: true}
		if changed, all := p.sentimentsChanged(ctx, b.next); changed > 0 {
			b.hint = p.T("try.block.negation", "word", b.word, "changed", changed, "all", all)
			return b
		}
	}
	cell, ok := p.Sel.MostAttended(p.words)
	if !ok {
		return blocking{}
	}
	return blocking{word: p.written(cell), next: blocked(st, cell), hint: p.T("try.block.hint")}
}

// blocked returns a state in which all tokens of a word are blocked.
func blocked(st address.State, word tokenizer.Cell) address.State {
	for i := word.First; i < word.Last; i++ {
		st = st.WithCut("", ablation.Cut{Kind: ablation.CutWord, Col: i + 1})
	}
	return st
}

// negation returns the first negation in a short text.
func (p *View) negation() (tokenizer.Cell, bool) {
	r := p.Sel.Report
	if len(r.Mechanisms) > mostCardsNegated || len(r.Tokens) > mostTokensNegated || len(p.waiting) > 0 {
		return tokenizer.Cell{}, false
	}
	for _, cell := range p.words(r.Tokens) {
		if exhibit.IsNegation(r.Text, cell) {
			return cell, true
		}
	}
	return tokenizer.Cell{}, false
}

// sentimentsChanged counts the cards that predict a sentiment here, and those of them that predict another one in a
// state.
func (p *View) sentimentsChanged(ctx context.Context, st address.State) (changed, all int) {
	sel, err := p.Site.Inspect(ctx, st)
	if err != nil {
		return 0, 0
	}
	for i := range p.Sel.Report.Mechanisms {
		m := &p.Sel.Report.Mechanisms[i]
		before, after := sentiment(m), sentiment(sel.Result(m.ID))
		if before == "" || after == "" {
			continue
		}
		if all++; before != after {
			changed++
		}
	}
	return changed, all
}

// sentiment returns the sentiment that a model predicts for the text, or "" if it predicts none.
func sentiment(m *engine.Result) string {
	if m == nil {
		return ""
	}
	for _, g := range m.Guesses {
		if g.Task == encoder.Feeling && g.Token == 0 && len(g.Classes) > 0 {
			return g.Classes[0].Name
		}
	}
	return ""
}
