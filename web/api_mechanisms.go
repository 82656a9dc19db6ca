package web

import (
	"encoding/json"
	"net/http"

	"attnatlas/engine"
	"attnatlas/engine/formula"
	"attnatlas/engine/nn"
)

// Mechanisms is the answer of /api/v1/mechanisms.
type Mechanisms struct {
	Version    int         `json:"version" doc:"Version of this format"`
	Mechanisms []Mechanism `json:"mechanisms" doc:"Mixers, then stacks, in the order of the catalogue"`
}

// Mechanism describes one mechanism.
type Mechanism struct {
	ID      string            `json:"id" doc:"In URLs and file names"`
	Kind    string            `json:"kind" enum:"mixer,stack" doc:"A mixer takes the place of attention in a layer; a stack arranges layers to a model"`
	Mixer   string            `json:"mixer,omitempty" doc:"Of a stack: the id of what mixes words in its layers; another may be named after a point, as in albert.linformer"`
	Name    string            `json:"name"`
	Summary string            `json:"summary"`
	Formula string            `json:"formula" doc:"Plain text with Unicode mathematics"`
	TeX     string            `json:"tex" doc:"The same formula in a part of TeX"`
	Cost    string            `json:"cost"`
	Params  string            `json:"params" doc:"Trained numbers of one mixer, in d, H and L, with the default options"`
	FLOPs   string            `json:"flops" doc:"Multiplications and additions of one mixer, in N, d, H and L, with the default options"`
	Unlike  []string          `json:"differences" doc:"What is not as in the paper, of the shipped model"`
	Paper   MechanismPaper    `json:"paper"`
	Masks   []MechanismMask   `json:"masks"`
	Nothing MechanismNothing  `json:"nothing" doc:"What a word gets to which a mask leaves nothing to read"`
	Views   []MechanismView   `json:"views" doc:"The maps of a layer worth showing, the main one first"`
	Maps    []MechanismView   `json:"maps,omitempty" doc:"Of a stack: the maps of the whole model"`
	Model   *engine.ModelInfo `json:"model,omitempty" doc:"The weights that are shown: their sizes and choices, and where they come from"`
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

// MechanismNothing is attention.Nothing. Alike: the row reads every position 1/N, the masked
// ones included; zero: the row is 0; itself: it reads itself alone; unmasked: the result is
// that without the mask; blank: that of a text of zeros.
type MechanismNothing struct {
	Padding string `json:"padding,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"In a short text that is all padding, with the default options; missing where padding is not defined"`
	Pairs   string `json:"pairs,omitempty" enum:"alike,zero,itself,unmasked,blank" doc:"Where all pairs of the word are forbidden; missing where single pairs cannot be"`
	Text    string `json:"text" doc:"The same as sentences, with what other options and lengths change"`
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
	for _, e := range s.subjects {
		answer.Mechanisms = append(answer.Mechanisms, describe(*s.as(&e), s.model(e.ID)))
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(body, '\n'))
	return nil
}

// plain is a formula as plain text, or as it is written when it cannot be read.
func plain(tex string) string {
	f, err := formula.Parse(tex)
	if err != nil {
		return tex
	}
	return f.Text()
}

func describe(e subject, model *engine.ModelInfo) Mechanism {
	m := Mechanism{
		ID: e.ID, Kind: mixerKind, Name: e.Name, Summary: e.Summary, Formula: plain(e.Formula), TeX: e.Formula, Cost: plain(e.Cost),
		Params: e.ParamsFormula, FLOPs: e.FLOPsFormula, Unlike: e.Differences,
		Paper: MechanismPaper(e.Paper),
		Masks: []MechanismMask{
			{Mask: nn.NoMask.String(), Defined: true},
			{Mask: "padding", Defined: e.Masks.NoPadding == "", Reason: e.Masks.NoPadding},
			{Mask: nn.Causal.String(), Defined: e.Masks.NoCausal == "", Reason: e.Masks.NoCausal},
		},
		Nothing: MechanismNothing{Padding: string(e.Masks.Nothing.Padding), Pairs: string(e.Masks.Nothing.Pairs), Text: e.Masks.Nothing.Text},
		Views:   []MechanismView{},
		Model:   model,
	}
	for _, v := range e.Views {
		m.Views = append(m.Views, MechanismView(v))
	}
	if e.Stack != nil {
		m.Kind, m.Mixer = stackKind, e.mixer().ID
		for _, v := range e.Stack.Views {
			m.Maps = append(m.Maps, MechanismView(v))
		}
	}
	return m
}

// The values of Mechanism.Kind.
const (
	mixerKind = "mixer"
	stackKind = "stack"
)
