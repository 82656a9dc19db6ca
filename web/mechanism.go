package web

import (
	"net/http"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"

	"github.com/go-chi/chi/v5"
)

// serveMechanism answers GET /m/{mechanism}.
func (s *Server) serveMechanism(w http.ResponseWriter, r *http.Request) error {
	id, err := idOf(chi.URLParam(r, "mechanism"))
	if err != nil {
		return err
	}
	e := s.find(id)
	p, elsewhere := s.readPage(r, e)
	switch {
	case e == nil:
		p.shorten()
		return p.noPage(id)
	case elsewhere != "":
		return redirect(w, r, elsewhere)
	}
	if !s.trained(id) {
		p.shorten()
		return s.render(w, r, p.status(w), components.MechanismPage(p.untrained()))
	}
	if err := p.inspect(r.Context()); err != nil {
		return err
	}
	view := p.mechanism() // which complains of a text that cannot be rewritten
	view.Program = p.program(r.Context(), e)
	return s.render(w, r, p.status(w), components.MechanismPage(view))
}

// noPage is the error of a mechanism's page that does not exist.
func (p *page) noPage(id string) error {
	var links []components.Link
	for _, near := range p.s.nearest(id) {
		e := p.s.find(near)
		links = append(links, components.Link{Label: p.say(e.Name), Hint: p.say(e.Summary), URL: address.Mechanism(p.state, near)})
	}
	links = append(links, components.Link{Label: p.t("index.all"), Hint: p.t("index.list"), URL: "/m"})
	return suggestions{engine.Errorf(engine.NotFound, "error.no-page", "id", clean(messages.Quote(id))), links}
}

// about is what the page of a mechanism says whatever the text is.
func (p *page) about(n int) components.Mechanism {
	e := p.s.as(p.at)
	m := components.Mechanism{
		Wall: components.Wall{Page: p.s.head(p.l, "mechanism", p.say(e.Name), p.say(e.Summary), p.carried())},
		ID:   e.ID, Name: p.say(e.Name), Summary: p.say(e.Summary), Formulas: p.formulas(e), Story: p.story(e), Composition: p.composition(e),
		Learned: p.learned(e), Background: p.background(e, n), Setting: p.setting(e, n), EmptyRow: p.say(e.Masks.EmptyRow.Text), CutText: p.say(e.Cut),
		Differences: components.Differences{Of: p.differencesOf(e), List: p.l.Lines(e.Differences)},
		Options:     p.options(e), Back: p.wallLink(),
	}
	m.MapText = p.mapText(e)
	for _, f := range e.Forms {
		m.Definitions = append(m.Definitions, components.Definition{Choice: f.Option, Source: p.say(f.Source), Formula: f.Formula, Text: p.say(f.Text)})
	}
	if _, ok := attention.Find(e.ID); ok && e.Stack == nil {
		m.Cost = components.Link{Label: p.t("cost.beside"), URL: address.CostAbout(p.state, e.ID)}
		m.Reach = components.Link{Label: p.t("reach.beside"), URL: address.ReachAbout(e.ID)}
	}
	m.Unrolled = p.unrolled(e)
	i := slices.IndexFunc(p.s.mechanisms, func(known mechanism) bool { return known.ID == e.ID })
	if i > 0 {
		m.Previous = p.neighbour(i - 1)
	}
	if i >= 0 && i+1 < len(p.s.mechanisms) {
		m.Next = p.neighbour(i + 1)
	}
	return m
}

// mapText says that the map multiplies the values, or why there is no map that does.
func (p *page) mapText(e *mechanism) string {
	switch {
	case e.generates():
		return ""
	case e.NoSum.IsZero():
		return p.t("mechanism.map-linear")
	}
	return p.t("mechanism.map-none", "why", e.NoSum)
}

// neighbour is another page with the same text.
func (p *page) neighbour(i int) components.Link {
	st := p.state
	st.Pin = address.Pin{}
	if p.at.generates() {
		st.Layer, st.Head = 0, exhibit.Auto // those of other models are others
	}
	return components.Link{Label: p.say(p.s.mechanisms[i].Name), URL: p.urlOf(st, p.s.mechanisms[i].ID)}
}

// urlOf is the address of the page of a mechanism or stack, whose model may have
// fewer layers than the one that is looked at.
func (p *page) urlOf(st address.State, id string) string {
	st.Step = 0
	if e, m := p.s.find(id), p.s.model(id); e != nil && m != nil && st.Layer > e.facts(m).Runs {
		st.Layer = 0
	}
	return address.Mechanism(st, id)
}

