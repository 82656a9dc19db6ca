package webtest

import (
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/method"
	"attnatlas/web/site"
)

// Costly returns a server with these costs, in operations, of the influence of mechanisms.
func Costly(t *testing.T, f *FakeEngine, operations map[string]float64) *site.Server {
	t.Helper()
	return ServerWith(t, f, func(o *site.Options) {
		o.Cost = func(r engine.Request) engine.Cost {
			sum := 0.0
			for _, id := range r.Mechanisms {
				sum += operations[id]
			}
			return engine.Cost{Operations: sum * float64(LayerOf(r, method.Influence))}
		}
	})
}
