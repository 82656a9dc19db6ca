package web

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/api"
)

// replay is the report of a state that asks for maps as they were after some steps of the
// training.
func (s *Server) replay(st address.State) (*engine.Report, error) {
	step, err := strconv.Atoi(st.After)
	if err != nil {
		return nil, err
	}
	var all *engine.Report
	for _, id := range st.Mechanisms {
		rep, err := s.recorded(id, step, st)
		switch {
		case err != nil && all == nil:
			return nil, err
		case all == nil:
			all = rep
		case err != nil:
			entry, stack, _ := engine.Find(id)
			all.Mechanisms = append(all.Mechanisms, engine.Result{ID: id, Entry: entry, Stack: stack, Err: err})
		default:
			all.Mechanisms = append(all.Mechanisms, rep.Mechanisms...)
		}
	}
	return all, nil
}

// recorded is the report of one model.
func (s *Server) recorded(id string, step int, st address.State) (*engine.Report, error) {
	r, err := s.recordingOf(id)
	if err != nil {
		return nil, err
	}
	if err := r.Check(step, st.Text, st.Task); err != nil {
		return nil, err
	}
	frame, _ := r.Frame(step)
	number, _ := r.Reading(st.Text, st.Task)
	return r.Report(s.vocab, s.model(id), frame, number), nil
}

// recordingOf is the recording of a model; that there is none is an error.
func (s *Server) recordingOf(id string) (*recording.Recording, error) {
	if s.find(id) == nil {
		return nil, s.noMechanism(id)
	}
	r, err := s.recordings.Find(id)
	if err != nil {
		return nil, engine.Errorf(engine.Internal, "error.recording.damaged", "cause", messages.Of(err))
	}
	if r == nil {
		return nil, engine.Errorf(engine.NotFound, "error.recording.none", "id", messages.Quote(id))
	}
	return r, nil
}

// serveTraining answers GET /api/v1/training.
func (s *Server) serveTraining(w http.ResponseWriter, r *http.Request) error {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	st, wrong := address.Decode(v, s.vocab, "")
	if err := address.Join(bad, wrong, address.Unknown(v, address.Map)); err != nil {
		return err
	}
	if !v.Has(address.Mechanisms) {
		return engine.Errorf(engine.Invalid, "error.recording.which")
	}
	rec, err := s.recordingOf(st.Mechanisms[0])
	if err != nil {
		return err
	}
	if !v.Has(address.Text) {
		st.Text = rec.Texts[0]
	}
	st = s.lasting(r.Context(), st)
	tokens, _ := engine.Tokens(s.vocab, st.Text)
	heldOf(r.Context()).allow(mostDataBytes)
	answer := api.Training{Version: 1, Steps: rec.Total, Text: st.Text, Task: rec.Task(st.Task), Tokens: tokenizer.Labels(tokens), Frames: []api.TrainingFrame{}}
	losses := rec.LossOf(st.Task)
	for i, step := range rec.Steps {
		frame := api.TrainingFrame{Step: step, Loss: losses[i]}
		if err = s.frame(r, st, &frame, address.Names(v)); err != nil {
			return err
		}
		answer.Frames = append(answer.Frames, frame)
	}
	return sendJSON(w, answer)
}

// frame draws the maps of a state after the step of a frame.
func (s *Server) frame(r *http.Request, st address.State, frame *api.TrainingFrame, names []string) error {
	if err := r.Context().Err(); err != nil {
		return engine.Errorf(engine.Busy, "error.stopped")
	}
	st.After = strconv.Itoa(frame.Step)
	rep, err := s.replay(st)
	if err != nil {
		return err
	}
	frame.Written = api.NewTrainingWritten(rep.Mechanisms[0].Generated)
	sel := exhibit.Select(rep, st.Choice)
	for i := range rep.Mechanisms {
		res := &rep.Mechanisms[i]
		wanted := names
		if len(wanted) == 0 {
			wanted = exhibit.AtOnce(res)
		}
		m := api.DrawingMechanism{ID: res.ID}
		if m.Maps, err = api.NewDrawing(sel, res, wanted, true, language(r)); err != nil {
			m.Maps, m.Error = nil, language(r).Say(messageOf(err))
		}
		frame.Mechanisms = append(frame.Mechanisms, m)
	}
	return nil
}

// animated is the extension of an animation.
const animated = "apng"

// framesShown is how many frames a page shows to those without scripts.
const framesShown = 8

// training is the part of a page that shows how the maps came to be; empty without a recording.
func (p *page) training() (view components.Training) {
	r, err := p.s.recordings.Find(p.at.ID)
	if r == nil || err != nil || p.sel == nil {
		return view
	}
	st := p.state.Whole() // as it was
	st.Pin, st.Was, st.Mask, st.Show, st.Step = address.Pin{}, nil, 0, exhibit.Maps, 0
	st.Mechanisms = []string{p.at.ID}
	if x, err := p.sel.Exhibit(p.at.ID, "", 0); err == nil && !p.generated() { // whose parts have their own
		st.Head = x.Number
	}
	if !slices.Contains(r.Texts, st.Text) {
		st.Text = r.Texts[0]
	}
	view = components.Training{Loss: r.LossOf(st.Task), Steps: r.Steps, Text: st.Text, Texts: p.trainingTexts(r, st.Text), Tasks: p.trainingTasks(r, st)}
	for i := range framesShown {
		step := r.Steps[i*(len(r.Steps)-1)/(framesShown-1)]
		if f, ok := p.trainingFrame(st, step); ok {
			view.Frames = append(view.Frames, f)
		}
	}
	st.Mechanisms = append(st.Mechanisms, p.beside()...)
	view.Maps = p.trainingMaps(r, st)
	view.DataURL = address.Training(st)
	view.Animation = components.Link{Label: p.t("training.animation"), Hint: p.t("training.animation-hint"), URL: address.Export(st, p.at.ID, animated, nil)}
	return view
}

