package wall

import (
	"net/url"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// mostAtLength is the number of cards up to which each card shows everything. With more cards, the page is for
// comparing maps side by side.
const mostAtLength = 8

// card is one mechanism of a page, and the names of the maps that it draws at once.
func (p *View) card(m *engine.Result) (components.Card, []string) {
	c := components.Card{ID: site.Clean(m.ID), Name: site.Clean(m.ID), Open: p.opened, Brief: p.brief()}
	e := p.Site.Find(m.ID)
	if m.Entry != nil {
		e = &site.Mechanism{Entry: m.Entry, Stack: m.Stack}
	}
	if e != nil {
		e = p.Site.Described(e)
		c.Name, c.Summary, c.Formula, c.Source = p.Say(e.Name), p.Say(e.Summary), e.Formula, e.Paper.Citation()
		c.Composition = p.Composition(e)
		if p.opened(components.BackgroundOf(c.ID)) {
			c.Background = p.Background(e, len(p.Sel.Report.Tokens))
		}
		c.Background.More = p.URLOf(p.State, e.ID)
		if p.At == nil {
			c.Learned = p.Learned(e)
		}
	}
	if isLater(m.Err) {
		c.Measuring = p.measuring(m)
		return c, nil
	}
	shown, err := p.Sel.Card(m)
	if err != nil {
		c.Error, c.Advice = site.Clean(site.FullStop(p.Say(site.MessageOf(err)))), p.advice(m, e)
		if cutRefused(err) {
			c.Advice = p.restoring(m.ID)
		}
		return c, nil
	}
	p.fill(&c, shown, e)
	if p.State.Compact && p.At == nil {
		compact(&c)
	}
	var names []string
	if len(c.Heads.Tiles) > 0 && !c.Compact {
		names = append(names, exhibit.HeadSheet)
	}
	for _, x := range shown.Shown() {
		names = append(names, x.Name)
	}
	return c, names
}

// fill draws the maps of the mechanism for the layer and head of the page.
func (p *View) fill(c *components.Card, card *exhibit.Card, e *site.Mechanism) {
	res := card.Main.Result
	c.Own = p.ownTokens(res)
	c.Map, c.Heads = p.MapView(card.Main, p.State), p.headsOf(card)
	c.Layers = p.layerMarks(card.Main)
	p.arch(&c.Map, card.Main)
	for _, x := range card.Strips {
		c.Strips = append(c.Strips, p.MapView(x, p.State))
	}
	p.more(c, card)
	sums := card.RowSums()
	c.Sum = components.Badge{State: components.ByDesign, Text: p.Say(sums.Text)}
	switch {
	case !sums.Holds:
		c.Sum.State = components.Fails
	case sums.Rule:
		c.Sum.State = components.Holds
	}
	c.Facts = p.facts(card.Facts())
	if h, ok := card.Main.Histogram(); ok {
		c.Histogram = components.Histogram{Counts: h.Counts, Low: messages.Number(h.Low), High: messages.Number(h.High),
			Says: p.Say(h.Says)}
	}
	c.Note = p.Say(messages.Join(" ", p.ownNote(e), p.alignedNote(res), p.Sel.CardNote(res), card.RestingNote(),
		p.arrangedSelection().OrderNote(res)))
	c.Predictions = p.predictions(res)
	for _, g := range exhibit.Guesses(res, p.Sel.Report.Text) {
		c.Guesses = append(c.Guesses, components.Classification{Task: p.Say(g.Task), Class: p.Say(g.Class), P: g.P,
			Help: p.Say(g.Help), Pair: g.Pair})
	}
	c.Exports, c.Enlarge = p.exports(card), p.enlarge(c.Name, card.Main)
	c.Second, c.Side = p.secondOf(card), sideOf(card.Main).String()
	c.Scatter = p.scatter(res)
	c.Cut = p.cardCut(card)
	p.explainLink(c, card)
	p.stepsLink(c, card)
}

// layerMarks returns the layers of a visitor's model, if they differ in what they attend to.
func (p *View) layerMarks(x *exhibit.Exhibit) (marks []components.LayerMark) {
	if x.Whole || x.Part != "" || p.At != nil || p.brief() {
		return nil
	}
	differ := false
	first, ok := engine.Reach(x.Result.ID, 1)
	for l := 1; ok; l++ {
		var one engine.LayerReach
		if one, ok = engine.Reach(x.Result.ID, l); !ok {
			break
		}
		st, kind := p.State.Untold(), "all"
		st.Layer = l
		switch {
		case one.Window > 0:
			kind = "window"
		case !one.Positioned:
			kind = "unpositioned"
		}
		differ = differ || one != first
		marks = append(marks, components.LayerMark{Kind: kind, URL: p.URL(st), Current: l == x.Layer.Number,
			Says: p.T("layer-reach.layer", "number", l, "says", exhibit.ReachSays(x.Result.ID, l))})
	}
	if !differ {
		return nil
	}
	return marks
}

func (p *View) facts(list []exhibit.Fact) []components.Fact {
	var all []components.Fact
	for _, f := range list {
		all = append(all, components.Fact{Label: p.Say(f.Label), Value: p.Say(f.Value), Help: p.Say(f.Help)})
	}
	return all
}

// brief reports whether there are so many cards that each one shows less.
func (p *View) brief() bool {
	return p.At == nil && len(p.Sel.Report.Mechanisms) > mostAtLength
}

// exports returns the links to a card's files.
func (p *View) exports(card *exhibit.Card) []components.Link {
	var list []components.Link
	for i, x := range card.Shown() {
		extra, label := url.Values(nil), "PNG"
		if i > 0 {
			extra, label = url.Values{address.Map: {x.Name}}, "PNG "+x.View.Symbol
		}
		list = append(list, components.Link{
			Label: label, Hint: p.T("export.figure"), Download: x.FileName("png"),
			URL: address.Export(p.State, x.Result.ID, "png", extra),
		})
	}
	one := p.State
	one.Mechanisms = []string{card.Main.Result.ID}
	if !p.brief() { // with many cards, the control Display links to the page of all of them
		list = append(list, p.TakeLink(p.State, one.Mechanisms[0]))
	}
	return append(list, components.Link{Label: "JSON", Hint: p.T("export.layer"), URL: address.Attend(one, nil)})
}

// MapView returns a map for its component, with links to pictures of a state.
func (p *View) MapView(x *exhibit.Exhibit, st address.State) components.Map {
	g := x.Grid()
	v := components.Map{
		Mechanism: x.Result.ID, Name: x.Name, Symbol: x.View.Symbol, Caption: p.Say(x.Caption()),
		Form: x.Layout.Form.String(), Legend: p.legend(x), Saying: x.Saying(), Unit: x.Unit(), Of: p.Say(x.Of()),
		Rows: components.Axis{Count: 1}, Cols: p.axis(x, len(x.Map.Axes)-1, g.Cols),
	}
	if len(x.Map.Axes) == 2 {
		v.Rows = p.axis(x, 0, g.Rows)
		v.Rows.Title = p.Say(figure.RowTitle(x.Map))
		v.Seam.Row = p.seam(x, 0)
	}
	v.Seam.Col = p.seam(x, len(x.Map.Axes)-1)
	if usual := x.UsualHead(); !usual {
		v.Note = p.T("map.note", "head", x.Head)
	}
	if x.Layout.Form == figure.Wiring {
		p.wiring(&v, x)
	}
	if x.Part == engine.CrossPart || x.Part == engine.DecoderPart {
		v.Marked = max(p.State.Step, 1)
	}
	p.pictures(&v, x, st)
	return v
}

// axis returns the axis of a map.
func (p *View) axis(x *exhibit.Exhibit, i, n int) components.Axis {
	a := x.Map.Axes[i]
	axis := components.Axis{Role: a.Role.String(), Title: p.Say(figure.Title(a)), Count: n, Labels: a.Labels,
		Words: a.Text}
	if shown := p.shown(x.Result); shown != nil && a.Text && n == len(p.Sel.Report.TokensOf(x.Result)) {
		axis.Count, axis.Labels = len(shown), pick(a.Labels, shown)
	}
	if !figure.Numbered(a) && !a.Text {
		if a.Labels != nil {
			n = min(n, len(a.Labels))
		}
		axis.Labels = nil
		for i := range n {
			axis.Labels = append(axis.Labels, p.Say(figure.Label(a, i)))
		}
	}
	return axis
}

// seam returns the position at which the second of two texts begins on an axis; 0: the axis has no such position.
func (p *View) seam(x *exhibit.Exhibit, axis int) int {
	shown, seam := p.shown(x.Result), x.Map.Axes[axis].Seam
	switch {
	case shown == nil:
		return seam
	case slices.IsSorted(shown):
		seam, _ = slices.BinarySearch(shown, seam)
		return seam
	}
	return 0
}

// wiring draws places as rows and stages as columns: the words enter at the left.
func (p *View) wiring(v *components.Map, x *exhibit.Exhibit) {
	v.Wiring, v.Seam = x.Places(), components.Seam{}
	v.Rows, v.Cols = v.Cols, v.Rows
	v.Rows.Title, v.Rows.Words = "", true
	v.Rows.Labels = slices.Clone(v.Rows.Labels)
	for len(v.Rows.Labels) < v.Rows.Count {
		v.Rows.Labels = append(v.Rows.Labels, "·")
	}
	v.Cols.Title, v.Cols.Labels = p.T("count.stage", "count", v.Cols.Count), nil
}

// legend explains the colours of a map.
func (p *View) legend(x *exhibit.Exhibit) components.Legend {
	g, words := x.Grid(), x.Legend()
	l := components.Legend{Title: p.Say(words.Text), Scale: p.State.Cmap.String()}
	if t := g.Scale.Table(); t != figure.PaletteTable {
		l.Scale = t
	}
	for _, t := range words.Ticks {
		l.Ticks = append(l.Ticks, components.Tick(t))
	}
	for _, h := range words.Hues {
		l.Hues = append(l.Hues, components.Hue{Index: int(h.Index) * figure.Steps / 256, Label: p.Say(h.Text)})
	}
	for _, note := range words.Nothing {
		l.Nothing = append(l.Nothing, components.CellClass{Kind: note.Class.String(), Label: p.Say(note.Text)})
	}
	return l
}

// advice returns what a visitor can do about a card without a map: open a layer that the model has, remove the mask
// that the mechanism is not defined for, or shorten the text to the length that the model was trained for.
func (p *View) advice(m *engine.Result, e *site.Mechanism) components.Link {
	st := p.State
	link := func(id string, args ...any) components.Link {
		return components.Link{Label: p.T("advice."+id, args...), URL: p.URL(st)}
	}
	switch {
	case e == nil:
		return components.Link{}
	case e.Stack != nil && m.Model == nil && e.ID != e.Stack.ID && p.Site.Trained(e.Stack.ID):
		st.Mechanisms = replaced(st.Mechanisms, e.ID, e.Stack.ID)
		return link("own-mixer", "name", e.Stack.Name)
	case m.Err == nil && len(m.Layers) > 0 && st.Layer > len(m.Layers):
		st.Layer = len(m.Layers)
		return link("layer", "layer", exhibit.UnitName(m.Layers[st.Layer-1]))
	case !st.Show.Refused(e.Entry).IsZero():
		st.Show = exhibit.Maps
		return link("maps")
	case !e.Masks.NoCausal.IsZero() && st.Mask == nn.Causal:
		st.Mask = nn.NoMask
		return link("mask")
	case m.Model != nil && m.Model.Longest > 2 && max(p.cut, len(p.Sel.Report.Tokens)) > m.Model.Longest:
		last := p.Sel.Report.Tokens[m.Model.Longest-2] // the last position is for [SEP]
		st.Text = site.BeginningBytes(p.Typed, last.End)
		return link("shorter", "tokens", m.Model.Longest)
	case e.Generates() && p.At == nil:
		return components.Link{Label: p.T("advice.generate"), URL: address.MechanismPath(e.ID)}
	}
	return components.Link{}
}

// replaced returns a list with one id replaced by another.
func replaced(ids []string, old, id string) []string {
	var all []string
	for _, one := range ids {
		if one == old {
			one = id
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
