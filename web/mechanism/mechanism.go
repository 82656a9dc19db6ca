package mechanism

import (
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
	"attnatlas/web/cost"
	"attnatlas/web/site"
	"attnatlas/web/wall"

	"github.com/go-chi/chi/v5"
)

// serveMechanism answers GET /m/{mechanism}.
func (s *pages) serveMechanism(w http.ResponseWriter, r *http.Request) error {
	id, err := site.IDOf(chi.URLParam(r, "mechanism"))
	if err != nil {
		return err
	}
	e := s.Find(id)
	p, elsewhere := s.read(r, e)
	switch {
	case e == nil:
		p.Shorten()
		return p.noPage(id)
	case elsewhere != "":
		return site.Redirect(w, r, elsewhere)
	}
	if !s.Trained(id) {
		p.Shorten()
		return s.Render(w, r, p.Status(w), MechanismPage(p.untrained()))
	}
	if err := p.Inspect(r.Context()); err != nil {
		return err
	}
	view := p.mechanism() // adds an error for a text that cannot be written
	view.Program = p.program(r.Context(), e)
	return s.Render(w, r, p.Status(w), MechanismPage(view))
}

// noPage returns the error for a mechanism without a page.
func (p *page) noPage(id string) error {
	var links []components.Link
	for _, near := range p.Site.Nearest(id) {
		e := p.Site.Find(near)
		links = append(links, components.Link{Label: p.Say(e.Name), Hint: p.Say(e.Summary),
			URL: address.Mechanism(p.State, near)})
	}
	links = append(links, components.Link{Label: p.T("index.all"), Hint: p.T("index.list"), URL: "/m"})
	return site.Suggest(fault.Errorf(fault.NotFound, "error.no-page", "id", site.Clean(messages.Quote(id))), links)
}

// about returns the parts of a mechanism's page that do not depend on the text.
func (p *page) about(n int) PageView {
	e := p.Site.Described(p.At)
	m := PageView{
		Wall: components.Wall{Page: p.Site.Head(p.Language, "mechanism", p.Say(e.Name), p.Say(e.Summary), p.Carried()).With(files...)},
		ID:   e.ID, Name: p.Say(e.Name), Summary: p.Say(e.Summary), Formulas: p.formulas(e), Story: p.story(e),
		Composition: p.Composition(e),
		Learned:     p.Learned(e), Background: p.Background(e, n), Setting: p.setting(e, n),
		EmptyRow: p.Say(e.Masks.EmptyRow.Text), CutText: p.Say(e.Cut),
		Differences: Differences{Of: p.differencesOf(e), List: p.Language.Lines(e.Differences)},
		Options:     p.options(e), Back: p.wallLink(),
	}
	m.MapText = p.mapText(e)
	for _, f := range e.Forms {
		m.Definitions = append(m.Definitions, Definition{Choice: f.Option, Source: p.Say(f.Source), Formula: f.Formula,
			Text: p.Say(f.Text)})
	}
	if _, ok := attention.Find(e.ID); ok && e.Stack == nil {
		m.Cost = components.Link{Label: p.T("cost.beside"), URL: cost.About(p.State, e.ID)}
		m.Reach = components.Link{Label: p.T("reach.beside"), URL: cost.ReachOf(e.ID)}
	}
	m.Unrolled = p.unrolled(e)
	i := slices.IndexFunc(p.Site.Mechanisms, func(known site.Mechanism) bool { return known.ID == e.ID })
	if i > 0 {
		m.Previous = p.neighbour(i - 1)
	}
	if i >= 0 && i+1 < len(p.Site.Mechanisms) {
		m.Next = p.neighbour(i + 1)
	}
	return m
}

// mapText states that the map multiplies the values, or why there is no such map.
func (p *page) mapText(e *site.Mechanism) string {
	switch {
	case e.Generates():
		return ""
	case e.NoSum.IsZero():
		return p.T("mechanism.map-linear")
	}
	return p.T("mechanism.map-none", "why", e.NoSum)
}

// neighbour returns a link to another page with the same text.
func (p *page) neighbour(i int) components.Link {
	st := p.State
	st.Pin = address.Pin{}
	if p.At.Generates() {
		st.Layer, st.Head = 0, exhibit.Auto // layers and heads of other models differ
	}
	return components.Link{Label: p.Say(p.Site.Mechanisms[i].Name), URL: p.URLOf(st, p.Site.Mechanisms[i].ID)}
}

// wallLink returns a link to the main view with the mechanism and the default ones.
func (p *page) wallLink() components.Link {
	if p.At.Generates() {
		return components.Link{Label: p.T("index.all"), Hint: p.T("index.both"), URL: "/m"}
	}
	st, id := p.State, p.At.ID
	st.Mechanisms, st.Pin, st.Layer = p.Site.FirstWall(), address.Pin{}, 0 // others can have fewer layers
	st.Head = exhibit.Auto
	st = st.WithHead(id, p.State.Head)
	if !slices.Contains(st.Mechanisms, id) {
		st.Mechanisms = append(st.Mechanisms[:min(3, len(st.Mechanisms))], id)
	}
	return components.Link{Label: p.T("mechanism.beside"), Hint: p.T("mechanism.beside-hint"), URL: address.Wall(st)}
}

// untrained returns the page of a mechanism without a model: everything except maps.
func (p *page) untrained() PageView {
	const tokens = 64
	m := p.about(tokens)
	m.MapsTitle, m.Untrained = p.T("mechanism.maps"), p.T("mechanism.untrained")
	switch {
	case p.At.Generates():
		m.MapsTitle, m.Untrained = p.T("generation.untrained-title"), p.T("generation.untrained")
	case p.At.Stack != nil && p.At.ID != p.At.Stack.ID:
		m.Untrained = p.T("mechanism.untrained-pairing")
	case p.At.Stack != nil:
		m.Untrained = p.T("mechanism.untrained-stack")
	}
	return m
}

