package webtest

import (
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// fakeAttempts guess at the hidden words of a request with probabilities that depend on the mechanism;
// the encoder–decoder does not.
func fakeAttempts(res *engine.Result, r engine.Request, tokens []tokenizer.Token) []engine.Attempt {
	if res.Stack != nil && res.Stack.ID == encoder.EncoderDecoder.ID {
		res.Err = engine.Errorf(engine.Unsupported, "error.race.writes")
		return nil
	}
	shown, _ := engine.Tokens(tokenizer.Default(), r.Race.Truth)
	var all []engine.Attempt
	for _, word := range tokenizer.Default().Words(r.Text, tokens) {
		if tokens[word.First].IsMask() == r.Race.Turns {
			continue
		}
		a := engine.Attempt{First: word.First, Last: word.Last}
		for i := word.First; i < word.Last; i++ {
			p := float64(seed(r, res.ID, i)%1000+1) / 2000
			g := engine.Guessed{Words: []engine.Word{{Piece: "mat", P: p}, {Piece: "##ite", P: p / 2}}}
			if !shown[i].IsMask() {
				g.Truth, g.Rank = engine.Word{Piece: shown[i].Piece, P: p / 3}, 7
			}
			a.Pieces = append(a.Pieces, g)
		}
		all = append(all, a)
	}
	return all
}
