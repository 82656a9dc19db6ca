package wall

import (
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/messages"
)

// TestWhyDistinctive: the page gives the measured reason for the most distinctive head.
func TestWhyDistinctive(t *testing.T) {
	for want, layer := range map[string]engine.Layer{
		"": {Distinctive: 2},
		"No head of this layer depends on the words, only on": {Distinctive: 1, Dependence: []float64{0, 0}},
		"When the words of a text are reversed, 25.0 % of":    {Distinctive: 1, Dependence: []float64{0.25}},
		"This head depends most on the words. When the words of a text are reversed, 50.0 % of the attention in its " +
			"rows moves to other positions. The other heads of this layer reach at most 25.0 %.": {Distinctive: 2,
			Dependence: []float64{0.25, 0.5, 0.1}},
	} {
		why := messages.English.Say(whyDistinctive(layer))
		if len(why) < len(want) || why[:len(want)] != want || want == "" && why != "" {
			t.Errorf("%q does not begin with %q", why, want)
		}
	}
}