// trainingMaps are the maps that are shown beside each other: those of several models, or of one the parts.
func (p *page) trainingMaps(r *recording.Recording, st address.State) (list []components.TrainingMap) {
	if len(r.Tasks) == 0 {
		for _, id := range st.Mechanisms {
			list = append(list, components.TrainingMap{ID: id, Name: p.say(p.s.find(id).Name)})
		}
		return list
	}
	st.After = strconv.Itoa(r.Total)
	rep, err := p.s.replay(st)
	if err != nil {
		return nil
	}
	sel := exhibit.Select(rep, st.Choice)
	for _, part := range r.Parts() {
		if x, err := sel.Exhibit(p.at.ID, part, 0); err == nil {
			name := messages.Join(" · ", messages.New("part."+part+".title"), x.Where(" · "))
			list = append(list, components.TrainingMap{ID: p.at.ID, Map: part, Name: capital(p.say(name))})
		}
	}
	return list
}

// trainingTasks are the tasks that were recorded, if there are several.
func (p *page) trainingTasks(r *recording.Recording, now address.State) (links []components.Example) {
	for _, task := range r.Tasks {
		st := p.state
		st.Text, st.Task, st.Step = now.Text, task.Name, 0
		links = append(links, components.Example{Title: p.t("task." + task.Name + ".label"), URL: p.url(st) + "#training", Current: task.Name == r.Task(now.Task)})
	}
	return links
}

// beside is what stands still beside a training: of a mechanism that learns what another one
// never changes, that one.
func (p *page) beside() []string {
	if still := p.at.Still; still != "" && p.s.recordings.Has(still) && p.s.find(still) != nil {
		return []string{still}
	}
	return nil
}

func (p *page) trainingTexts(r *recording.Recording, now string) (links []components.Example) {
	for _, text := range r.Texts {
		st := p.state
		st.Text, st.Pin, st.Was, st.Step = text, address.Pin{}, nil, 0
		links = append(links, components.Example{Title: text, URL: p.url(st) + "#training", Current: text == now})
	}
	return links
}

// trainingFrame is a picture of the main map after a step.
func (p *page) trainingFrame(st address.State, step int) (components.TrainingFrame, bool) {
	st.After = strconv.Itoa(step)
	rep, err := p.s.replay(st)
	if err != nil {
		return components.TrainingFrame{}, false
	}
	sel := exhibit.Select(rep, st.Choice)
	x, err := sel.Exhibit(p.at.ID, "", 0)
	if err != nil {
		return components.TrainingFrame{}, false
	}
	img := p.picture(st, x, thumbWidth)
	img.Alt = p.say(x.Alt())
	f := components.TrainingFrame{Label: p.t("training.step", "count", step), Image: img}
	if g := rep.Mechanisms[0].Generated; g != nil {
		f.Written = cmp.Or(exhibit.Beginning(g.Text), p.t("training.wordless"))
	}
	return f, true
}

// serveAnimation answers GET /export/{mechanism}.apng: every frame of a recording.
func (s *Server) serveAnimation(w http.ResponseWriter, r *http.Request, id string) error {
	f, err := s.decodeFigure(r, id)
	if err != nil {
		return err
	}
	rec, err := s.recordingOf(id)
	if err != nil {
		return err
	}
	st := f.State
	st.Mechanisms = []string{id}
	if v, _ := address.ParseQuery(r.URL.RawQuery); !v.Has(address.Text) {
		st.Text = rec.Texts[0]
	}
	f.State = s.lasting(r.Context(), st)
	frames, name, err := s.frames(r, f, rec.Steps)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/apng")
	w.Header().Set("Content-Disposition", "inline; filename="+strconv.Quote(name))
	heldOf(r.Context()).allow(mostFigureBytes)
	g := frames[0].Grid
	one := pixels(g.Rows, g.Cols, f.Look)
	if one*len(frames) > mostAnimated {
		return engine.Errorf(engine.Invalid, "error.animation", "most", mostAnimated/1_000_000)
	}
	return inTurn(r.Context(), s.long, float64(one*len(frames))*operationsPerPixel, longOperations, func() error {
		return s.draw(r.Context(), one, func() error { return figure.Animate(w, frames) })
	})
}

// frames are the figures of a map after some steps, and the name of their file.
func (s *Server) frames(r *http.Request, f address.Figure, steps []int) (frames []figure.Figure, name string, err error) {
	st := f.State
	for _, step := range steps {
		st.After = strconv.Itoa(step)
		rep, err := s.replay(st)
		if err != nil {
			return nil, "", err
		}
		x, err := exhibit.Select(rep, st.Choice).Exhibit(st.Mechanisms[0], f.Map, f.Plane)
		if err != nil {
			return nil, "", err
		}
		f.Arcs = figure.Arcs{} // a recording is of maps
		meta := x.Provenance(language(r), address.Figure{State: st, Look: f.Look}.Source(x, animated), s.version)
		frames, name = append(frames, x.Drawing(language(r), f.Look, meta)), x.FileName(animated)
	}
	return frames, name, nil
}

// mostAnimated are the pixels of all frames together.
const mostAnimated = 4 * figure.MaxPixels

// operationsPerPixel is about what drawing a pixel takes, in the queue's measure.
const operationsPerPixel = 500
