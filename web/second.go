package web

import (
	"context"
	"net/http"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// inspectSecond asks the engine about the second text, if there is one and the first has maps.
// Its error is one that leaves no page to show.
func (p *page) inspectSecond(ctx context.Context) error {
	if p.state.Other == "" || p.layers == 0 {
		return nil
	}
	sel, second, err := p.s.inspectBoth(ctx, p.measured())
	switch {
	case err == nil:
		p.sel, p.second = p.withWaiting(sel), second
	case statusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.errs = append(p.errs, err)
	}
	p.shortenSecond()
	return nil
}

// shortenSecond lets a page whose second text nobody answers carry its beginning only.
func (p *page) shortenSecond() {
	if p.second != nil {
		for _, m := range p.second.Report.Mechanisms {
			if m.Err == nil {
				return
			}
		}
	}
	p.state.Other = beginningBytes(p.state.Other, longestLink)
}

// secondLine is the form's line for a second text, with what can be done with it.
func (p *page) secondLine() components.SecondLine {
	line := components.SecondLine{Field: components.Field{Name: address.Other, Value: clean(p.typedOther)}, Open: p.typedOther != ""}
	if p.layers == 0 {
		return line
	}
	shuffled, alike := shuffled(p.s.vocab, p.state.Text, p.state.Other), alike(p.s.vocab, p.state.Text, p.state.Other)
	if !line.Open {
		for _, other := range []string{p.state.Text, alike, shuffled} { // the last that there is
			if other != "" {
				line.Begin = p.secondLink("begin", p.state.Text, other)
			}
		}
		return line
	}
	if shuffled != "" {
		line.Fill = append(line.Fill, p.secondLink("shuffled", p.state.Text, shuffled))
	}
	if alike != "" {
		line.Fill = append(line.Fill, p.secondLink("another", p.state.Text, alike))
	}
	line.Swap = p.secondLink("swap", p.state.Other, p.state.Text)
	line.Close = p.secondLink("close", p.state.Text, "")
	if p.second != nil {
		p.compareLengths(&line)
	}
	return line
}

// secondLink leads to this page with two texts.
func (p *page) secondLink(id, text, other string, args ...any) components.Link {
	to := p.state
	if text != to.Text {
		to.Was = nil
	}
	to.Text, to.Other, to.Pin = text, other, address.Pin{}
	return components.Link{Label: p.t("second."+id, args...), Hint: p.t("second." + id + "-help"), URL: p.url(to)}
}

// compareLengths says the words of the second text, and of texts of different lengths how they
// can be made alike.
func (p *page) compareLengths(line *components.SecondLine) {
	first, second := p.sel.Report.Tokens, p.second.Report.Tokens
	for _, t := range second {
		line.Words = append(line.Words, t.Label())
	}
	if len(first) == len(second) {
		return
	}
	line.Lengths = p.t("compare.why.lengths", "a", messages.New("count.token", "count", len(first)), "b", messages.New("count.token", "count", len(second)))
	n, text, other, id := len(second), p.state.Text, p.state.Other, "cut-first"
	switch {
	case len(first) > len(second):
		text = cut(p.s.vocab, text, n)
	default:
		n, id = len(first), "cut-second"
		other = cut(p.s.vocab, other, n)
	}
	if text != "" && other != "" {
		line.Cut = p.secondLink(id, text, other, "tokens", messages.New("count.token", "count", n))
	}
}

// secondOf is what a card says of the second text; the zero value where there is none.
func (p *page) secondOf(card *exhibit.Card) components.Second {
	if p.second == nil {
		return components.Second{}
	}
	id := card.Main.Result.ID
	c, err := p.sel.Against(p.second, id)
	if err != nil {
		return components.Second{Error: clean(fullStop(p.say(messageOf(err))))}
	}
	pair := address.Comparison{State: p.state, A: sideOf(c.A), B: sideOf(c.B)}
	number, words := c.Change()
	s := components.Second{Number: p.say(number), Words: p.say(words), Same: c.Same, Help: p.t("change.help")}
	s.Map = components.Map{Name: exhibit.SecondMap, Image: p.compared(pair, address.SideB, c.B, cardWidth), Symbol: p.t("second.map")}
	if c.Difference != nil {
		s.Share = c.Changed
		s.Difference = components.Map{Name: exhibit.DifferenceMap, Image: p.compared(pair, exhibit.DifferenceMap, c.Difference, cardWidth), Symbol: p.t("second.difference")}
	}
	return s
}
