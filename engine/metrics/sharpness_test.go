package metrics

import (
	"testing"

	"attnatlas/engine/tensor"
)

// TestSharpness tests five tokens, of which the first and the last are not words. Attention that
// all words share, attention to special tokens and attention to the word itself do not count.
func TestSharpness(t *testing.T) {
	words := []bool{false, true, true, true, false}
	const other = 9 // rows of special tokens can contain anything
	for name, c := range map[string]struct {
		want float64
		rows [15]tensor.Elem // the rows of the three words
	}{
		"all rest on the first":      {0, [15]tensor.Elem{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0}},
		"each reads itself":          {0, [15]tensor.Elem{0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}},
		"all read alike":             {0, [15]tensor.Elem{.2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2}},
		"all read the third word":    {0, [15]tensor.Elem{0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
		"each reads the next, round": {1, [15]tensor.Elem{0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}},
		"half of it rests":           {0.5, [15]tensor.Elem{.5, 0, .5, 0, 0, .5, 0, 0, .5, 0, .5, .5, 0, 0, 0}},
		"lengths count by share":     {0.5, [15]tensor.Elem{3, 0, 3, 0, 0, 9, 0, 0, 9, 0, 1, 1, 0, 0, 0}},
		"signs do not count":         {0.5, [15]tensor.Elem{-3, 0, 3, 0, 0, 9, 0, 0, -9, 0, -1, -1, 0, 0, 0}},
		"two of three stand out":     {2. / 3, [15]tensor.Elem{0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
		"nothing is read":            {0, [15]tensor.Elem{}},
	} {
		m := square(make([]tensor.Elem, 25)...)
		for i := range m.Value.Data {
			if m.Value.Data[i] = other; i >= 5 && i < 20 {
				m.Value.Data[i] = c.rows[i-5]
			}
		}
		near(t, name, Sharpness(m, Words{words, words, true}), c.want)
	}
	one := square(0, 1, 0, 0, 0, 1, 1, 0, 0)
	near(t, "sharpness of a text of one word", Sharpness(one,
		Words{[]bool{false, true, false}, []bool{false, true, false}, true}), 0)
	near(t, "sharpness without words", Sharpness(one, Words{make([]bool, 3), make([]bool, 3), true}), 0)
	all := []bool{true, true, true}
	two := square(1, 0, 0, 0, 1, 0, 0, 0, 1)
	near(t, "sharpness of the diagonal between two texts", Sharpness(two, Words{Rows: all, Cols: all}), 1)
}
