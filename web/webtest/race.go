package webtest

import (
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// fakeAttempts predicts the masked words of a request, with probabilities that depend on the mechanism. The
// encoder–decoder makes no predictions.
func fakeAttempts(res *engine.Result, r engine.Request, tokens []tokenizer.Token) []predict.Attempt {
	if res.Stack != nil && res.Stack.ID == encoder.EncoderDecoder.ID {
		res.Err = fault.Errorf(fault.Unsupported, "error.race.writes")
		return nil
	}
	shown, _ := tokenizer.Default().EncodePair(r.Race.Truth)
	var all []predict.Attempt
	for _, word := range tokenizer.Default().Words(r.Text, tokens) {
		if tokens[word.First].IsMask() == r.Race.Turns {
			continue
		}
		a := predict.Attempt{First: word.First, Last: word.Last}
		for i := word.First; i < word.Last; i++ {
			p := float64(seed(r, res.ID, i)%1000+1) / 2000
			g := predict.Guessed{Words: []predict.Word{{Piece: "mat", P: p}, {Piece: "##ite", P: p / 2}}}
			if !shown[i].IsMask() {
				g.Truth, g.Rank = predict.Word{Piece: shown[i].Piece, P: p / 3}, 7
			}
			a.Pieces = append(a.Pieces, g)
		}
		all = append(all, a)
	}
	return all
}
