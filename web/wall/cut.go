package wall

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// ownCuts returns what is excluded in single cards, as fields of the form.
func ownCuts(st address.State) []components.Field {
	var fields []components.Field
	for _, id := range slices.Sorted(maps.Keys(st.Cuts.Own)) {
		fields = append(fields, components.Field{Name: address.OwnCut(id), Value: ablation.JoinCuts(st.Cuts.Own[id])})
	}
	return fields
}

// CutWithin drops exclusions of words that a text, which may have changed since, does not have, and reports them.
func (p *View) CutWithin() {
	if !p.isCut() || address.CheckText(p.State.Text) != nil {
		return
	}
	list, _ := p.Site.Vocab.EncodePair(p.State.Text)
	has := messages.New("count.token", "count", len(list))
	for _, c := range p.State.Cuts.All {
		if !c.Within(len(list)) {
			p.Complain("error.cut.no-word", "cut", c.String(), "number", max(c.Row, c.Col), "has", has)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(p.State.Cuts.Own)) {
		for _, c := range p.State.Cuts.Own[id] {
			if !c.Within(len(list)) {
				p.Complain("error.cut.no-token", "cut", c.String(), "number", max(c.Row, c.Col), "has", has, "name", p.Name(id))
			}
		}
	}
	p.State = p.State.CutWithin(len(list))
}

// isCut reports whether anything is excluded in any card.
func (p *View) isCut() bool { return len(p.State.Cuts.All) > 0 || len(p.State.Cuts.Own) > 0 }

// inspectWhole runs the engine on the same request without exclusions, if there are any. An error means that there is
// no page to show.
func (p *View) inspectWhole(ctx context.Context) error {
	if !p.isCut() || p.Layers == 0 {
		return nil
	}
	st := p.measured().WithoutCuts()
	st.Choice = st.InTextOrder()
	if !p.known(st) {
		st.Show = exhibit.Maps // the comparison starts no new measurement
	}
	whole, err := p.Site.Inspect(ctx, st)
	switch {
	case err == nil:
		whole.SameHeads(p.Sel)
		p.Whole = whole
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	}
	return nil
}

// known reports whether a state needs no long measurement, or the cache holds its result.
func (p *View) known(st address.State) bool {
	r := st.Request()
	if !st.OneLayer() || p.Site.Cost(r).Operations <= site.SoonOperations {
		return true
	}
	return p.Site.Inspector.Remembers(r)
}

// Cuts lists what is excluded, and what a visitor can exclude.
func (p *View) Cuts() (c components.Cuts) {
	if p.Sel == nil {
		return c
	}
	add := func(id string, list []ablation.Cut) {
		for _, one := range list {
			label := p.Say(exhibit.CutName(one, p.Sel.Report.Tokens))
			item := components.CutItem{Label: label, Restore: components.Link{Label: p.T("cut.restore", "what", label),
				URL: p.URL(p.State.WithoutCut(id, one))}}
			if id != "" && p.At == nil {
				item.Of = p.Name(id)
			}
			c.List = append(c.List, item)
		}
	}
	add("", p.State.Cuts.All)
	for _, id := range slices.Sorted(maps.Keys(p.State.Cuts.Own)) {
		add(id, p.State.Cuts.Own[id])
	}
	c.All = components.Link{Label: p.T("cut.all"), URL: p.URL(p.State.WithoutCuts())}
	c.Cell = p.cutting("cut.pinned-cell", "", p.pinnedCell(0, 0))
	c.Word = p.cutting("cut.pinned-word", "", p.pinnedWord())
	return c
}

// cutting returns the link to this page with one more exclusion: in one card, or in all if the id is empty. The link
// has no address if there is nothing to exclude, or it is excluded already.
func (p *View) cutting(label, id string, c ablation.Cut, args ...any) components.Link {
	l := components.Link{Label: p.T(label, args...), Hint: p.T(label + "-help")}
	if c != (ablation.Cut{}) && !slices.Contains(p.State.Cuts.Of(id), c) {
		l.URL = p.URL(p.State.WithCut(id, c))
	}
	return l
}

// pinnedCell returns the pinned cell in a layer and head, counted from 1; 0 means all. It returns the zero Cut if
// none is pinned.
func (p *View) pinnedCell(layer, head int) ablation.Cut {
	if p.State.Pin.Col == 0 || p.Layers == 0 {
		return ablation.Cut{}
	}
	return ablation.Cut{Kind: ablation.CutCell, Layer: layer, Head: head, Row: p.State.Pin.Row, Col: p.State.Pin.Col}
}

// pinnedWord returns the word of the pinned column, or of the pinned row.
func (p *View) pinnedWord() ablation.Cut {
	col := p.State.Pin.Col
	if col == 0 {
		col = p.State.Pin.Row
	}
	if col == 0 || p.Layers == 0 {
		return ablation.Cut{}
	}
	return ablation.Cut{Kind: ablation.CutWord, Col: col}
}

// cardCut describes the effect of exclusions on a card, and what a visitor can exclude in it.
func (p *View) cardCut(card *exhibit.Card) (c components.CardCut) {
	x := card.Main
	id, e := x.Result.ID, x.Result.Entry
	if p.Whole != nil && len(x.Result.Cut) > 0 {
		p.changed(&c, x)
	}
	if p.Generated() || x.Layer.Number == 0 {
		return c
	}
	layer, head, part := x.Layer.Number, max(x.Number, 0), "all"
	if x.PerHead() && head > 0 {
		part = strconv.Itoa(head)
	} else {
		head = 0
	}
	c.Place = strconv.Itoa(layer) + "." + part
	if p.brief() && !p.opened(components.BackgroundOf(id)) { // the background, if there is one, contains the rest
		return c
	}
	if c.Text = p.Say(e.Cut); x.Result.Generated != nil {
		c.Text = p.Say(messages.Join(" ", e.Cut, messages.New("cut.two-stacks")))
	}
	action := func(kind string, why messages.Message, cut ablation.Cut, args ...any) components.CutAction {
		if !why.IsZero() {
			return components.CutAction{Why: p.Say(why)}
		}
		return components.CutAction{Link: p.cutting("cut.action-"+kind, id, cut, args...)}
	}
	if c.Head = action("head", e.NoHeads, ablation.Cut{Kind: ablation.CutHead, Layer: layer, Head: head}, "head",
		part); head == 0 && c.Head.Why == "" {
		c.Head = components.CutAction{Why: p.T("cut.action-head-all")}
	}
	c.Cell = action("cell", e.Masks.NoPairs, p.pinnedCell(layer, head))
	c.Word = action("word", e.Masks.NoPadding, p.pinnedWord())
	return c
}

// changed describes how much of a card's map the exclusions have changed, and which predictions.
func (p *View) changed(c *components.CardCut, x *exhibit.Exhibit) {
	id := x.Result.ID
	if p.Whole.Choice.Show == p.State.Show {
		if said, err := p.Whole.Against(p.Sel, id); err == nil {
			number, words := said.Change()
			c.Number, c.Words, c.Same, c.Share, c.Help = p.Say(number), p.Say(words), said.Same, said.Changed, p.T("change.help")
			if said.Same {
				c.Words = p.T("cut.same")
			}
		}
	}
	p.AnswersChanged(c, x.Result)
}

// AnswersChanged lists the predictions of a model that exclusions have changed.
func (p *View) AnswersChanged(c *components.CardCut, res *engine.Result) {
	before := p.Whole.Result(res.ID)
	if before == nil || before.Err != nil {
		return
	}
	for _, a := range exhibit.AnswerChanges(before, res, p.Sel.Report.Text) {
		one := components.AnswerChange{
			Task: p.Say(a.Task), Was: p.Say(a.Was), WasP: messages.Number(a.WasP), Is: p.Say(a.Is), IsP: messages.Number(a.IsP),
			Same: a.Same,
		}
		if !a.Same && a.Left > 0 {
			one.Left = p.T("cut.left", "was", a.Was, "p", messages.Number(a.Left))
		}
		c.Answers = append(c.Answers, one)
	}
}

// cutRefused reports whether a mechanism fails because of the exclusions.
func cutRefused(err error) bool {
	return slices.ContainsFunc(site.MessageOf(err).IDs(),
		func(id string) bool { return strings.HasPrefix(id, "error.cut.") })
}

// restoring returns the link to a card without its own exclusions, or, if it has none, without those of all cards.
func (p *View) restoring(id string) components.Link {
	st, label := p.State.WithoutCuts(), "cut.all"
	if own := p.State.Cuts.Own; len(own[id]) > 0 {
		st.Cuts.All, st.Cuts.Own, label = p.State.Cuts.All, maps.Clone(own), "cut.restore-card"
		delete(st.Cuts.Own, id)
	}
	return components.Link{Label: p.T(label), URL: p.URL(st)}
}
