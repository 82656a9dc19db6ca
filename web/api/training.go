package api

import "attnatlas/engine/predict"

// Training is the answer of /api/v1/training: maps as they were while the models were trained.
type Training struct {
	Version int             `json:"version" doc:"Version of this format"`
	Steps   int             `json:"steps" doc:"Steps of the whole training"`
	Text    string          `json:"text"`
	Task    string          `json:"task,omitempty" doc:"Of an encoder–decoder: what it is to write of the text"`
	Tokens  []string        `json:"tokens" doc:"The labels of the text's positions"`
	Frames  []TrainingFrame `json:"frames" doc:"In the order of the steps; none is interpolated"`
}

// TrainingFrame is what was recorded after one step.
type TrainingFrame struct {
	Step       int                `json:"step" doc:"Steps done"`
	Loss       float64            `json:"loss" doc:"Validation, nats for each masked, next or, in the task, written word piece; of the first mechanism"`
	Written    *TrainingWritten   `json:"written,omitempty" doc:"What an encoder–decoder wrote by itself. Its maps are those of the right answer, of which it was told the words before each"`
	Mechanisms []DrawingMechanism `json:"mechanisms"`
}

// TrainingWritten is what an encoder–decoder wrote of the text after a step.
type TrainingWritten struct {
	Pieces []TrainingPiece `json:"pieces" doc:"Always the likeliest; the last is [SEP] where it ended by itself"`
	Right  bool            `json:"right" doc:"Whether that is the right answer, and nothing else"`
}

// TrainingPiece is one written piece.
type TrainingPiece struct {
	Label string `json:"label" doc:"As shown on axes: invisible characters made visible"`
	Right bool   `json:"right" doc:"Whether this piece is right at this place"`
}

// NewTrainingWritten describes what was written; nil: nothing is.
func NewTrainingWritten(g *predict.Generation) *TrainingWritten {
	if g == nil {
		return nil
	}
	w := &TrainingWritten{Right: g.Right}
	for i, label := range g.Labels() {
		w.Pieces = append(w.Pieces, TrainingPiece{label, g.RightStep(i)})
	}
	return w
}