// wallLink leads to the wall with the mechanism beside the default ones.
func (p *page) wallLink() components.Link {
	if p.at.generates() {
		return components.Link{Label: p.t("index.all"), Hint: p.t("index.both"), URL: "/m"}
	}
	st, id := p.state, p.at.ID
	st.Mechanisms, st.Pin, st.Layer = p.s.firstWall(), address.Pin{}, 0 // others may have fewer layers
	st.Head = exhibit.Auto
	st = st.WithHead(id, p.state.Head)
	if !slices.Contains(st.Mechanisms, id) {
		st.Mechanisms = append(st.Mechanisms[:min(3, len(st.Mechanisms))], id)
	}
	return components.Link{Label: p.t("mechanism.beside"), Hint: p.t("mechanism.beside-hint"), URL: address.Wall(st)}
}

// untrained is the page of a mechanism without a model: everything but maps.
func (p *page) untrained() components.Mechanism {
	const tokens = 64
	m := p.about(tokens)
	m.MapsTitle, m.Untrained = p.t("mechanism.maps"), p.t("mechanism.untrained")
	switch {
	case p.at.generates():
		m.MapsTitle, m.Untrained = p.t("generation.untrained-title"), p.t("generation.untrained")
	case p.at.Stack != nil && p.at.ID != p.at.Stack.ID:
		m.Untrained = p.t("mechanism.untrained-pairing")
	case p.at.Stack != nil:
		m.Untrained = p.t("mechanism.untrained-stack")
	}
	return m
}

// mechanism is the page with the maps of a text.
func (p *page) mechanism() components.Mechanism {
	n := 0
	if p.sel != nil {
		n = len(p.sel.Report.Tokens)
	}
	m := p.about(n)
	if p.at.generates() {
		p.generation(&m)
		return m
	}
	wall := p.wall()
	m.OEmbed = wall.OEmbed
	wall.Page, wall.Controls.Action, wall.Controls.Mechanisms = m.Page, address.MechanismPath(p.at.ID), components.Menu{}
	for i := range wall.Cards {
		wall.Cards[i].Background = components.Background{} // the page has it at large
	}
	m.Wall, m.MapsTitle = wall, p.t("mechanism.maps-of-text")
	if p.sel == nil {
		return m
	}
	res := p.sel.Result(p.at.ID)
	m.LayersTitle = p.t("mechanism.layers")
	if len(res.Layers) > 0 {
		m.LayersTitle = p.t("mechanism." + res.Layers[0].Unit() + "s")
	}
	if x, err := p.sel.Exhibit(p.at.ID, exhibit.MainMap(p.at.Entry), 0); err == nil {
		m.Layers = p.layerRows(res.Layers, x)
	}
	m.Depth = p.depthView(res)
	m.Training, m.Deletion = p.training(), p.deletion()
	m.Downloads = []components.Link{
		{Label: p.t("download.png"), Hint: p.t("export.figure"), URL: address.Export(p.state, p.at.ID, "png", nil)},
		{Label: p.t("download.svg"), Hint: p.t("export.vector"), URL: address.Export(p.state, p.at.ID, "svg", nil)},
		{Label: p.t("download.pdf"), Hint: p.t("export.vector"), URL: address.Export(p.state, p.at.ID, "pdf", nil)},
		{Label: p.t("download.json"), Hint: p.t("download.json-hint"), URL: address.Attend(p.state, nil)},
		p.takeLink(p.state, p.at.ID, nil),
		{Label: p.t("download.all"), Hint: p.t("download.all-hint"), URL: "/api/v1/mechanisms"},
	}
	return m
}

// layerRows are small pictures of a map for every layer and head: like the one that the page
// shows of it, which has their size.
func (p *page) layerRows(layers []engine.Layer, like *exhibit.Exhibit) []components.LayerRow {
	if len(like.Map.Axes) < 2 {
		return nil
	}
	heads := 0 // there is one map for all heads
	if like.Apart() {
		heads = like.Result.Heads
	}
	var rows []components.LayerRow
	for _, layer := range layers {
		name := capital(p.say(exhibit.UnitName(layer)))
		row := components.LayerRow{Label: name}
		for head := exhibit.Mean; head <= heads; head++ {
			st := p.state
			st.Layer, st.Head, st.Pin, st.Show = layer.Number, head, address.Pin{}, exhibit.Maps
			label := p.t("control.head.mean")
			if head != exhibit.Mean {
				label = p.t("head.number", "number", head)
			}
			img := p.picture(st, like, thumbWidth)
			img.Alt = name + ", " + label
			row.Thumbs = append(row.Thumbs, components.Thumb{
				Label: label, URL: address.Mechanism(st, p.at.ID), Image: img,
				Current: layer.Number == like.Layer.Number && (head == like.Number || heads == 0),
			})
		}
		rows = append(rows, row)
	}
	return rows
}

