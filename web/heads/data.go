package heads

import "attnatlas/engine/headstats"

// Heads is the response of /api/v1/heads.
type Heads struct {
	Version int        `json:"version" doc:"Version of this format"`
	Model   string     `json:"model" doc:"ID of the model"`
	With    string     `json:"with,omitempty" doc:"ID of the model whose heads are compared with those of model"`
	Heads   []Head     `json:"heads" doc:"Heads of model with their measures, in the requested order"`
	Pairs   []HeadPair `json:"pairs,omitempty" doc:"Pairs of a head of model and a head of with, in the requested order; at most 100"`
}

// Head is one head with its measures, which are means over rows.
type Head struct {
	Layer      int      `json:"layer" doc:"Number of the layer, from 1"`
	Head       int      `json:"head" doc:"Number of the head, from 1"`
	Entropy    float64  `json:"entropy" doc:"Mean entropy of a row in bits"`
	Distance   float64  `json:"distance" doc:"Mean attention distance in tokens"`
	Sinks      float64  `json:"sinks" doc:"Mean share of attention on [CLS] and [SEP], 0…1"`
	Previous   float64  `json:"previous" doc:"Mean weight on the previous token"`
	Next       float64  `json:"next" doc:"Mean weight on the next token"`
	Self       float64  `json:"self" doc:"Mean weight on the token itself"`
	First      float64  `json:"first" doc:"Mean weight on the first token of the input"`
	Sparsity   float64  `json:"sparsity" doc:"Mean Hoyer sparsity of a row: 0 if uniform, 1 if one token has all the weight"`
	Dependence *float64 `json:"dependence" doc:"Share of attention that moves when the words of a text are reversed, measured on four sentences; null if not measured"`
}

// HeadPlace identifies a head of a layer.
type HeadPlace struct {
	Layer int `json:"layer" doc:"Number of the layer, from 1"`
	Head  int `json:"head" doc:"Number of the head, from 1"`
}

// HeadPair is a pair of heads with the distance of their maps.
type HeadPair struct {
	A        HeadPlace `json:"a" doc:"Head of model"`
	B        HeadPlace `json:"b" doc:"Head of with"`
	Distance float64   `json:"distance" doc:"Mean total variation distance between the rows of both maps, 0…1"`
}

// newHeads returns the response with heads and pairs.
func newHeads(model, with string, profiles []headstats.HeadProfile, pairs []headstats.HeadPair) Heads {
	a := Heads{Version: 1, Model: model, With: with, Heads: []Head{}}
	for _, h := range profiles {
		one := Head{Layer: h.Layer, Head: h.Head, Entropy: h.Entropy, Distance: h.Distance, Sinks: h.Sinks, Previous: h.Previous,
			Next: h.Next, Self: h.Self, First: h.First, Sparsity: h.Sparsity}
		if h.Known {
			one.Dependence = &h.Dependence
		}
		a.Heads = append(a.Heads, one)
	}
	for _, p := range pairs {
		a.Pairs = append(a.Pairs, HeadPair{HeadPlace(p.A), HeadPlace(p.B), p.Distance})
	}
	return a
}
