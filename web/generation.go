package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

// generated says whether the page shows how a text is written.
func (p *page) generated() bool { return p.at != nil && p.at.generates() }

// formulas are that of a mechanism, and of two stacks that of cross-attention, too (Vaswani
// et al. 2017, eq. 1 and sec. 3.2.3).
func (p *page) formulas(e *mechanism) []string {
	if !e.generates() {
		return []string{e.Formula}
	}
	read, write := `\mathrm{LN}(y)`, `y + AVW_O^\top`
	if m := p.s.model(e.ID); m != nil && m.Norm == string(encoder.PostNorm) {
		read, write = `y`, `\mathrm{LN}(y + AVW_O^\top)`
	}
	return []string{e.Formula, `Q = ` + read + `W_Q^\top \quad K = MW_K^\top \quad V = MW_V^\top \quad A = \mathrm{softmax}(\frac{QK^\top}{\sqrt{d_h}}) \quad y ← ` + write}
}

// generation fills in the page of a model that reads one text and writes another.
func (p *page) generation(m *components.Mechanism) {
	g := &components.Generation{Padding: p.l.Paragraphs(messages.New("generation.padding"))}
	m.Generation, m.MapsTitle = g, p.t("task."+cmp.Or(p.state.Task, engine.WritingTasks()[0])+".title")
	var res *engine.Result
	if p.sel != nil {
		if res = p.sel.Result(p.at.ID); res.Err != nil {
			p.errs, res = append([]error{res.Err}, p.errs...), nil
		}
	}
	if res != nil {
		p.resolveStep(res.Generated)
		p.written(m, res)
	}
	m.Text, m.Problem, m.Examples, m.Cuts = clean(p.typed), p.problem(), p.generationExamples(), p.cuts()
	layers, heads := 0, 0
	if res != nil {
		layers, heads = len(res.Parts[0].Layers), res.Heads
	}
	m.Controls = components.Controls{
		Action: address.MechanismPath(p.at.ID), Submit: p.t("form.write"),
		Text: components.Field{Name: address.Text, Value: clean(p.typed)},
	}
	if res != nil && len(res.Generated.Tasks) > 1 {
		m.Controls.Selects = append(m.Controls.Selects, p.taskChoice(res.Generated))
	}
	for _, key := range address.Controls() {
		if key == address.Show || key == address.Mask {
			continue // of two stacks there is nothing else to show, and no other mask
		}
		m.Controls.Selects = append(m.Controls.Selects, p.choices(key, layers, heads))
	}
	if res != nil && p.state.Step > 0 {
		m.Controls.Hidden = append(m.Controls.Hidden, components.Field{Name: address.Step, Value: strconv.Itoa(p.state.Step)})
	}
	if cut := p.state.Value(address.CutKey); cut != "" {
		m.Controls.Hidden = append(m.Controls.Hidden, components.Field{Name: address.CutKey, Value: cut})
	}
	m.Training = p.training()
}

// taskChoice are the tasks that the model has learned.
func (p *page) taskChoice(g *engine.Generation) components.Select {
	c := components.Select{Name: address.Task, Label: p.t("control.task.label"), Help: p.t("control.task.help")}
	for _, name := range g.Tasks {
		c.Options = append(c.Options, components.Option{Value: name, Label: p.t("task." + name + ".label"), Hint: p.t("task." + name + ".help"), Selected: name == g.Task})
	}
	return c
}

// resolveStep replaces a step that there is not.
func (p *page) resolveStep(g *engine.Generation) {
	if n := len(g.Steps); p.state.Step > n {
		p.complain("error.page.step", "number", p.state.Step, "has", messages.New("count.step", "count", n))
		p.state.Step = 0
	}
}

// written adds what was written, step by step, and what was read for it.
func (p *page) written(m *components.Mechanism, res *engine.Result) {
	g, view := res.Generated, m.Generation
	m.Permalink = p.url(p.state)
	view.Cut = p.writtenCut(res)
	view.Step, view.Source, view.Text, view.Verdict = max(p.state.Step, 1), tokens(p.sel.Report.Tokens), g.Text, p.verdict(g)
	for i := range g.Steps {
		view.Steps = append(view.Steps, p.step(g, i, i+1 == view.Step))
	}
	for _, part := range api.Parts {
		x, err := p.sel.Exhibit(res.ID, part, 0)
		if err != nil { // resolve has replaced what there is not
			p.errs = append(p.errs, err)
			continue
		}
		title := capital(p.t("part." + part + ".title"))
		view.Maps = append(view.Maps, components.TitledMap{Title: title, Map: p.mapView(x, p.state)})
		if of, _ := res.Part(part); part != engine.EncoderRolloutPart {
			view.Layers = append(view.Layers, components.PartLayers{Name: part, Title: title, Rows: p.layerRows(of.Layers, x)})
		}
	}
	st := p.state
	st.Mechanisms = []string{res.ID}
	if st.Layer == 0 {
		st.Layer = res.Parts[0].Usual()
	}
	m.DataURL = address.Drawing(st, "", api.Parts)
	m.Downloads = []components.Link{{Label: "JSON", Hint: p.t("generation.json"), URL: address.Write(st)}}
}