// depthView leads through layers that share their weights, round and round.
func (p *page) depthView(res *engine.Result) components.Depth {
	if res == nil || res.Err != nil || len(res.Layers) < 2 || !p.at.shares(res.Model) {
		return components.Depth{}
	}
	at := slices.IndexFunc(res.Layers, func(l engine.Layer) bool { return l.Number == p.state.Layer })
	if at < 0 {
		return components.Depth{}
	}
	to := func(i int) components.Link {
		l := res.Layers[(i+len(res.Layers))%len(res.Layers)]
		st := p.state
		st.Layer = l.Number
		return components.Link{Label: p.say(exhibit.UnitName(l)), URL: p.url(st)}
	}
	unit := res.Layers[0].Unit()
	return components.Depth{
		Title: p.t("depth.title-" + unit),
		Text:  p.t("depth.text", "layer", capital(p.say(exhibit.UnitName(res.Layers[at]))), "layers", len(res.Layers)),
		Back:  to(at - 1), Next: to(at + 1), Play: p.t("depth.play-" + unit),
	}
}

// options are the choices of a stack or a mechanism, with those of its model that are
// not the default ones.
func (p *page) options(e *mechanism) components.Options {
	model, chosen := p.s.model(e.ID), map[string]string(nil)
	if model != nil {
		chosen = model.MixerOptions
		if e.Stack != nil {
			chosen = model.Options
		}
	}
	o := components.Options{Command: e.trainCommand(), Whose: p.t("options.defaults-" + p.s.whose())}
	for _, k := range e.options() {
		view := components.ModelOption{
			Name: k.Name, Symbol: k.Symbol, Default: p.say(attention.ValueName(k.Default)), Values: p.say(k.Allowed()), Help: p.say(k.Help),
		}
		if v, ok := chosen[k.Name]; ok && v != k.Default {
			view.Help += " " + p.t("options.has-"+p.s.whose(), "value", attention.ValueName(v))
		}
		o.List = append(o.List, view)
	}
	return o
}

// composition says what a stack is made of: its layers, its mixer, what it learned. The
// mixer's link keeps the state of the page.
func (p *page) composition(e *mechanism) components.Composition {
	if e.Stack == nil {
		return components.Composition{}
	}
	mixer := e.mixer()
	c := components.Composition{Mixer: components.Link{Label: p.say(mixer.Name), URL: p.urlOf(p.state, mixer.ID)}}
	model := p.s.model(e.ID)
	if model == nil || e.generates() {
		return c
	}
	f := e.facts(model)
	c.Depth = p.t("count.layer", "count", f.Runs)
	if f.Shared {
		c.Depth = p.t("composition.same", "count", model.Layers)
		if f.Halts {
			c.Depth = p.t("composition.up-to", "count", model.Layers)
		}
	}
	learned := []messages.Message{objective(string(e.Stack.Objective))}
	for _, task := range pairTasks {
		if _, ok := model.Score[task]; ok {
			learned = append(learned, objective(task))
		}
	}
	c.Learned = p.t("list.all", "items", learned)
	return c
}

// objective is what a model learned, in words.
func objective(name string) messages.Message { return messages.New("objective." + messages.Key(name)) }

// wholeHelp says what counts among the parameters of the whole model.
func (p *page) wholeHelp(e *mechanism, model *engine.ModelInfo) string {
	f := e.facts(model)
	switch {
	case f.Shared:
		return p.t("count.whole-shared")
	case f.Own < f.Runs:
		return p.t("count.whole-groups", "own", messages.New("count.layer", "count", f.Own), "runs", strconv.Itoa(f.Runs))
	}
	return p.t("count.whole", "layers", messages.New("count.layer", "count", f.Runs))
}

// pairTasks are the objectives about pairs of texts.
var pairTasks = []string{encoder.NextSentence.Name, encoder.SentenceOrder.Name}
