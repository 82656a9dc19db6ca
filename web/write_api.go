package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/trace"
)

// Write is the answer of /api/v1/write.
type Write struct {
	Version int           `json:"version" doc:"Version of this format"`
	Text    string        `json:"text" doc:"The text as sent; bytes that are not UTF-8 appear as U+FFFD"`
	Task    string        `json:"task" doc:"What is to be written: reverse, the words of the text in reverse order"`
	Tokens  []AttendToken `json:"tokens" doc:"What the encoder reads"`
	Written string        `json:"written" doc:"What the model wrote, always the likeliest word"`
	Stopped bool          `json:"stopped" doc:"Whether the model ended by itself, with [SEP]; otherwise it was stopped"`
	Answer  string        `json:"answer" doc:"What is right, computed from the text"`
	Right   bool          `json:"right" doc:"Whether that was written, and nothing else"`
	Steps   []WriteStep   `json:"steps"`
	Maps    []WriteMap    `json:"maps"`
}

// WriteStep is one written piece.
type WriteStep struct {
	Piece string       `json:"piece" doc:"The vocabulary's spelling"`
	Label string       `json:"label" doc:"As shown on axes: invisible characters made visible"`
	P     float64      `json:"p" doc:"Its probability among the whole vocabulary"`
	Right bool         `json:"right" doc:"Whether this piece is right at this place"`
	Top   []AttendWord `json:"top" doc:"The likeliest pieces, by falling probability; the first was written"`
}

// AttendWord is a word piece and its probability.
type AttendWord struct {
	Piece string  `json:"piece" doc:"The vocabulary's spelling"`
	P     float64 `json:"p" doc:"Probability among the whole vocabulary"`
}

// WriteMap is an attention map of one layer.
type WriteMap struct {
	Of    string `json:"of" enum:"cross,decoder,encoder,encoder-rollout" doc:"Whose attention, or attention rollout of the encoder after that layer (Abnar and Zuidema 2020): queries of cross and decoder are steps of writing, keys of all but the decoder are tokens of the text, keys of the decoder are what was written before, beginning with [CLS]"`
	Layer int    `json:"layer" doc:"From 1"`
	AttendMap
}

// writeAPI answers GET /api/v1/write.
func (s *Server) writeAPI(w http.ResponseWriter, r *http.Request) error {
	v, bad := parseQuery(r.URL.RawQuery)
	state, wrong := decodeWrite(v)
	maps, unknown := writeMapsOf(v)
	bad = slices.Concat(bad, wrong, unknown, unknownParams(v, append([]string{keyMap}, writeKeys...)))
	if len(bad) > 0 {
		return joinParams(bad)
	}
	if !v.Has(keyText) {
		return engine.Errorf(engine.Invalid, "the parameter text is missing, such as text=The+cat+sat")
	}
	written, err := s.rewritten(r.Context(), state.Text)
	if err != nil {
		return err
	}
	answer := describeWritten(state.Text, written)
	for _, m := range maps {
		more, err := answerWriteMaps(m, written, writeChoice{state.State, !v.Has(keyLayer), !v.Has(keyHead)})
		if err != nil {
			return err
		}
		answer.Maps = append(answer.Maps, more...)
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(body, '\n'))
	return nil
}

// writeMapsOf reads which maps are wanted; none named means all.
func writeMapsOf(v url.Values) ([]writeMap, []ParamError) {
	var maps []writeMap
	var bad []ParamError
	for name := range strings.SplitSeq(strings.Join(v[keyMap], ","), ",") {
		i := slices.IndexFunc(writeMaps, func(m writeMap) bool { return m.name == name })
		switch {
		case i >= 0:
			maps = append(maps, writeMaps[i])
		case name != "":
			bad = append(bad, invalid(keyMap, "map=%s is not one of cross, decoder, encoder, encoder-rollout", shown(name)))
		}
	}
	if len(maps) == 0 {
		maps = writeMaps
	}
	return maps, bad
}

func describeWritten(text string, w *engine.Written) Write {
	a := Write{
		Version: 1, Text: text, Task: w.Task, Tokens: answerTokens(w.Source), Written: w.Text, Stopped: w.Stopped,
		Answer: w.AnswerText, Right: w.Right, Steps: []WriteStep{}, Maps: []WriteMap{},
	}
	for i, step := range w.Steps {
		a.Steps = append(a.Steps, WriteStep{
			Piece: step.Piece, Label: pieceLabel(step.Piece), P: step.Top[0].P, Right: w.RightStep(i), Top: answerWords(step.Top),
		})
	}
	return a
}

func answerWords(words []engine.Word) []AttendWord {
	list := make([]AttendWord, len(words))
	for i, w := range words {
		list[i] = AttendWord(w)
	}
	return list
}

// writeChoice says which layers and heads are wanted.
type writeChoice struct {
	State
	allLayers, allHeads bool
}

func answerWriteMaps(m writeMap, w *engine.Written, c writeChoice) ([]WriteMap, error) {
	var all []WriteMap
	for _, layer := range m.layers(w) {
		if !c.allLayers && layer.Number != c.Layer {
			continue
		}
		s := c.State
		s.Layer = layer.Number
		t, err := m.chosen(w, s, c.allHeads)
		if err != nil {
			return nil, err
		}
		of := WriteMap{Of: m.name, Layer: layer.Number, AttendMap: answerMap(t)}
		of.Name = m.array()
		all = append(all, of)
	}
	if len(all) == 0 {
		_, _, err := m.pick(w, c.State)
		return nil, err
	}
	return all, nil
}

// chosen is a map of one head or the mean, or of all heads.
func (m writeMap) chosen(w *engine.Written, s State, allHeads bool) (trace.Map, error) {
	if !allHeads {
		t, _, err := m.pick(w, s)
		return t, err
	}
	t, _ := m.layers(w)[s.Layer-1].Find(m.array())
	return m.relabel(t, w), nil
}
