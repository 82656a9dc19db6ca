package encoder_test

import (
	"strings"
	"testing"

	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// matrices returns the number of matrix elements by which every token is multiplied. It leaves out
// matrices whose names begin with one of the given words.
func matrices(params []*nn.Param, without ...string) (n int) {
	for _, p := range params {
		skip := p.Value.Rank() != 2
		for _, w := range without {
			skip = skip || strings.HasPrefix(p.Name, w)
		}
		if !skip {
			n += p.Value.Len()
		}
	}
	return n
}

// TestFLOPsAreThoseOfTheMatrices: with dot product, every matrix element costs one multiplication
// and one addition per token, and each pair of tokens costs 4d. Shared weights cost this once for
// each layer that uses them.
func TestFLOPsAreThoseOfTheMatrices(t *testing.T) {
	const n = 7
	for id, times := range map[string]int{"dot-product": 1, "bert": 1, "gpt2": 1, "sandwich": 1,
		"reversible.dot-product": 1, "albert": 4, "universal": 6} {
		c := encoder.Shipped(id, 300)
		m, err := encoder.New(c, 1)
		if err != nil {
			t.Fatal(err)
		}
		head := []string{"words", "positions", "segments", "masked word", "halting", "pooler"}
		for _, task := range c.Tasks {
			head = append(head, task.Name)
		}
		layers := matrices(m.Params, head...)
		guess := matrices(m.Params) - matrices(m.Params, "masked word")
		table := 300 * c.Width
		if c.Embed > 0 {
			table = 300 * c.Embed
		}
		runs := c.Layers
		want := 2*n*(layers*times+guess+table) + runs*4*n*n*c.Width
		if times == 4 { // the matrix that widens the embeddings is used once
			widen := c.Embed * c.Width
			want -= 2 * n * widen * (times - 1)
		}
		if got := c.FLOPs(n, n); got != int64(want) {
			t.Errorf("%s: %d operations, its matrices ask for %d", id, got, want)
		}
		if c.FLOPs(n, n)-c.FLOPs(n, 1) != int64(2*(n-1)*(guess+table)) {
			t.Errorf("%s: what is not guessed costs as if it were", id)
		}
	}
}
