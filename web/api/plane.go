package api

import "attnatlas/engine/explain"

// Plane is the response of /api/v1/plane.
type Plane struct {
	Version int           `json:"version" doc:"Version of this format"`
	Model   string        `json:"model"`
	Layer   int           `json:"layer"`
	Head    int           `json:"head"`
	Tokens  []AttendToken `json:"tokens"`
	Share   float64       `json:"share" doc:"Share of the squared scores that two dimensions keep, 0…1"`
	Moved   float64       `json:"moved" doc:"Share of attention that the scores of the plane would move, 0…1"`
	Values  []float64     `json:"values" doc:"Singular values of the scores c·qᵢ·(kⱼ − k̄), largest first"`
	Queries []*[2]float64 `json:"queries" doc:"A point per token; null if its query is compared otherwise"`
	Keys    []*[2]float64 `json:"keys" doc:"A point for each token; its product with a query is the score in the plane"`
}

// NewPlane returns the response with a plane.
func NewPlane(model string, w *explain.Steps, p *explain.Plane) Plane {
	return Plane{Version: 1, Model: model, Layer: p.Layer, Head: p.Head, Tokens: tokens(w.Tokens), Share: p.Share(0, 2),
		Moved: p.Moved(), Values: p.Values, Queries: p.Queries, Keys: p.Keys}
}
