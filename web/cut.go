package web

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// ownCuts is what is cut in single cards, as fields of the form.
func ownCuts(st address.State) []components.Field {
	var fields []components.Field
	for _, id := range slices.Sorted(maps.Keys(st.Cuts.Own)) {
		fields = append(fields, components.Field{Name: address.OwnCut(id), Value: engine.JoinCuts(st.Cuts.Own[id])})
	}
	return fields
}

// cutWithin leaves out cuts of words that the text, which may have been changed since, has not, and says so.
func (p *page) cutWithin() {
	if !p.isCut() || address.CheckText(p.state.Text) != nil {
		return
	}
	list, _ := engine.Tokens(p.s.vocab, p.state.Text)
	has := messages.New("count.token", "count", len(list))
	for _, c := range p.state.Cuts.All {
		if !c.Within(len(list)) {
			p.complain("error.cut.no-word", "cut", c.String(), "number", max(c.Row, c.Col), "has", has)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(p.state.Cuts.Own)) {
		for _, c := range p.state.Cuts.Own[id] {
			if !c.Within(len(list)) {
				p.complain("error.cut.no-token", "cut", c.String(), "number", max(c.Row, c.Col), "has", has, "name", p.name(id))
			}
		}
	}
	p.state = p.state.CutWithin(len(list))
}

// isCut says that something is cut in some card.
func (p *page) isCut() bool { return len(p.state.Cuts.All) > 0 || len(p.state.Cuts.Own) > 0 }

// inspectWhole asks the engine about the same without what is cut, if something is. Its error is one that leaves
// no page to show.
func (p *page) inspectWhole(ctx context.Context) error {
	if !p.isCut() || p.layers == 0 {
		return nil
	}
	st := p.measured().Whole()
	if !p.known(st) {
		st.Show = exhibit.Maps // what was not measured before is not measured for comparison
	}
	whole, err := p.s.inspect(ctx, st)
	switch {
	case err == nil:
		whole.SameHeads(p.sel)
		p.whole = whole
	case statusOf(err) >= http.StatusInternalServerError:
		return err
	}
	return nil
}

// known says that a state needs no measurement that takes long, or that it was made.
func (p *page) known(st address.State) bool {
	r := st.Request()
	if !st.OneLayer() || p.s.cost(r).Operations <= soonOperations {
		return true
	}
	return p.s.inspector.remembers(r)
}

// cuts lists what is cut, and what of it can be.
func (p *page) cuts() (c components.Cuts) {
	if p.sel == nil {
		return c
	}
	add := func(id string, list []engine.Cut) {
		for _, one := range list {
			label := p.say(exhibit.CutName(one, p.sel.Report.Tokens))
			item := components.CutItem{Label: label, Restore: components.Link{Label: p.t("cut.restore", "what", label), URL: p.url(p.state.WithoutCut(id, one))}}
			if id != "" && p.at == nil {
				item.Of = p.name(id)
			}
			c.List = append(c.List, item)
		}
	}
	add("", p.state.Cuts.All)
	for _, id := range slices.Sorted(maps.Keys(p.state.Cuts.Own)) {
		add(id, p.state.Cuts.Own[id])
	}
	c.All = components.Link{Label: p.t("cut.all"), URL: p.url(p.state.Whole())}
	c.Cell = p.cutting("cut.pinned-cell", "", p.pinnedCell(0, 0))
	c.Word = p.cutting("cut.pinned-word", "", p.pinnedWord())
	return c
}

// cutting leads to this page with something cut besides, in one card, or of the empty id in all; it has no address
// where there is nothing, or it is cut already.
func (p *page) cutting(label, id string, c engine.Cut, args ...any) components.Link {
	l := components.Link{Label: p.t(label, args...), Hint: p.t(label + "-help")}
	if c != (engine.Cut{}) && !slices.Contains(p.state.Cuts.Of(id), c) {
		l.URL = p.url(p.state.WithCut(id, c))
	}
	return l
}

// pinnedCell is the pinned cell in a layer and head, from 1; 0: in all. The zero Cut: none is pinned.
func (p *page) pinnedCell(layer, head int) engine.Cut {
	if p.state.Pin.Col == 0 || p.layers == 0 {
		return engine.Cut{}
	}
	return engine.Cut{Kind: engine.CutCell, Layer: layer, Head: head, Row: p.state.Pin.Row, Col: p.state.Pin.Col}
}

// pinnedWord is the word of the pinned column, or of a row that is pinned.
func (p *page) pinnedWord() engine.Cut {
	col := p.state.Pin.Col
	if col == 0 {
		col = p.state.Pin.Row
	}
	if col == 0 || p.layers == 0 {
		return engine.Cut{}
	}
	return engine.Cut{Kind: engine.CutWord, Col: col}
}

// cardCut is what cuts have changed on a card, and what of it can be cut.
func (p *page) cardCut(card *exhibit.Card) (c components.CardCut) {
	x := card.Main
	id, e := x.Result.ID, x.Result.Entry
	if p.whole != nil && len(x.Result.Cut) > 0 {
		p.changed(&c, x)
	}
	if p.generated() || x.Layer.Number == 0 {
		return c
	}
	layer, head, part := x.Layer.Number, max(x.Number, 0), "all"
	if x.Apart() && head > 0 {
		part = strconv.Itoa(head)
	} else {
		head = 0
	}
	c.Place = strconv.Itoa(layer) + "." + part
	if p.brief() && !p.opened(components.BackgroundOf(id)) { // where it is, then
		return c
	}
	if c.Text = p.say(e.Cut); x.Result.Generated != nil {
		c.Text = p.say(messages.Join(" ", e.Cut, messages.New("cut.two-stacks")))
	}
	action := func(kind string, why messages.Message, cut engine.Cut, args ...any) components.CutAction {
		if !why.IsZero() {
			return components.CutAction{Why: p.say(why)}
		}
		return components.CutAction{Link: p.cutting("cut.action-"+kind, id, cut, args...)}
	}
	if c.Head = action("head", e.NoHeads, engine.Cut{Kind: engine.CutHead, Layer: layer, Head: head}, "head", part); head == 0 && c.Head.Why == "" {
		c.Head = components.CutAction{Why: p.t("cut.action-head-all")}
	}
	c.Cell = action("cell", e.Masks.NoPairs, p.pinnedCell(layer, head))
	c.Word = action("word", e.Masks.NoPadding, p.pinnedWord())
	return c
}

// changed says how much of a card's map cuts have changed, and which answers.
func (p *page) changed(c *components.CardCut, x *exhibit.Exhibit) {
	id := x.Result.ID
	if p.whole.Choice.Show == p.state.Show {
		if said, err := p.whole.Against(p.sel, id); err == nil {
			number, words := said.Change()
			c.Number, c.Words, c.Same, c.Share, c.Help = p.say(number), p.say(words), said.Same, said.Changed, p.t("change.help")
			if said.Same {
				c.Words = p.t("cut.same")
			}
		}
	}
	p.answersChanged(c, x.Result)
}

// answersChanged says which answers of a model cuts have changed.
func (p *page) answersChanged(c *components.CardCut, res *engine.Result) {
	before := p.whole.Result(res.ID)
	if before == nil || before.Err != nil {
		return
	}
	for _, a := range exhibit.AnswerChanges(before, res, p.sel.Report.Text) {
		one := components.AnswerChange{
			Task: p.say(a.Task), Was: p.say(a.Was), WasP: messages.Number(a.WasP), Is: p.say(a.Is), IsP: messages.Number(a.IsP), Same: a.Same,
		}
		if !a.Same && a.Left > 0 {
			one.Left = p.t("cut.left", "was", a.Was, "p", messages.Number(a.Left))
		}
		c.Answers = append(c.Answers, one)
	}
}

// cutRefused says that a mechanism does not answer because of what is cut.
func cutRefused(err error) bool {
	return slices.ContainsFunc(messageOf(err).IDs(), func(id string) bool { return strings.HasPrefix(id, "error.cut.") })
}

// restoring leads to what a card shows without what is cut in it, or where it has no cuts of its own in any.
func (p *page) restoring(id string) components.Link {
	st, label := p.state.Whole(), "cut.all"
	if own := p.state.Cuts.Own; len(own[id]) > 0 {
		st.Cuts.All, st.Cuts.Own, label = p.state.Cuts.All, maps.Clone(own), "cut.restore-card"
		delete(st.Cuts.Own, id)
	}
	return components.Link{Label: p.t(label), URL: p.url(st)}
}
