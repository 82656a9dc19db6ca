package wall

import (
	"context"

	"attnatlas/engine"
	"attnatlas/engine/claim"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/web/scene"
	"attnatlas/web/site"
)

// Claimed is a sentence of a scene, with its numbers as they are measured now.
type Claimed struct {
	Sentence string
	Holds    bool // every number is between the bounds that the scene declares
	Values   map[string]float64
}

// Tell measures the claims of a scene on its own text and models, and returns the sentence.
func (s *Views) Tell(ctx context.Context, l *messages.Language, of string, sc scene.Scene) (Claimed, error) {
	st, err := sc.State(s.Vocab)
	if err != nil {
		return Claimed{}, err
	}
	said := Claimed{Holds: true, Values: map[string]float64{}}
	var args []any
	for _, c := range sc.Claims {
		value, err := s.measure(ctx, c, sc, st.Mask)
		if err != nil {
			return Claimed{}, err
		}
		said.Values[c.Name] = value
		said.Holds = said.Holds && c.Holds(value)
		args = append(args, c.Name, site.Number(value))
	}
	for _, c := range sc.Claims {
		said.Holds = said.Holds && (c.Above == "" || said.Values[c.Name] > said.Values[c.Above])
	}
	said.Sentence = l.T(of+"."+sc.ID+".look", args...)
	return said, nil
}

// ReserveScenes claims the memory that the claims of some scenes need, once.
func (s *Views) ReserveScenes(ctx context.Context, scenes []scene.Scene) error {
	var requests []engine.Request
	for _, sc := range scenes {
		for _, c := range sc.Claims {
			requests = append(requests, c.Request(sc.Text, nn.NoMask), c.Request(sc.Other, nn.NoMask))
		}
	}
	return s.Reserve(ctx, requests...)
}

// measure measures one claim of a scene.
func (s *Views) measure(ctx context.Context, c claim.Claim, sc scene.Scene, mask nn.MaskKind) (float64, error) {
	text, err := s.Report(ctx, c.Request(sc.Text, mask), s.Inspector.Inspect)
	if err != nil {
		return 0, err
	}
	var other *engine.Report
	if sc.Other != "" {
		if other, err = s.Report(ctx, c.Request(sc.Other, mask), s.Inspector.Inspect); err != nil {
			return 0, err
		}
	}
	return c.On(text, other)
}
