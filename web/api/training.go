package api

import "attnatlas/engine/predict"

// Training is the response of /api/v1/training: maps at several steps of training.
type Training struct {
	Version int             `json:"version" doc:"Version of this format"`
	Steps   int             `json:"steps" doc:"Steps of the whole training"`
	Text    string          `json:"text"`
	Task    string          `json:"task,omitempty" doc:"For an encoder–decoder: the right answer for the text"`
	Tokens  []string        `json:"tokens" doc:"The labels of the text's positions"`
	Frames  []TrainingFrame `json:"frames" doc:"In the order of the steps; none is interpolated"`
}

// TrainingFrame is the recording after one training step.
type TrainingFrame struct {
	Step       int                `json:"step" doc:"Steps done"`
	Loss       float64            `json:"loss" doc:"Validation loss of the first mechanism, in nats per masked, next or written token"`
	Written    *TrainingWritten   `json:"written,omitempty" doc:"The answer that an encoder–decoder wrote. Its maps are for the right answer, whose earlier words it is given"`
	Mechanisms []DrawingMechanism `json:"mechanisms"`
}

// TrainingWritten is the text that an encoder–decoder wrote after a training step.
type TrainingWritten struct {
	Pieces []TrainingPiece `json:"pieces" doc:"The most probable token in each step; the last is [SEP] if the model ended the answer itself"`
	Right  bool            `json:"right" doc:"Whether the answer is exactly the right one"`
}

// TrainingPiece is one written piece.
type TrainingPiece struct {
	Label string `json:"label" doc:"As shown on axes: invisible characters made visible"`
	Right bool   `json:"right" doc:"Whether this token is right at this position"`
}

// NewTrainingWritten returns the written text for the response, or nil if there is none.
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
