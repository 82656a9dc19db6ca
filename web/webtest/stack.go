package webtest

import (
	"attnatlas/engine"
)

// Deep gives bert four layers and universal three steps.
func Deep(r *engine.Report) {
	for i := range r.Mechanisms {
		m := &r.Mechanisms[i]
		count, name := map[string]int{"bert": 4, "universal": 3}[m.ID], "layer "
		if m.ID == "universal" {
			name = "step "
		}
		for len(m.Layers) < count && len(m.Layers) > 0 {
			m.Layers = append(m.Layers, m.Layers[0])
		}
		for l := range m.Layers {
			m.Layers[l].Number, m.Layers[l].Name = l+1, name+string(rune('1'+l))
		}
	}
}
