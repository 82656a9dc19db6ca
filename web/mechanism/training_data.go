package mechanism

import (
	"attnatlas/engine/predict"
	"attnatlas/web/api"
)

// Training is the response of /api/v1/training: maps at several steps of training.
type Training struct {
	Version int             `json:"version" doc:"Version of this format"`
	Steps   int             `json:"steps" doc:"Number of steps of the whole training"`
	Text    string          `json:"text" doc:"Text as sent"`
	Task    string          `json:"task,omitempty" doc:"Task of an encoder–decoder, such as reverse"`
	Tokens  []string        `json:"tokens" doc:"Labels of the tokens"`
	Frames  []TrainingFrame `json:"frames" doc:"Training snapshots, in the order of the steps; none is interpolated"`
}

// TrainingFrame is the recording after one training step.
type TrainingFrame struct {
	Step       int                    `json:"step" doc:"Number of training steps done"`
	Loss       float64                `json:"loss" doc:"Validation loss of the first mechanism in nats per masked, next or written token"`
	Written    *TrainingWritten       `json:"written,omitempty" doc:"Answer that an encoder–decoder wrote. The maps belong to the right answer, whose earlier words the decoder is given"`
	Mechanisms []api.DrawingMechanism `json:"mechanisms" doc:"Maps of the mechanisms"`
}

// TrainingWritten is the text that an encoder–decoder wrote after a training step.
type TrainingWritten struct {
	Pieces []TrainingPiece `json:"pieces" doc:"Most probable token in each decoding step; the last is [SEP] if the model ended the answer itself"`
	Right  bool            `json:"right" doc:"Whether the model wrote exactly the right answer"`
}

// TrainingPiece is one written piece.
type TrainingPiece struct {
	Label string `json:"label" doc:"Spelling on axes, with invisible characters made visible"`
	Right bool   `json:"right" doc:"Whether this token is right at this position"`
}

// newTrainingWritten returns the written text for the response, or nil if there is none.
func newTrainingWritten(g *predict.Generation) *TrainingWritten {
	if g == nil {
		return nil
	}
	w := &TrainingWritten{Right: g.Right}
	for i, label := range g.Labels() {
		w.Pieces = append(w.Pieces, TrainingPiece{label, g.RightStep(i)})
	}
	return w
}
