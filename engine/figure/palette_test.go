package figure

import "testing"

// TestSequentialTablesAreMonotoneInLightness: sequential tables order values by lightness alone, so
// that they survive printing without colours.
func TestSequentialTablesAreMonotoneInLightness(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		for _, p := range Palettes() {
			table := p.Table(theme)
			sign := 1.0
			if lightness(table[255]) < lightness(table[0]) {
				sign = -1
			}
			for i := 1; i < 256; i++ {
				// rounding to bytes can cost a fraction of a unit of L* (0…100)
				const rounding = 0.35
				if d := sign * (lightness(table[i]) - lightness(table[i-1])); d < -rounding {
					t.Errorf("%v, %v: lightness turns at %d by %.3f", p, theme, i, d)
				}
			}
			if span := sign * (lightness(table[255]) - lightness(table[0])); span < 60 {
				t.Errorf("%v, %v: spans only %.0f of lightness", p, theme, span)
			}
		}
	}
}

func TestLowWeightsRecede(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		paper := theme.Colours().Paper
		for _, p := range []Palette{Greys, Ink} {
			if low := p.Table(theme)[0]; low != [3]uint8{paper.R, paper.G, paper.B} {
				t.Errorf("%v, %v: begins at %v, paper is %v", p, theme, low, paper)
			}
		}
	}
}

func TestDivergingTableHasANeutralMiddle(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		m := Diverging(theme)[128]
		if spread := max(m[0], m[1], m[2]) - min(m[0], m[1], m[2]); spread > 10 {
			t.Errorf("%v: the middle %v has a hue", theme, m)
		}
	}
}