// writtenCut says which written words a cut has changed, and what is written without it.
func (p *page) writtenCut(res *engine.Result) (c components.CardCut) {
	whole := p.uncutGeneration(res)
	if whole == nil {
		return c
	}
	p.answersChanged(&c, res)
	if c.Same = slices.Equal(whole.Labels(), res.Generated.Labels()); c.Same {
		c.Words = p.t("cut.writes-same")
	} else {
		c.Words = p.t("cut.writes", "before", clean(whole.Text), "text", clean(res.Generated.Text))
	}
	return c
}

// uncutGeneration is what is written without what is cut; nil: nothing is, or it is not known.
func (p *page) uncutGeneration(res *engine.Result) *engine.Generation {
	if p.whole == nil || len(res.Cut) == 0 {
		return nil
	}
	before := p.whole.Result(res.ID)
	if before == nil || before.Err != nil {
		return nil
	}
	return before.Generated
}

// step is one step as the page tells of it.
func (p *page) step(g *engine.Generation, i int, current bool) components.GenerationStep {
	there := p.state
	there.Step = i + 1
	labels := g.Labels()
	s := components.GenerationStep{
		Number: i + 1, Label: labels[i], URL: p.url(there), Current: current,
		End: g.Stopped && i == len(g.Steps)-1, P: messages.Number(g.Steps[i].Top[0].P),
		Read: append([]string{"[CLS]"}, labels[:i]...),
	}
	if _, ok := p.s.explainer.(Stepper); ok {
		st := p.state
		st.Layer = p.s.runs(p.at.ID) + max(st.Layer, 1)
		st.Pin, st.Step = address.Pin{Row: i + 1}, 0
		s.Through = components.Link{Label: p.t("steps.link"), Hint: p.t("steps.link-help"), URL: address.Steps(address.StepsPath, st, address.Through{ID: p.at.ID})}
	}
	right := "[SEP]"
	if i < len(g.Answer) {
		right = g.Answer[i]
	}
	if !g.RightStep(i) {
		s.Wrong = tokenizer.PieceLabel(right)
	}
	s.Words = wordProbs(g.Steps[i].Top, right)
	return s
}

// verdict says whether the answer is right.
func (p *page) verdict(g *engine.Generation) components.Badge {
	spelt := messages.Message{} // scripts that the vocabulary lacks are spelled in bytes, of which every character is a word to the model
	if slices.ContainsFunc(p.sel.Report.Tokens, tokenizer.Token.IsByte) {
		spelt = messages.New("verdict.bytes")
	}
	if g.Right {
		return components.Badge{State: components.Holds, Text: p.t("task."+g.Task+".right", "bytes", spelt)}
	}
	said := []messages.Message{messages.New("verdict.wrong", "answer", g.AnswerText, "bytes", spelt)}
	for i := range g.Steps {
		if !g.RightStep(i) {
			said = append(said, messages.New("verdict.first", "step", i+1))
			break
		}
	}
	if !g.Stopped {
		said = append(said, messages.New("verdict.endless", "steps", messages.New("count.step", "count", len(g.Steps))))
	}
	return components.Badge{State: components.Fails, Text: clean(p.say(messages.Join(" ", said...)))}
}

// serveWrite answers GET /api/v1/write.
func (s *Server) serveWrite(w http.ResponseWriter, r *http.Request) error {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	id := encoder.EncoderDecoder.ID
	st, wrong := address.Decode(v, s.vocab, id)
	maps := address.Names(v)
	for _, name := range maps {
		if !slices.Contains(api.Parts, name) {
			wrong = append(wrong, address.Invalid(address.Map, "param.part", "map", messages.Quote(name), "allowed", messages.List(api.Parts)))
		}
	}
	if err := address.Join(bad, wrong, address.Unknown(v, address.Map)); err != nil {
		return err
	}
	if !v.Has(address.Text) {
		return engine.Errorf(engine.Invalid, "param.text-missing")
	}
	st.Mechanisms, st.Mask, st.Show, st.After = []string{id}, 0, exhibit.Maps, ""
	sel, res, err := s.writes(r.Context(), st.Alone(id))
	if err != nil {
		return err
	}
	answer, err := api.NewWrite(sel, res, api.Query{
		Choice: st.Choice, AllLayers: !v.Has(address.Layer), AllHeads: !v.Has(address.Head), Maps: maps,
	})
	if err != nil {
		return err
	}
	if len(res.Cut) > 0 {
		_, whole, err := s.writes(r.Context(), st.Whole())
		if err != nil {
			return err
		}
		answer.Compare(res, whole)
	}
	return sendJSON(w, answer)
}

// writes asks the engine what the encoder–decoder, the only mechanism of a state, writes.
func (s *Server) writes(ctx context.Context, st address.State) (*exhibit.Selection, *engine.Result, error) {
	sel, err := s.inspect(ctx, st)
	if err != nil {
		return nil, nil, err
	}
	res := sel.Result(st.Mechanisms[0])
	return sel, res, res.Err
}
