package web

import (
	"maps"
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
)

// serveAbout answers GET /about.
func (s *Server) serveAbout(w http.ResponseWriter, r *http.Request) error {
	return s.render(w, r, http.StatusOK, components.AboutPage(s.about(r)))
}

func (s *Server) about(r *http.Request) components.About {
	l := language(r)
	st := s.stateOf(r)
	a := components.About{Own: s.own, Page: s.head(l, "about", l.T("about.title"), l.T("about.summary"), st)}
	for _, m := range method.Catalog() {
		a.Methods = append(a.Methods, methodView(l, m, st))
	}
	for _, e := range s.mechanisms {
		m := s.model(e.ID)
		if m == nil || s.borrowed(e) { // the mechanisms' models are the encoder's
			continue
		}
		row := s.modelRow(l, e, m)
		if e.Stack != nil {
			row.Objective = l.Say(objective(string(e.Stack.Objective)))
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

// modelRow is what is known of a model: as it was measured last, else as its file tells.
func (s *Server) modelRow(l *messages.Language, e mechanism, m *engine.ModelInfo) components.ModelRow {
	row := components.ModelRow{
		ID: e.ID, Name: l.Say(e.Name), Source: e.Paper.Citation(),
		Layers: e.facts(m).Runs, Heads: m.Heads, Width: m.Width, Length: m.Length, Params: m.Params,
		Steps: m.Steps, Tokens: m.Tokens, Loss: m.Loss, Minutes: m.Minutes, Commit: m.Commit,
	}
	score := map[string]float64{}
	maps.Copy(score, m.Score)
	if measured := s.resultsOf(&e); measured != nil {
		row.Loss = measured.Loss.Mean
		for task, share := range measured.Score {
			score[task] = share.Mean
		}
	}
	for _, task := range slices.Sorted(maps.Keys(score)) {
		row.Scores = append(row.Scores, components.Fact{Label: task, Value: messages.Percent(score[task]), Help: l.T("about.accuracy")})
	}
	return row
}

// weights says in a few words where the weights come from.
func (s *Server) weights(l *messages.Language) string {
	var commits messages.List
	for _, e := range s.mechanisms {
		m := s.model(e.ID)
		if m == nil {
			continue
		}
		if c := m.Commit[:min(len(m.Commit), 10)]; !slices.Contains(commits, c) {
			commits = append(commits, c)
		}
	}
	if commits == nil {
		return ""
	}
	return l.T("about.weights", "commits", commits)
}
