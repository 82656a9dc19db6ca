package web

import (
	"maps"
	"net/http"
	"slices"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// serveAbout answers GET /about.
func (s *Server) serveAbout(w http.ResponseWriter, r *http.Request) error {
	return s.render(w, r, http.StatusOK, components.AboutPage(s.about(r)))
}

func (s *Server) about(r *http.Request) components.About {
	l := language(r)
	a := components.About{Own: s.own, Page: s.head(l, "about", l.T("about.title"), l.T("about.summary"), s.themeOf(r))}
	for _, e := range s.mechanisms {
		m := s.model(e.ID)
		if m == nil || s.borrowed(e) { // the mechanisms' models are the encoder's
			continue
		}
		row := modelRow(l, e, m)
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

// modelRow is what is known of a model.
func modelRow(l *messages.Language, e mechanism, m *engine.ModelInfo) components.ModelRow {
	row := components.ModelRow{
		ID: e.ID, Name: l.Say(e.Name), Source: e.Paper.Citation(),
		Layers: e.facts(m).Runs, Heads: m.Heads, Width: m.Width, Length: m.Length, Params: m.Params,
		Steps: m.Steps, Tokens: m.Tokens, Loss: m.Loss, Minutes: m.Minutes, Commit: m.Commit,
	}
	for _, task := range slices.Sorted(maps.Keys(m.Score)) {
		row.Scores = append(row.Scores, components.Fact{Label: task, Value: messages.Percent(m.Score[task]), Help: l.T("about.accuracy")})
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

// serveIndex answers GET /m.
func (s *Server) serveIndex(w http.ResponseWriter, r *http.Request) error {
	l := language(r)
	v, _ := address.ParseQuery(r.URL.RawQuery)
	st, _ := address.Decode(v, s.vocab, "")
	st.Text = beginningBytes(st.Text, longestLink)
	index := components.Index{Page: s.head(l, "mechanisms", l.T("index.title"), l.T("index.summary"), st.Theme)}
	for i := range s.mechanisms {
		e := s.as(&s.mechanisms[i])
		row := components.IndexRow{
			ID: e.ID, Name: l.Say(e.Name), Summary: l.Say(e.Summary), Formula: e.Formula, Source: e.Paper.Citation(),
			URL: address.Mechanism(st, e.ID), Untrained: !s.trained(e.ID),
		}
		if e.Stack != nil {
			index.Stacks = append(index.Stacks, row)
		} else {
			index.Rows = append(index.Rows, row)
		}
	}
	return s.render(w, r, http.StatusOK, components.MechanismsPage(index))
}
