package predict

import (
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// glued is a model that spells every token as a letter and never begins another word.
type glued struct{ read int }

func (g *glued) Read(p *nn.Pass, ids ...int) *ad.Var {
	g.read += len(ids)
	return p.Tape.Const(tensor.New(1, TopWords))
}
func (g *glued) Len() int                { return g.read }
func (g *glued) Piece(int) string        { return "x" }
func (g *glued) Decode(ids []int) string { return strings.Repeat("x", len(ids)) }
func (g *glued) Ends() []int             { return nil }
func (g *glued) Specials() []int         { return nil }

// TestWordsHaveFewPieces: a model that never ends a word writes at most MostWordPieces tokens for each word, for
// which memory was claimed.
func TestWordsHaveFewPieces(t *testing.T) {
	const words = 3
	model, c := &glued{}, &Continuation{}
	c.Write(nn.NewPass(ad.NewFrozen()), Writing{Continue: Continue{Words: words}, Speller: model, Writer: model,
		Reader: model, Length: MostContinued, IDs: []int{1}, Forced: -1}, (*nn.Pass).Reset)
	if len(c.Written) != words*MostWordPieces || c.Next == nil {
		t.Fatalf("%d words have %d pieces", words, len(c.Written))
	}
	for i, one := range c.Written {
		if want := 1 + i/MostWordPieces; one.Word != want {
			t.Errorf("piece %d belongs to word %d, not %d", i+1, one.Word, want)
		}
	}
}
