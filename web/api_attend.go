package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
)

// Attend is the answer of /api/v1/attend.
type Attend struct {
	Version    int               `json:"version" doc:"Version of this format"`
	Text       string            `json:"text" doc:"The text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Mask       string            `json:"mask" enum:"none,causal"`
	Tokens     []AttendToken     `json:"tokens"`
	Mechanisms []AttendMechanism `json:"mechanisms,omitempty" doc:"In the order of the request"`
}

// AttendToken is one position.
type AttendToken struct {
	Piece   string `json:"piece" doc:"The vocabulary's spelling"`
	Text    string `json:"text" doc:"The text's own spelling"`
	Label   string `json:"label" doc:"As shown on axes: invisible characters made visible"`
	Start   int    `json:"start" doc:"Byte offset into the text as sent"`
	End     int    `json:"end"`
	Special bool   `json:"special,omitempty" doc:"[CLS], [SEP] or [MASK]"`
}

// AttendMechanism is the answer of one mechanism: layers, or an error.
type AttendMechanism struct {
	ID      string         `json:"id"`
	Task    string         `json:"task,omitempty" doc:"What the model was trained for"`
	Heads   int            `json:"heads,omitempty"`
	Error   string         `json:"error,omitempty" doc:"Why there are no layers"`
	Note    string         `json:"note,omitempty" doc:"What readers of the maps of this text should know"`
	Guesses []AttendGuess  `json:"guesses,omitempty" doc:"What the trained classifiers say of the text"`
	Charges []AttendCharge `json:"charges,omitempty" doc:"What training adds to the loss for this text, such as the cost of pondering"`
	Written string         `json:"written,omitempty" doc:"What an encoder–decoder wrote of the text; its layers are those of its encoder, /write tells the rest"`
	// Predictions come before the maps, which are long.
	Predictions []AttendPrediction `json:"predictions,omitempty" doc:"The words that the model expects: behind every [MASK], or, if it guesses the next word, after every token but the last"`
	Layers      []AttendLayer      `json:"layers,omitempty"`
	Maps        []AttendMap        `json:"maps,omitempty" doc:"Of a stack: what it shows itself, for all layers together"`
}

// AttendGuess is a classifier's answer, the most probable class first.
type AttendGuess struct {
	Task    string        `json:"task"`
	Classes []AttendClass `json:"classes"`
}

// AttendClass is one class and its probability.
type AttendClass struct {
	Name string  `json:"name"`
	P    float64 `json:"p"`
}

// AttendCharge is a part of the loss that a stack asks for by itself.
type AttendCharge struct {
	Name  string  `json:"name" doc:"ponder: the price of a step times the mean of steps and remainders"`
	Value float64 `json:"value"`
}

// AttendPrediction is what a model expects at one place.
type AttendPrediction struct {
	Token int          `json:"token" doc:"Number of the token in tokens, from 0"`
	Next  bool         `json:"next" doc:"Whether it is the word after the token; otherwise the one that the token hides"`
	Words []AttendWord `json:"words" doc:"The likeliest word pieces, by falling probability; at most 10"`
}

// AttendLayer holds the maps of a layer, in the order of the equations.
type AttendLayer struct {
	Layer int         `json:"layer" doc:"From 1"`
	Name  string      `json:"name" doc:"What the model calls it: layer 2, step 2"`
	Maps  []AttendMap `json:"maps"`
}

// AttendMap is an array with named axes.
type AttendMap struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind" enum:"activation,probability,weight,gate,category,count,length"`
	Axes  []string `json:"axes"`
	Shape []int    `json:"shape"`
	// Labels and classes are names where numbers do not say enough.
	Labels  [][]string `json:"labels,omitempty" doc:"Where positions of some axis have names: for each axis its names, or null"`
	Classes []string   `json:"classes,omitempty" doc:"Names of the classes 0, 1, … of a category; the empty name stands for nothing"`
	Reach   string     `json:"reach,omitempty" doc:"For maps of queries and keys of which some cells are forbidden: one character per cell of one head, row by row, 0 for a forbidden cell"`
	// Values are omitted when nil, so that the other members can be encoded apart.
	Values Values `json:"values,omitempty"`
}

