package mechanism

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// serveTraining answers GET /api/v1/training.
func (s *pages) serveTraining(w http.ResponseWriter, r *http.Request, q address.Query) error {
	v, st := q.Values, q.State
	if !v.Has(address.Mechanisms) {
		return fault.Errorf(fault.Invalid, "error.recording.which")
	}
	rec, err := s.RecordingOf(st.Mechanisms[0])
	if err != nil {
		return err
	}
	if !v.Has(address.Text) {
		st.Text = rec.Texts[0]
	}
	st = s.Lasting(r.Context(), st)
	tokens, _ := s.Vocab.EncodePair(st.Text)
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	answer := Training{Version: 1, Steps: rec.Total, Text: st.Text, Task: rec.Task(st.Task),
		Tokens: tokenizer.Labels(tokens), Frames: []TrainingFrame{}}
	losses := rec.LossOf(st.Task)
	for i, step := range rec.Steps {
		frame := TrainingFrame{Step: step, Loss: losses[i]}
		if err = s.frame(r, st, &frame, address.Names(v)); err != nil {
			return err
		}
		answer.Frames = append(answer.Frames, frame)
	}
	return site.SendJSON(w, answer)
}

// frame draws the maps of a state after the training step of a frame.
func (s *pages) frame(r *http.Request, st address.State, frame *TrainingFrame, names []string) error {
	if err := r.Context().Err(); err != nil {
		return fault.Errorf(fault.Busy, "error.stopped")
	}
	st.After = strconv.Itoa(frame.Step)
	rep, err := s.Replay(st)
	if err != nil {
		return err
	}
	frame.Written = newTrainingWritten(rep.Mechanisms[0].Generated)
	sel := exhibit.Select(rep, st.InTextOrder())
	for i := range rep.Mechanisms {
		res := &rep.Mechanisms[i]
		wanted := names
		if len(wanted) == 0 {
			wanted = exhibit.AtOnce(res)
		}
		m := api.DrawingMechanism{ID: res.ID}
		if m.Maps, err = api.NewDrawing(sel, res, wanted, api.WithNumbers, site.Language(r)); err != nil {
			m.Maps, m.Error = nil, site.Language(r).Say(site.MessageOf(err))
		}
		frame.Mechanisms = append(frame.Mechanisms, m)
	}
	return nil
}

// Animated is the extension of an animation.
const Animated = "apng"

// framesShown is the number of frames on a page without scripts.
const framesShown = 8

// training returns the section with training snapshots; it is empty without a recording.
func (p *page) training() (view TrainingView) {
	if all := engine.Checkpoints(p.At.ID); all != nil && p.Sel != nil {
		return p.checkpoints(all)
	}
	r, err := p.Site.Recordings.Find(p.At.ID)
	if r == nil || err != nil || p.Sel == nil {
		return view
	}
	st := p.State.WithoutCuts() // recordings have no ablations
	st.Pin, st.Was, st.Mask, st.Show, st.Step = address.Pin{}, nil, 0, exhibit.Maps, 0
	st.Mechanisms = []string{p.At.ID}
	if x, err := p.Sel.Exhibit(p.At.ID, "", 0); err == nil && !p.Generated() { // its parts have their own
		st.Head = x.Number
	}
	if !slices.Contains(r.Texts, st.Text) {
		st.Text = r.Texts[0]
	}
	view = TrainingView{Steps: r.Steps, Now: len(r.Steps) - 1, Text: st.Text,
		Texts: p.trainingTexts(r, st.Text), Tasks: p.trainingTasks(r, st)}
	for i, loss := range r.LossOf(st.Task) {
		view.Loss = append(view.Loss, engine.LossPoint{Step: r.Steps[i], Loss: loss})
	}
	for i := range framesShown {
		step := r.Steps[i*(len(r.Steps)-1)/(framesShown-1)]
		if f, ok := p.trainingFrame(st, step); ok {
			view.Frames = append(view.Frames, f)
		}
	}
	st.Mechanisms = append(st.Mechanisms, p.beside()...)
	view.Maps = p.trainingMaps(r, st)
	view.DataURL = address.Training(st)
	view.Animation = components.Link{Label: p.T("training.animation"), Hint: p.T("training.animation-hint"),
		URL: address.Export(st, p.At.ID, Animated, nil)}
	return view
}

