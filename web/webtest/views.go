package webtest

import (
	"attnatlas/engine"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Stacked gives a map two rounds of two words. The largest value of the first round is 1, of the second a half.
func Stacked(r *engine.Report) {
	axes := []trace.Axis{{Role: trace.Head}, {Role: trace.Round}, {Role: trace.Query}, {Role: trace.Key}}
	for m := range r.Mechanisms {
		for l := range r.Mechanisms[m].Layers {
			maps := r.Mechanisms[m].Layers[l].Maps
			for i := range maps {
				switch maps[i].Name {
				case "weights by round":
					v := tensor.From([]tensor.Elem{1, 0, .25, .75, .5, .25, .5, .5}, 2, 2, 2)
					maps[i] = trace.Map{Name: maps[i].Name, Kind: trace.Gate, Axes: axes, Value: tensor.New(FakeHeads, 2, 2, 2)}
					for h := range FakeHeads {
						copy(maps[i].Value.Sub(h).Data, v.Data)
					}
				case "buckets":
					maps[i] = trace.Map{Name: "buckets", Kind: trace.Category, Value: tensor.New(FakeHeads, 1, 2),
						Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Round}, {Role: trace.Token}}}
					for h := range FakeHeads {
						maps[i].Value.Set(tensor.Elem(h+3), h, 0, 1)
					}
				case "global query":
					maps[i] = trace.Map{Name: "global query", Kind: trace.Activation, Value: tensor.New(FakeHeads, 3),
						Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Channel}}}
					for h := range FakeHeads {
						maps[i].Value.Set(tensor.Elem(h+3), h, 1)
					}
				case "order":
					maps[i] = trace.Map{Name: "order", Kind: trace.Category, Value: tensor.From([]tensor.Elem{1, 0}, 1, 2),
						Axes: []trace.Axis{{Role: trace.Round}, {Role: trace.Slot}}}
				}
			}
		}
	}
}
