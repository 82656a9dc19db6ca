package web

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
)

// about answers GET /about.
func (s *Server) about(w http.ResponseWriter, r *http.Request) error {
	var page bytes.Buffer
	if err := components.AboutPage(s.aboutView(r)).Render(r.Context(), &page); err != nil {
		return err
	}
	writeHTML(w, http.StatusOK, page.Bytes())
	return nil
}

func (s *Server) aboutView(r *http.Request) components.About {
	a := components.About{Own: s.own, Page: components.Page{
		Title:       "About",
		Description: "Where the weights and the data come from, and what an attention map does not say.",
		Section:     "about",
		Theme:       themeOf(r),
		Version:     s.version,
		Weights:     s.weights(),
	}}
	var data []string
	for _, e := range s.subjects {
		m := s.model(e.ID)
		if m == nil || s.borrowed(e) { // the mechanisms' models are the encoder's
			continue
		}
		row := modelRow(e, m)
		if e.Stack != nil {
			row.Objective = string(e.Stack.Objective)
			a.Stacks = append(a.Stacks, row)
		} else {
			a.Models = append(a.Models, row)
		}
		for _, d := range m.Data {
			if !slices.Contains(data, d) {
				data = append(data, d)
			}
		}
	}
	for _, d := range data {
		a.Data = append(a.Data, components.DataRow{Name: d})
	}
	return a
}

// modelRow is what is known of a model.
func modelRow(e subject, m *engine.ModelInfo) components.ModelRow {
	row := components.ModelRow{
		ID: e.ID, Name: e.Name, Source: citation(e.Paper),
		Layers: e.depth(m), Heads: m.Heads, Width: m.Width, Length: m.Length, Params: m.Params,
		Steps: m.Steps, Tokens: m.Tokens, Loss: m.Loss, Minutes: m.Minutes, Commit: m.Commit,
	}
	for _, task := range slices.Sorted(maps.Keys(m.Score)) {
		row.Scores = append(row.Scores, components.Fact{
			Label: task, Value: strconv.FormatFloat(100*m.Score[task], 'f', 1, 64) + " %", Help: "accuracy on the validation set",
		})
	}
	return row
}

// citation is "Vaswani et al. 2017, sec. 3.2, eq. 1".
func citation(p attention.Paper) string {
	first, _, more := strings.Cut(p.Authors, ",")
	if more {
		first += " et al."
	}
	parts := []string{}
	if first != "" {
		parts = append(parts, strings.TrimSpace(first+" "+strconv.Itoa(p.Year)))
	}
	if p.Equations != "" {
		parts = append(parts, p.Equations)
	}
	return strings.Join(parts, ", ")
}

// weights says in a few words where the weights come from.
func (s *Server) weights() string {
	var commits []string
	for _, e := range s.subjects {
		if m := s.model(e.ID); m != nil && !slices.Contains(commits, m.Commit) {
			commits = append(commits, m.Commit)
		}
	}
	if len(commits) == 0 {
		return ""
	}
	for i, c := range commits {
		commits[i] = c[:min(len(c), 10)]
	}
	return "weights trained at commit " + strings.Join(commits, ", ")
}

// themeOf is the theme that a URL asks for, whatever else is wrong with it.
func themeOf(r *http.Request) string {
	v, _ := parseQuery(r.URL.RawQuery)
	s, _ := decodeState(v)
	return s.Theme
}