// checkpoints returns the section for a checkpoint of a training: the loss, and the main map in each checkpoint. For
// an encoder–decoder, it shows the maps of the decoder.
func (p *page) checkpoints(all []*engine.Guest) (view TrainingView) {
	res := p.Sel.Result(p.At.ID)
	names := []string{""}
	if len(res.Parts) > 0 {
		names = []string{engine.CrossPart, engine.DecoderPart}
	}
	st := p.State.WithoutCuts()
	st.Pin, st.Was = address.Pin{}, nil
	view.Text, view.Tokens = st.Text, tokenizer.Labels(p.Sel.Report.TokensOf(res))
	for i, name := range names {
		x, err := p.Sel.Exhibit(p.At.ID, name, 0)
		if err != nil {
			return TrainingView{}
		}
		if i == 0 {
			st.Head = x.Number
		}
		where := x.Where(" · ")
		if x.Number > 0 { // another head can be the most distinctive one of another checkpoint, or map
			where = messages.Join(" · ", x.LayerName(), messages.New("head.number", "number", st.Head))
		}
		if name != "" {
			where = messages.Join(" · ", messages.New("part."+name+".title"), where)
		} else {
			names[0] = x.Map.Name
		}
		view.Maps = append(view.Maps, TrainingMap{ID: p.At.ID, Map: names[i], Name: site.Capital(p.Say(where))})
	}
	st.Mechanisms = []string{p.At.ID}
	view.DataURL = address.Drawing(st, "", names)
	if last := all[len(all)-1]; last.Losses != nil {
		losses, err := last.Losses()
		if view.Loss, view.EvalLoss = losses.Training, losses.Evaluation; err != nil {
			view.NoLoss = p.Say(messages.Of(err))
		}
	}
	for i, g := range all {
		view.Steps, view.Models = append(view.Steps, g.Step), append(view.Models, g.ID)
		if g.ID == p.At.ID {
			view.Now = i
		}
	}
	shown := min(framesShown, len(all))
	for i := range shown {
		g := all[i*(len(all)-1)/(shown-1)]
		view.Checkpoints = append(view.Checkpoints, components.Example{Title: messages.Grouped(g.Step),
			URL: address.Mechanism(st, g.ID) + "#training", Current: g.ID == p.At.ID})
	}
	return view
}

// trainingMaps returns the maps that are shown side by side: of several models, or of the parts of
// one model.
func (p *page) trainingMaps(r *recording.Recording, st address.State) (list []TrainingMap) {
	if len(r.Tasks) == 0 {
		for _, id := range st.Mechanisms {
			list = append(list, TrainingMap{ID: id, Name: p.Say(p.Site.Find(id).Name)})
		}
		return list
	}
	st.After = strconv.Itoa(r.Total)
	rep, err := p.Site.Replay(st)
	if err != nil {
		return nil
	}
	sel := exhibit.Select(rep, st.InTextOrder())
	for _, part := range r.Parts() {
		if x, err := sel.Exhibit(p.At.ID, part, 0); err == nil {
			name := messages.Join(" · ", messages.New("part."+part+".title"), x.Where(" · "))
			list = append(list, TrainingMap{ID: p.At.ID, Map: part, Name: site.Capital(p.Say(name))})
		}
	}
	return list
}

// trainingTasks returns links to the recorded tasks, if there are several.
func (p *page) trainingTasks(r *recording.Recording, now address.State) (links []components.Example) {
	for _, task := range r.Tasks {
		st := p.State
		st.Text, st.Task, st.Step = now.Text, task.Name, 0
		links = append(links, components.Example{Title: p.T("task." + task.Name + ".label"), URL: p.URL(st) + "#training",
			Current: task.Name == r.Task(now.Task)})
	}
	return links
}

// beside returns the mechanism to show next to a training: the one whose fixed values this
// mechanism learns.
func (p *page) beside() []string {
	if still := p.At.Still; still != "" && p.Site.Recordings.Has(still) && p.Site.Find(still) != nil {
		return []string{still}
	}
	return nil
}

func (p *page) trainingTexts(r *recording.Recording, now string) (links []components.Example) {
	for _, text := range r.Texts {
		st := p.State
		st.Text, st.Pin, st.Was, st.Step = text, address.Pin{}, nil, 0
		links = append(links, components.Example{Title: text, URL: p.URL(st) + "#training", Current: text == now})
	}
	return links
}

// trainingFrame returns a picture of the main map after a training step.
func (p *page) trainingFrame(st address.State, step int) (TrainingPicture, bool) {
	st.After = strconv.Itoa(step)
	rep, err := p.Site.Replay(st)
	if err != nil {
		return TrainingPicture{}, false
	}
	sel := exhibit.Select(rep, st.InTextOrder())
	x, err := sel.Exhibit(p.At.ID, "", 0)
	if err != nil {
		return TrainingPicture{}, false
	}
	img := p.Picture(st, x, wall.ThumbWidth)
	img.Alt = p.Say(x.Alt())
	f := TrainingPicture{Label: p.T("training.step", "count", step), Image: img}
	if g := rep.Mechanisms[0].Generated; g != nil {
		f.Written = cmp.Or(exhibit.Beginning(g.Text), p.T("training.wordless"))
	}
	return f, true
}
