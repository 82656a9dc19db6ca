package web

import (
	"encoding/json"
	"net/http"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// Mechanisms is the answer of /api/v1/mechanisms.
type Mechanisms struct {
	Version    int         `json:"version" doc:"Version of this format"`
	Mechanisms []Mechanism `json:"mechanisms" doc:"In the order of the catalogue"`
}

// Mechanism describes one mechanism.
type Mechanism struct {
	ID      string            `json:"id" doc:"In URLs and file names"`
	Name    string            `json:"name"`
	Summary string            `json:"summary"`
	Formula string            `json:"formula" doc:"Plain text with Unicode mathematics"`
	Cost    string            `json:"cost"`
	Paper   MechanismPaper    `json:"paper"`
	Masks   []MechanismMask   `json:"masks"`
	Views   []MechanismView   `json:"views" doc:"The maps worth showing, the main one first"`
	Model   *engine.ModelInfo `json:"model,omitempty" doc:"The shipped weights and where they come from"`
}

// MechanismPaper is where a mechanism was published.
type MechanismPaper struct {
	Authors   string `json:"authors"`
	Title     string `json:"title"`
	Venue     string `json:"venue"`
	Year      int    `json:"year"`
	ArXiv     string `json:"arxiv,omitempty"`
	Equations string `json:"equations,omitempty"`
}

// MechanismMask says whether a mechanism is defined under a mask.
type MechanismMask struct {
	Mask    string `json:"mask" enum:"none,padding,causal"`
	Defined bool   `json:"defined"`
	Reason  string `json:"reason,omitempty" doc:"Why it is not defined"`
}

// MechanismView is a map worth showing.
type MechanismView struct {
	Map     string `json:"map" doc:"Its name in /api/v1/attend"`
	Symbol  string `json:"symbol"`
	Caption string `json:"caption" doc:"What a cell is"`
	By      string `json:"by,omitempty" doc:"A map of classes of tokens, where the values of this one are tokens"`
}

// mechanisms answers GET /api/v1/mechanisms.
func (s *Server) mechanisms(w http.ResponseWriter, r *http.Request) error {
	if _, bad := parseQuery(r.URL.RawQuery); len(bad) > 0 {
		return joinParams(bad)
	}
	answer := Mechanisms{Version: 1, Mechanisms: []Mechanism{}}
	for _, e := range s.entries {
		answer.Mechanisms = append(answer.Mechanisms, describe(e, s.model(e.ID)))
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(body, '\n'))
	return nil
}

func describe(e attention.Entry, model *engine.ModelInfo) Mechanism {
	m := Mechanism{
		ID: e.ID, Name: e.Name, Summary: e.Summary, Formula: e.Formula, Cost: e.Cost,
		Paper: MechanismPaper(e.Paper),
		Masks: []MechanismMask{
			{Mask: nn.NoMask.String(), Defined: true},
			{Mask: "padding", Defined: e.Masks.NoPadding == "", Reason: e.Masks.NoPadding},
			{Mask: nn.Causal.String(), Defined: e.Masks.NoCausal == "", Reason: e.Masks.NoCausal},
		},
		Views: []MechanismView{},
		Model: model,
	}
	for _, v := range e.Views {
		m.Views = append(m.Views, MechanismView(v))
	}
	return m
}