// mechanism returns the page with the maps of a text.
func (p *page) mechanism() PageView {
	n := 0
	if p.Sel != nil {
		n = len(p.Sel.Report.Tokens)
	}
	m := p.about(n)
	if p.At.Generates() {
		p.generation(&m)
		return m
	}
	wall := p.Wall()
	m.OEmbed = wall.OEmbed
	wall.Page, wall.Controls.Action, wall.Controls.Mechanisms = m.Page, address.MechanismPath(p.At.ID), components.Menu{}
	for i := range wall.Cards {
		wall.Cards[i].Background = components.Background{} // the page shows it in full
	}
	m.Wall, m.MapsTitle = wall, p.T("mechanism.maps-of-text")
	if p.Sel == nil {
		return m
	}
	res := p.Sel.Result(p.At.ID)
	m.LayersTitle = p.T("mechanism.layers")
	if len(res.Layers) > 0 {
		m.LayersTitle = p.T("mechanism." + res.Layers[0].Unit() + "s")
	}
	if x, err := p.Sel.Exhibit(p.At.ID, exhibit.MainMap(p.At.Entry), 0); err == nil {
		m.Layers = p.layerRows(res.Layers, x)
	}
	m.Depth = p.depthView(res)
	m.Training, m.Deletion = p.training(), p.deletion()
	m.Downloads = []components.Link{
		{Label: p.T("download.png"), Hint: p.T("export.figure"), URL: address.Export(p.State, p.At.ID, "png", nil)},
		{Label: p.T("download.svg"), Hint: p.T("export.vector"), URL: address.Export(p.State, p.At.ID, "svg", nil)},
		{Label: p.T("download.pdf"), Hint: p.T("export.vector"), URL: address.Export(p.State, p.At.ID, "pdf", nil)},
		{Label: p.T("download.json"), Hint: p.T("download.json-hint"), URL: address.Attend(p.State, nil)},
		p.TakeLink(p.State, p.At.ID),
		{Label: p.T("download.all"), Hint: p.T("download.all-hint"), URL: "/api/v1/mechanisms"},
	}
	return m
}

// layerRows returns small pictures of a map for every layer and head. like is the exhibit on the
// page; the pictures have its size.
func (p *page) layerRows(layers []engine.Layer, like *exhibit.Exhibit) []LayerRow {
	if len(like.Map.Axes) < 2 {
		return nil
	}
	heads := 0 // one map for all heads
	if like.PerHead() {
		heads = like.Result.Heads
	}
	var rows []LayerRow
	for _, layer := range layers {
		name := site.Capital(p.Say(exhibit.UnitName(layer)))
		row, heads := LayerRow{Label: name}, heads
		if m, ok := layer.Find(like.Map.Name); ok && heads > 0 {
			if axis, ok := m.Has(trace.Head); ok { // a decoder can have another number of heads
				heads = m.Value.Dim(axis)
			}
		}
		for head := exhibit.Mean; head <= heads; head++ {
			st := p.State
			st.Layer, st.Head, st.Pin, st.Show = layer.Number, head, address.Pin{}, exhibit.Maps
			label := p.T("control.head.mean")
			if head != exhibit.Mean {
				label = p.T("head.number", "number", head)
			}
			img := p.Picture(st, like, wall.ThumbWidth)
			img.Alt = name + ", " + label
			row.Thumbs = append(row.Thumbs, Thumb{
				Label: label, URL: address.Mechanism(st, p.At.ID), Image: img,
				Current: layer.Number == like.Layer.Number && (head == like.Number || heads == 0),
			})
		}
		rows = append(rows, row)
	}
	return rows
}

// depthView returns the links through layers that share their weights, in a cycle.
func (p *page) depthView(res *engine.Result) Depth {
	if res == nil || res.Err != nil || len(res.Layers) < 2 || !p.At.Shares(res.Model) {
		return Depth{}
	}
	at := slices.IndexFunc(res.Layers, func(l engine.Layer) bool { return l.Number == p.State.Layer })
	if at < 0 {
		return Depth{}
	}
	to := func(i int) components.Link {
		l := res.Layers[(i+len(res.Layers))%len(res.Layers)]
		st := p.State
		st.Layer = l.Number
		return components.Link{Label: p.Say(exhibit.UnitName(l)), URL: p.URL(st)}
	}
	unit := res.Layers[0].Unit()
	return Depth{
		Title: p.T("depth.title-" + unit),
		Text:  p.T("depth.text", "layer", site.Capital(p.Say(exhibit.UnitName(res.Layers[at]))), "layers", len(res.Layers)),
		Back:  to(at - 1), Next: to(at + 1), Play: p.T("depth.play-" + unit),
	}
}

// options returns the options of an architecture or a mechanism, with those of its model that
// differ from the defaults.
func (p *page) options(e *site.Mechanism) Options {
	model, chosen := p.Site.Model(e.ID), map[string]string(nil)
	if model != nil {
		chosen = model.MixerOptions
		if e.Stack != nil {
			chosen = model.Options
		}
	}
	o := Options{Command: e.TrainCommand(), Whose: p.T("options.defaults-" + p.Site.Owner())}
	for _, k := range e.Choices() {
		view := ModelOption{
			Name: k.Name, Symbol: k.Symbol, Default: p.Say(attention.ValueName(k.Default)), Values: p.Say(k.Allowed()),
			Help: p.Say(k.Help),
		}
		if v, ok := chosen[k.Name]; ok && v != k.Default {
			view.Help += " " + p.T("options.has-"+p.Site.Owner(), "value", attention.ValueName(v))
		}
		o.List = append(o.List, view)
	}
	return o
}
