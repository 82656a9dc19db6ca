package mechanism

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/explain"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/highlight"
	"attnatlas/web/site"

	"github.com/go-chi/chi/v5"
)

// serveSourceJSON answers GET /m/{mechanism}/source.json.
func (s *pages) serveSourceJSON(w http.ResponseWriter, r *http.Request, _ address.Query) error {
	e, err := s.MechanismOf(r)
	if err != nil {
		return err
	}
	a := Source{Version: 1, ID: e.ID, Path: e.Source.Path, Text: e.Source.Text, Steps: []SourceStep{}}
	lines := s.linesOf(r.Context(), e.ID)
	for i := range highlight.Lines(a.Text) {
		for _, step := range lines[i+1] {
			a.Steps = append(a.Steps, SourceStep{Line: i + 1, Step: step})
		}
	}
	return site.SendJSON(w, a)
}

// anyText is the text for finding the source lines of steps. They are the same for all texts.
const anyText = "a b"

// linesOf returns the steps that each line of a mechanism's file computes, from line 1. Without a
// model they are unknown.
func (s *pages) linesOf(ctx context.Context, id string) map[int][]string {
	if known, ok := s.Lines.Load(id); ok {
		return known.(map[int][]string)
	}
	stepper, ok := s.Engine.(site.Stepper)
	if !ok || !s.Trained(id) {
		return nil
	}
	found, err := stepper.Steps(ctx, explain.StepsRequest{Request: engine.Request{Text: anyText,
		Mechanisms: []string{id}}, Layer: 1})
	if err != nil {
		return nil
	}
	lines := map[int][]string{}
	for _, step := range found.List {
		if step.Line > 0 {
			lines[step.Line] = append(lines[step.Line], step.Key)
		}
	}
	s.Lines.Store(id, lines)
	return lines
}

// serveSource answers GET /m/{mechanism}/source: the source file of a mechanism.
func (s *pages) serveSource(w http.ResponseWriter, r *http.Request) error {
	id, err := site.IDOf(chi.URLParam(r, "mechanism"))
	if err != nil {
		return err
	}
	e := s.Find(id)
	p, _ := s.read(r, e)
	if e == nil {
		p.Shorten()
		return p.noPage(id)
	}
	p.State.Text, p.State.Other = site.BeginningBytes(p.State.Text,
		site.LongestCarried), site.BeginningBytes(p.State.Other, site.LongestCarried)
	name := p.Say(e.Name)
	view := ProgramFile{
		Page: s.Head(p.Language, "mechanism", name+" · "+path.Base(e.Source.Path), p.T("program.summary", "name", name),
			p.Carried()).With(files...),
		Name: name, Path: e.Source.Path, Back: components.Link{Label: name, URL: address.Mechanism(p.State, id)},
		Lines: p.lines(r.Context(), e),
	}
	return s.Render(w, r, p.Status(w), ProgramPage(view))
}

// program returns the excerpt of the file on a mechanism's page: the lines that compute steps.
func (p *page) program(ctx context.Context, e *site.Mechanism) ProgramExcerpt {
	all := p.lines(ctx, e)
	v := ProgramExcerpt{
		Path: e.Source.Path, Says: p.T("program.whole", "lines", messages.Grouped(len(all))),
		URL: address.Source(p.State, e.ID),
	}
	v.Lines = slices.DeleteFunc(all, func(l ProgramLine) bool { return len(l.Steps) == 0 })
	return v
}

// lines returns the lines of a mechanism's file, with links to the steps that they compute.
func (p *page) lines(ctx context.Context, e *site.Mechanism) []ProgramLine {
	steps := p.Site.linesOf(ctx, e.ID)
	var list []ProgramLine
	for i, code := range highlight.Lines(e.Source.Text) {
		line := ProgramLine{Number: strconv.Itoa(i + 1), Code: code}
		for _, key := range steps[i+1] {
			st := p.State
			st.Layer = max(st.Layer, 1)
			line.Steps = append(line.Steps, components.Link{Label: key, Hint: p.T("program.step", "step", key),
				URL: address.One(address.StepsPath, st.Word(), e.ID, url.Values{address.Map: {key}}) + "#step-" +
					messages.Key(key)})
		}
		list = append(list, line)
	}
	return list
}
