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
	ID       string `json:"id"`
	Runs     int    `json:"runs" doc:"Layers that a text runs through, one after the other; of stacks that halt, at most"`
	Own      int    `json:"own" doc:"Layers with weights of their own"`
	Layers   int    `json:"layers" doc:"Parameters of those"`
	Unshared int    `json:"unshared" doc:"What they would be if every layer that runs had its own"`
	Words    int    `json:"words" doc:"Parameters of words, positions and segments"`
	All      int    `json:"all" doc:"Of the whole model, with its heads"`
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
