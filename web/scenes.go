package web

import (
	"context"
	"math"

	"attnatlas/engine"
	"attnatlas/engine/claim"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/web/scene"
)

// told is what a sentence of a scene says: its text with the numbers as they are measured now.
type told struct {
	sentence string
	holds    bool // every number is between the bounds that the scene declares
	values   map[string]float64
}

// tell measures what a scene claims, on its own text and models, and says it.
func (s *Server) tell(ctx context.Context, l *messages.Language, of string, sc scene.Scene) (told, error) {
	st, err := sc.State(s.vocab)
	if err != nil {
		return told{}, err
	}
	said := told{holds: true, values: map[string]float64{}}
	var args []any
	for _, c := range sc.Claims {
		value, err := s.measure(ctx, c, sc, st.Mask)
		if err != nil {
			return told{}, err
		}
		said.values[c.Name] = value
		said.holds = said.holds && c.Holds(value)
		args = append(args, c.Name, number(value))
	}
	for _, c := range sc.Claims {
		said.holds = said.holds && (c.Above == "" || said.values[c.Name] > said.values[c.Above])
	}
	said.sentence = l.T(of+"."+sc.ID+".look", args...)
	return said, nil
}

// number writes what was measured: counts without a point.
func number(v float64) string {
	if v == math.Trunc(v) {
		return messages.Grouped(int(v))
	}
	return messages.Number(v)
}

// measure measures one claim of a scene.
func (s *Server) measure(ctx context.Context, c claim.Claim, sc scene.Scene, mask nn.MaskKind) (float64, error) {
	text, err := s.report(ctx, c.Request(sc.Text, mask), s.inspector.Inspect)
	if err != nil {
		return 0, err
	}
	var other *engine.Report
	if sc.Other != "" {
		if other, err = s.report(ctx, c.Request(sc.Other, mask), s.inspector.Inspect); err != nil {
			return 0, err
		}
	}
	return c.On(text, other)
}
