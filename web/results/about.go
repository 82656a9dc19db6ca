package results

import (
	"maps"
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// serveAbout answers GET /about.
func (s *pages) serveAbout(w http.ResponseWriter, r *http.Request) error {
	return s.Render(w, r, http.StatusOK, AboutPage(s.about(r)))
}

func (s *pages) about(r *http.Request) AboutView {
	l := site.Language(r)
	st := s.StateOf(r)
	a := AboutView{Own: s.Own, Page: s.Head(l, "about", l.T("about.title"), l.T("about.summary"), st)}
	for _, m := range method.Catalog() {
		a.Methods = append(a.Methods, wall.MethodView(l, m, st))
	}
	for _, e := range s.Mechanisms {
		m := s.Model(e.ID)
		if m == nil || s.Borrowed(e) { // mechanisms borrow the model of the encoder
			continue
		}
		row := s.modelRow(l, e, m)
		if e.Stack != nil {
			row.Objective = l.Say(site.Objective(string(e.Stack.Objective)))
			a.Stacks = append(a.Stacks, row)
		} else {
			a.Models = append(a.Models, row)
		}
		for _, d := range m.Data {
			if !slices.Contains(a.Data, d) {
				a.Data = append(a.Data, d)
			}
		}
	}
	return a
}

// modelRow returns the facts about a model: as last measured, or else as its file has them.
func (s *pages) modelRow(l *messages.Language, e site.Mechanism, m *engine.ModelInfo) ModelRow {
	row := ModelRow{
		ID: e.ID, Name: l.Say(e.Name), Source: e.Paper.Citation(),
		Layers: e.Facts(m).Runs, Heads: m.Heads, Width: m.Width, Length: m.Length, Params: m.Params,
		Steps: m.Steps, Tokens: m.Tokens, Loss: m.Loss, Commit: m.Commit,
	}
	score := map[string]float64{}
	maps.Copy(score, m.Score)
	if measured := s.ResultsOf(&e); measured != nil {
		row.Loss, row.Options = measured.Loss.Mean, measured.OptionsIn(l)
		for task, share := range measured.Score {
			score[task] = share.Mean
		}
	}
	for _, task := range slices.Sorted(maps.Keys(score)) {
		row.Scores = append(row.Scores, components.Fact{
			Label: l.T("learned.task." + messages.Key(task)), Value: messages.Percent(score[task]), Help: l.T("about.accuracy"),
		})
	}
	return row
}

// serveAboutJSON answers GET /about.json.
func (s *pages) serveAboutJSON(w http.ResponseWriter, r *http.Request, _ address.Query) error {
	l := site.Language(r)
	a := About{Version: 1, Program: s.Version, Own: s.Own, Models: []AboutModel{}, Data: []string{},
		Methods: []AboutMethod{}}
	for _, e := range s.Mechanisms {
		m := s.Model(e.ID)
		if m == nil || s.Borrowed(e) { // the page lists the same models
			continue
		}
		a.Models = append(a.Models, AboutModel{ID: e.ID, Name: l.Say(e.Name), Model: m})
		for _, d := range m.Data {
			if !slices.Contains(a.Data, d) {
				a.Data = append(a.Data, d)
			}
		}
	}
	for _, m := range method.Catalog() {
		a.Methods = append(a.Methods, AboutMethod{Show: m.Name, Name: l.Say(m.Label()), Formula: m.Formula,
			Text: l.Say(m.Text())})
	}
	return site.SendJSON(w, a)
}
