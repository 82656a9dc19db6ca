package mechanism

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
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// formulas returns the formula of a mechanism. For an encoder–decoder it adds cross-attention
// (Vaswani et al. 2017, eq. 1 and sec. 3.2.3).
func (p *page) formulas(e *site.Mechanism) []string {
	switch {
	case e.Formula == "":
		return nil
	case !e.Generates():
		return []string{e.Formula}
	}
	read, write := `\mathrm{LN}(y)`, `y + AVW_O^\top`
	if m := p.Site.Model(e.ID); m != nil && m.Norm == string(encoder.PostNorm) {
		read, write = `y`, `\mathrm{LN}(y + AVW_O^\top)`
	}
	return []string{e.Formula, `Q = ` + read + `W_Q^\top \quad K = MW_K^\top \quad V = MW_V^\top \quad A = \mathrm{softmax}(\frac{QK^\top}{\sqrt{d_h}}) \quad y ← ` + write}
}

// generation fills in the page of an encoder–decoder.
func (p *page) generation(m *PageView) {
	guest := engine.FindGuest(p.At.ID) != nil
	m.Generation, m.MapsTitle = &Generation{}, p.T("generation.guest-title")
	if !guest {
		m.Generation.Padding = p.Language.Paragraphs(messages.New("generation.padding"))
		m.MapsTitle = p.T("task." + cmp.Or(p.State.Task, predict.WritingTasks()[0]) + ".title")
		m.Examples = p.generationExamples()
	}
	var res *engine.Result
	if p.Sel != nil {
		if res = p.Sel.Result(p.At.ID); res.Err != nil {
			p.Errs, res = append([]error{res.Err}, p.Errs...), nil
		}
	}
	if res != nil {
		p.resolveStep(res.Generated)
		p.written(m, res)
	}
	m.Text, m.Problem, m.Cuts = site.Clean(p.Typed), p.Problem(), p.Cuts()
	layers, heads := 0, 0
	if res != nil {
		layers, heads = len(res.Parts[0].Layers), res.Heads
	}
	m.Controls = components.Controls{
		Action: address.MechanismPath(p.At.ID), Submit: p.T("form.write"),
		Text: components.Field{Name: address.Text, Value: site.Clean(p.Typed)},
	}
	if res != nil && len(res.Generated.Tasks) > 1 {
		m.Controls.Selects = append(m.Controls.Selects, p.taskChoice(res.Generated))
	}
	for _, key := range address.Controls() {
		if key == address.Show || key == address.Mask {
			continue // an encoder–decoder has no other views or masks
		}
		m.Controls.Selects = append(m.Controls.Selects, p.Choices(key, layers, heads))
	}
	if res != nil && p.State.Step > 0 {
		m.Controls.Hidden = append(m.Controls.Hidden, components.Field{Name: address.Step, Value: strconv.Itoa(p.State.Step)})
	}
	if cut := p.State.Value(address.CutKey); cut != "" {
		m.Controls.Hidden = append(m.Controls.Hidden, components.Field{Name: address.CutKey, Value: cut})
	}
	m.Training = p.training()
}

// taskChoice returns the select element with the tasks of the model.
func (p *page) taskChoice(g *predict.Generation) components.Select {
	c := components.Select{Name: address.Task, Label: p.T("control.task.label"), Help: p.T("control.task.help"),
		Changes: true}
	for _, name := range g.Tasks {
		c.Options = append(c.Options, components.SelectOption{Value: name, Label: p.T("task." + name + ".label"),
			Hint: p.T("task." + name + ".help"), Selected: name == g.Task})
	}
	return c
}

// resolveStep resets a decoding step that does not exist.
func (p *page) resolveStep(g *predict.Generation) {
	if n := len(g.Steps); p.State.Step > n {
		p.Complain("error.page.step", "number", p.State.Step, "has", messages.New("count.step", "count", n))
		p.State.Step = 0
	}
}

// written adds the written text, step by step, with the attention of each step.
func (p *page) written(m *PageView, res *engine.Result) {
	g, view := res.Generated, m.Generation
	m.Permalink = p.URL(p.State)
	view.Cut = p.writtenCut(res)
	view.Step, view.Source, view.Text, view.Verdict = max(p.State.Step,
		1), wall.Tokens(p.Sel.Report.TokensOf(res)), g.Text, p.verdict(g)
	for i := range g.Steps {
		step := p.step(res, i)
		step.Current = step.Number == view.Step
		view.Steps = append(view.Steps, step)
	}
	for _, part := range Parts {
		x, err := p.Sel.Exhibit(res.ID, part, 0)
		if err != nil { // resolve has replaced missing choices
			p.Errs = append(p.Errs, err)
			continue
		}
		title := site.Capital(p.T("part." + part + ".title"))
		view.Maps = append(view.Maps, TitledMap{Title: title, Map: p.MapView(x, p.State)})
		if of, _ := res.Part(part); part != engine.EncoderRolloutPart {
			view.Layers = append(view.Layers, PartLayers{Name: part, Title: title, Rows: p.layerRows(of.Layers, x)})
		}
	}
	st := p.State
	st.Mechanisms = []string{res.ID}
	if st.Layer == 0 {
		st.Layer = res.Parts[0].Usual()
	}
	m.DataURL = address.Drawing(st, "", Parts)
	m.Downloads = []components.Link{{Label: "JSON", Hint: p.T("generation.json"), URL: address.Write(st)}}
	if len(g.Tasks) == 0 {
		m.Downloads[0].URL = address.Attend(st, nil)
	}
}

