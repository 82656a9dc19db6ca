package wall

import (
	"context"
	"net/http"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/scene"
	"attnatlas/web/secondtext"
	"attnatlas/web/site"
)

// inspectSecond runs the engine on the second text, if there is one and the first text has maps. An error means that
// there is no page to show.
func (p *View) inspectSecond(ctx context.Context) error {
	if p.State.Other == "" || p.Layers == 0 {
		return nil
	}
	sel, second, err := p.Site.InspectBoth(ctx, p.measured())
	switch {
	case err == nil:
		p.Sel, p.Second = p.withWaiting(sel), second
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		p.Errs = append(p.Errs, err)
	}
	p.shortenSecond()
	return nil
}

// shortenSecond cuts the second text of a page to its beginning if it is too long for all models.
func (p *View) shortenSecond() {
	if p.Second != nil {
		for _, m := range p.Second.Report.Mechanisms {
			if m.Err == nil {
				return
			}
		}
	}
	p.State.Other = site.BeginningBytes(p.State.Other, site.LongestLink)
}

// SecondLine returns the form's line for a second text, with links to what a visitor can do with it.
func (p *View) SecondLine() components.SecondLine {
	line := components.SecondLine{Field: components.Field{Name: address.Other, Value: site.Clean(p.TypedOther)},
		Open: p.TypedOther != ""}
	if p.Layers == 0 {
		return line
	}
	shuffled := secondtext.Shuffled(p.Site.Vocab, p.State.Text, p.State.Other)
	alike := secondtext.Alike(p.Site.Vocab, p.State.Text, p.State.Other)
	if !line.Open {
		changed := ""
		if p.State.Text == scene.First.Text {
			changed = scene.OneWordChanged
		}
		for _, other := range []string{p.State.Text, alike, shuffled, changed} { // the last one that exists
			if other != "" {
				line.Begin = p.secondLink("begin", p.State.Text, other)
			}
		}
		return line
	}
	if shuffled != "" {
		line.Fill = append(line.Fill, p.secondLink("shuffled", p.State.Text, shuffled))
	}
	if alike != "" {
		line.Fill = append(line.Fill, p.secondLink("another", p.State.Text, alike))
	}
	line.Swap = p.secondLink("swap", p.State.Other, p.State.Text)
	line.Close = p.secondLink("close", p.State.Text, "")
	if p.Second != nil {
		p.compareLengths(&line)
	}
	return line
}

// secondLink returns the link to this page with two texts.
func (p *View) secondLink(id, text, other string, args ...any) components.Link {
	to := p.State
	if text != to.Text {
		to.Was = nil
	}
	to.Text, to.Other, to.Pin = text, other, address.Pin{}
	return components.Link{Label: p.T("second."+id, args...), Hint: p.T("second." + id + "-help"), URL: p.URL(to)}
}

// compareLengths lists the words of the second text. If the lengths differ, it says how to make them equal.
func (p *View) compareLengths(line *components.SecondLine) {
	first, second := p.Sel.Report.Tokens, p.Second.Report.Tokens
	for _, t := range second {
		line.Words = append(line.Words, t.Label())
	}
	if len(first) == len(second) {
		return
	}
	line.Lengths = p.T("compare.why.lengths", "a", messages.New("count.token", "count", len(first)), "b",
		messages.New("count.token", "count", len(second)))
	n, text, other, id := len(second), p.State.Text, p.State.Other, "cut-first"
	switch {
	case len(first) > len(second):
		text = secondtext.Cut(p.Site.Vocab, text, n)
	default:
		n, id = len(first), "cut-second"
		other = secondtext.Cut(p.Site.Vocab, other, n)
	}
	if text != "" && other != "" {
		line.Cut = p.secondLink(id, text, other, "tokens", messages.New("count.token", "count", n))
	}
}

// secondOf returns what a card says about the second text, or the zero value if there is none.
func (p *View) secondOf(card *exhibit.Card) components.Second {
	if p.Second == nil {
		return components.Second{}
	}
	id := card.Main.Result.ID
	c, err := p.Sel.Against(p.Second, id)
	if err != nil {
		return components.Second{Error: site.Clean(site.FullStop(p.Say(site.MessageOf(err))))}
	}
	pair := address.Comparison{State: p.State, A: sideOf(c.A), B: sideOf(c.B)}
	number, words := c.Change()
	s := components.Second{Number: p.Say(number), Words: p.Say(words), Same: c.Same, Help: p.T("change.help")}
	s.Map = components.Map{Name: exhibit.SecondMap, Image: p.Compared(pair, address.SideB, c.B, CardWidth),
		Symbol: p.T("second.map")}
	if c.Difference != nil {
		s.Share, s.Rows = c.Changed, c.ChangedRows()
		s.Counted = p.T("second.rows", "count", changedRows(s.Rows), "all", len(s.Rows))
		s.Difference = components.Map{Name: exhibit.DifferenceMap,
			Image: p.Compared(pair, exhibit.DifferenceMap, c.Difference, CardWidth), Symbol: p.T("second.difference")}
	}
	return s
}

// changedRows counts the rows that differ.
func changedRows(rows []float64) (n int) {
	for _, difference := range rows {
		if difference != 0 {
			n++
		}
	}
	return n
}
