package costs

import (
	"strings"

	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Shared is the effect of parameter sharing in an architecture, which uses the weights of a layer
// several times.
type Shared struct {
	ID       string `json:"id" doc:"ID of the architecture"`
	Runs     int    `json:"runs" doc:"Number of layers that a text passes through, or the maximum if the model can halt earlier"`
	Own      int    `json:"own" doc:"Number of layers with parameters of their own"`
	Layers   int    `json:"layers" doc:"Number of parameters in these layers"`
	Unshared int    `json:"unshared" doc:"Number of parameters that the layers would have without sharing"`
	Words    int    `json:"words" doc:"Number of parameters in the token, position and segment embeddings"`
	All      int    `json:"all" doc:"Number of parameters of the whole model, including its prediction heads"`
}

// ladder are the architectures in order of increasing parameter sharing.
var ladder = []*encoder.StackEntry{&encoder.BERT, &encoder.ALBERT, &encoder.Universal}

// Ladder counts the parameters of models of the bundled sizes for a vocabulary of vocab tokens,
// from their shapes.
func Ladder(vocab int) (all []Shared, err error) {
	for _, e := range ladder {
		c := encoder.Shipped(e.ID, vocab).Shapes()
		m, err := encoder.New(c, 1)
		if err != nil {
			return nil, err
		}
		f := e.Describe(c)
		s := Shared{ID: e.ID, Runs: f.Runs, Own: f.Own, All: nn.Count(m.Params)}
		for _, p := range m.Params {
			part, _, _ := strings.Cut(p.Name, "/")
			switch kind, _, _ := strings.Cut(part, " "); kind {
			case "layer", "group", "transition":
				s.Layers += tensor.Size(p.Value.Shape...)
			case "words", "positions", "segments", "W_embedding", "b_embedding":
				s.Words += tensor.Size(p.Value.Shape...)
			}
		}
		s.Unshared = s.Layers / s.Own * s.Runs
		all = append(all, s)
	}
	return all, nil
}