// writtenCut states which written words an ablation has changed, and the text without it.
func (p *page) writtenCut(res *engine.Result) (c components.CardCut) {
	whole := p.uncutGeneration(res)
	if whole == nil {
		return c
	}
	p.AnswersChanged(&c, res)
	if c.Same = slices.Equal(whole.Labels(), res.Generated.Labels()); c.Same {
		c.Words = p.T("cut.writes-same")
	} else {
		c.Words = p.T("cut.writes", "before", site.Clean(whole.Text), "text", site.Clean(res.Generated.Text))
	}
	return c
}

// uncutGeneration returns the written text without ablations, or nil if there are none or it is
// unknown.
func (p *page) uncutGeneration(res *engine.Result) *predict.Generation {
	if p.Whole == nil || len(res.Cut) == 0 {
		return nil
	}
	before := p.Whole.Result(res.ID)
	if before == nil || before.Err != nil {
		return nil
	}
	return before.Generated
}

// step returns the view of one decoding step.
func (p *page) step(res *engine.Result, i int) GenerationStep {
	there, g := p.State, res.Generated
	there.Step = i + 1
	labels := g.Labels()
	s := GenerationStep{
		Number: i + 1, Label: labels[i], URL: p.URL(there),
		End: g.Stopped && i == len(g.Steps)-1, P: messages.Number(g.Steps[i].Top[0].P),
		Read: append([]string{opening(res)}, labels[:i]...),
	}
	if _, ok := p.Site.Engine.(site.Stepper); ok {
		st := p.State
		st.Layer = p.Site.Runs(p.At.ID) + max(st.Layer, 1)
		st.Pin, st.Step = address.Pin{Row: i + 1}, 0
		s.Through = components.Link{Label: p.T("steps.link"), Hint: p.T("steps.link-help"),
			URL: address.One(address.StepsPath, st, p.At.ID, nil)}
	}
	right := ""
	switch {
	case i < len(g.Answer):
		right = g.Answer[i]
	case len(g.Tasks) > 0:
		right = "[SEP]"
	}
	if !g.RightStep(i) {
		s.Wrong = tokenizer.PieceLabel(right)
	}
	s.Words = wall.WordProbs(g.Steps[i].Top, right)
	return s
}

// opening returns the label of a decoder's first token.
func opening(res *engine.Result) string {
	part, _ := res.Part(engine.DecoderPart)
	axes := part.Layers[0].Maps[0].Axes
	return axes[len(axes)-1].Labels[0]
}

// verdict states whether the answer is right. If this is unknown, it states how the text was
// decoded.
func (p *page) verdict(g *predict.Generation) components.Badge {
	if len(g.Tasks) == 0 {
		said := []messages.Message{messages.New("verdict.greedy")}
		if !g.Stopped {
			said = append(said, messages.New("verdict.endless", "steps", messages.New("count.step", "count", len(g.Steps))))
		}
		return components.Badge{State: components.ByDesign, Text: p.Say(messages.Join(" ", said...))}
	}
	var spelt []messages.Message // scripts outside the vocabulary are spelt in bytes
	if slices.ContainsFunc(p.Sel.Report.Tokens, tokenizer.Token.IsByte) {
		spelt = []messages.Message{messages.New("verdict.bytes")}
	}
	if g.Right {
		said := append([]messages.Message{messages.New("task." + g.Task + ".right")}, spelt...)
		return components.Badge{State: components.Holds, Text: p.Say(messages.Join(" ", said...))}
	}
	said := append([]messages.Message{messages.New("verdict.wrong", "answer", g.AnswerText)}, spelt...)
	for i := range g.Steps {
		if !g.RightStep(i) {
			said = append(said, messages.New("verdict.first", "step", i+1))
			break
		}
	}
	if !g.Stopped {
		said = append(said, messages.New("verdict.endless", "steps", messages.New("count.step", "count", len(g.Steps))))
	}
	return components.Badge{State: components.Fails, Text: site.Clean(p.Say(messages.Join(" ", said...)))}
}

// serveWrite answers GET /api/v1/write.
func (s *pages) serveWrite(w http.ResponseWriter, r *http.Request, q address.Query) error {
	v, st, id := q.Values, q.State, encoder.EncoderDecoder.ID
	maps := address.Names(v)
	for _, name := range maps {
		if !slices.Contains(Parts, name) {
			return address.Join([]address.ParamError{address.Invalid(address.Map, "param.part", "map", messages.Quote(name),
				"allowed", messages.List(Parts))})
		}
	}
	st.Mechanisms = []string{id}
	sel, res, err := s.writes(r.Context(), st.SingleCard(id))
	if err != nil {
		return err
	}
	answer, err := newWrite(sel, res, api.Query{
		Choice: st.Choice, AllLayers: !v.Has(address.Layer), AllHeads: !v.Has(address.Head), Maps: maps,
	})
	if err != nil {
		return err
	}
	if len(res.Cut) > 0 {
		_, whole, err := s.writes(r.Context(), st.WithoutCuts())
		if err != nil {
			return err
		}
		answer.Compare(res, whole)
	}
	return site.SendJSON(w, answer)
}

// writes runs the encoder–decoder, which must be the only mechanism of a state.
func (s *pages) writes(ctx context.Context, st address.State) (*exhibit.Selection, *engine.Result, error) {
	sel, err := s.Inspect(ctx, st)
	if err != nil {
		return nil, nil, err
	}
	res := sel.Result(st.Mechanisms[0])
	return sel, res, res.Err
}