// attendQuery is what /api/v1/attend was asked. It reads the same parameters as
// a page; those that concern only pages are checked and have no effect.
type attendQuery struct {
	state               State
	allLayers, allHeads bool
	maps                []string // names; empty means all
	named               bool     // which mechanisms to ask
}

func decodeAttend(rawQuery string) (attendQuery, error) {
	v, bad := parseQuery(rawQuery)
	s, wrong := decodeState(v)
	bad = append(append(bad, wrong...), unknownParams(v, append([]string{keyMap}, stateKeys...))...)
	if len(bad) > 0 {
		return attendQuery{}, joinParams(bad)
	}
	if !v.Has(keyText) {
		return attendQuery{}, engine.Errorf(engine.Invalid, "the parameter text is missing, such as text=The+cat+sat")
	}
	q := attendQuery{state: s, allLayers: !v.Has(keyLayer), allHeads: !v.Has(keyHead), named: v.Has(keyMech)}
	for name := range strings.SplitSeq(strings.Join(v[keyMap], ","), ",") {
		if name != "" {
			q.maps = append(q.maps, name)
		}
	}
	if v, ok := s.Show.derived(); ok && len(q.maps) == 0 {
		q.maps = []string{v.Map}
	}
	if slices.Contains(q.maps, engine.Influence) && slices.Contains(q.maps, engine.Rollout) {
		return attendQuery{}, engine.Errorf(engine.Invalid, "map names both influence and rollout; ask for one at a time")
	}
	if len(q.maps) > 0 {
		q.state = s.showFor(q.maps...)
	}
	if q.state.Show == ShowInfluence {
		q.allLayers = false // only one is measured
	}
	return q, nil
}

// attend answers GET /api/v1/attend.
func (s *Server) attend(w http.ResponseWriter, r *http.Request) error {
	q, err := decodeAttend(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if !q.named {
		q.state.Mechanisms = s.firstWall()
	}
	report, err := s.inspect(r.Context(), q.state)
	if err != nil {
		return err
	}
	if err := unknownMap(report.Mechanisms, q.maps); err != nil {
		return err
	}
	answer := s.answer(r, report, q)
	if err := nothingAnswered(answer.errs); err != nil {
		return err
	}
	body, err := answer.appendJSON(make([]byte, 0, answer.size()))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
	return nil
}

// answered is an answer with the errors of its mechanisms, nil where there are
// layers.
type answered struct {
	Attend
	errs []error
}

func (s *Server) answer(r *http.Request, report *engine.Report, q attendQuery) answered {
	a := answered{Attend: Attend{Version: 1, Text: report.Text, Mask: q.state.Mask.String(), Tokens: answerTokens(report.Tokens)}}
	for i := range report.Mechanisms {
		m, err := answerMechanism(&report.Mechanisms[i], report.Tokens, q)
		if err != nil {
			s.logUnforeseen(r, err)
			m = AttendMechanism{ID: report.Mechanisms[i].ID, Error: sentence(err)}
		}
		a.Mechanisms, a.errs = append(a.Mechanisms, m), append(a.errs, err)
	}
	return a
}

func answerTokens(tokens []tokenizer.Token) []AttendToken {
	list := make([]AttendToken, len(tokens))
	for i, t := range tokens {
		list[i] = AttendToken{Piece: t.Piece, Text: t.Text, Label: Label(t), Start: t.Start, End: t.End, Special: isSpecial(t)}
	}
	return list
}

// nothingAnswered is the error of a request that no mechanism could answer: the
// first one's, so that a request for one mechanism has that mechanism's status.
func nothingAnswered(errs []error) error {
	if len(errs) == 0 || slices.Contains(errs, nil) {
		return nil
	}
	return errs[0]
}

// logUnforeseen logs an error of one mechanism that is our bug; the request as
// a whole may still succeed.
func (s *Server) logUnforeseen(r *http.Request, err error) {
	if statusOf(err) == http.StatusInternalServerError && !errors.Is(err, r.Context().Err()) {
		s.log.ErrorContext(r.Context(), "mechanism failed", "error", err)
	}
}
