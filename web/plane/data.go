package plane

import (
	"attnatlas/engine/explain"
	"attnatlas/web/api"
)

// Plane is the response of /api/v1/plane.
type Plane struct {
	Version int               `json:"version" doc:"Version of this format"`
	Model   string            `json:"model" doc:"ID of the model"`
	Layer   int               `json:"layer" doc:"Number of the layer, from 1"`
	Head    int               `json:"head" doc:"Number of the head, from 1"`
	Tokens  []api.AttendToken `json:"tokens" doc:"Tokens of the text"`
	Share   float64           `json:"share" doc:"Share of the squared scores that the first two dimensions keep, 0…1"`
	Moved   float64           `json:"moved" doc:"Share of attention that would go to other tokens with the scores of the plane, 0…1"`
	Values  []float64         `json:"values" doc:"Singular values of the scores c·qᵢ·(kⱼ − k̄), largest first"`
	Queries []*[2]float64     `json:"queries" doc:"Points of the queries in the plane, one per token; null if the mechanism does not compare a token’s query with keys"`
	Keys    []*[2]float64     `json:"keys" doc:"Points of the keys in the plane, one per token. The product of a query and a key is the score in the plane"`
}

// newPlane returns the response with a plane.
func newPlane(model string, w *explain.Steps, p *explain.Plane) Plane {
	return Plane{Version: 1, Model: model, Layer: p.Layer, Head: p.Head, Tokens: api.Tokens(w.Tokens),
		Share: p.Share(0, 2), Moved: p.Moved(), Values: p.Values, Queries: p.Queries, Keys: p.Keys}
}
