package api

import "attnatlas/engine"

// Heads is the response of /api/v1/heads.
type Heads struct {
	Version int        `json:"version" doc:"Version of this format"`
	Model   string     `json:"model"`
	With    string     `json:"with,omitempty" doc:"Model whose heads are compared with those of model"`
	Heads   []Head     `json:"heads" doc:"All heads of model, in the chosen order"`
	Pairs   []HeadPair `json:"pairs,omitempty" doc:"Pairs of a head of model and a head of with, in the chosen order, at most 100"`
}

// Head is one head with its measures, which are means over rows.
type Head struct {
	Layer      int      `json:"layer"`
	Head       int      `json:"head"`
	Entropy    float64  `json:"entropy" doc:"Entropy of a row, in bits"`
	Distance   float64  `json:"distance" doc:"Mean distance of what a row attends to, in tokens"`
	Sinks      float64  `json:"sinks" doc:"Share of attention on [CLS] and [SEP]"`
	Previous   float64  `json:"previous" doc:"Weight on the previous token"`
	Next       float64  `json:"next" doc:"Weight on the next token"`
	Self       float64  `json:"self" doc:"Weight on the token itself"`
	First      float64  `json:"first" doc:"Weight on the first token of the input"`
	Sparsity   float64  `json:"sparsity" doc:"Hoyer sparsity of a row: 0 if uniform, 1 if one token has all the weight"`
	Dependence *float64 `json:"dependence" doc:"Share of attention that moves when the words of a text are reversed, on four ordinary sentences; null if not measured"`
}

// HeadPlace identifies a head of a layer.
type HeadPlace struct {
	Layer int `json:"layer"`
	Head  int `json:"head"`
}

// HeadPair is a pair of heads with the distance of their maps.
type HeadPair struct {
	A        HeadPlace `json:"a"`
	B        HeadPlace `json:"b"`
	Distance float64   `json:"distance" doc:"Mean total variation distance of their rows, 0…1"`
}

// NewHeads returns the response with heads and pairs.
func NewHeads(model, with string, heads []engine.HeadProfile, pairs []engine.HeadPair) Heads {
	a := Heads{Version: 1, Model: model, With: with, Heads: []Head{}}
	for _, h := range heads {
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
