package web

import (
	"fmt"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/encoder"
)

// topShown is how many words a card lists for each place.
const topShown = 5

// predictions are what a mechanism's model expects of the page's text. The word that is
// really there is marked: the hidden one, where the address knows it, or the next.
func predictions(p *wallPage, m *engine.Result) components.Predictions {
	var all components.Predictions
	tokens, behind := p.report.Tokens, hidden(p.state)
	for _, guess := range m.Predictions {
		all.Next = guess.Next
		one := components.Prediction{At: guess.At, Label: Label(tokens[guess.At])}
		right := ""
		switch was, known := behind[guess.At]; {
		case guess.Next:
			right = tokens[guess.At+1].Piece
		case known:
			right = was.Piece
			one.Hidden = hiddenSentence(guess.Words, right)
		}
		one.Words = likelyWords(guess.Words[:min(topShown, len(guess.Words))], right)
		all.List = append(all.List, one)
	}
	if all.Next {
		all.Now = max(len(all.List)-1, 0)
		for i, one := range all.List {
			if one.At == p.state.Pin.Row-1 {
				all.Now = i
			}
		}
	}
	return all
}

// hiddenSentence says where the hidden word is among the likeliest.
func hiddenSentence(words []engine.Word, piece string) string {
	for i, w := range words {
		if w.Piece == piece {
			return fmt.Sprintf("Hidden is “%s”: number %d, %s.", pieceLabel(piece), i+1, components.Number(w.P))
		}
	}
	return fmt.Sprintf("Hidden is “%s”: not among the %d likeliest.", pieceLabel(piece), len(words))
}

// answerPredictions are the predictions as the API tells them.
func answerPredictions(list []engine.Prediction) []AttendPrediction {
	var all []AttendPrediction
	for _, p := range list {
		all = append(all, AttendPrediction{Token: p.At, Next: p.Next, Words: answerWords(p.Words)})
	}
	return all
}

// guessView is a classifier's answer, with how often it is right.
func guessView(m *engine.Result, g engine.Guess) components.Guess {
	view := components.Guess{Task: g.Task, Class: g.Classes[0].Name, P: g.Classes[0].P}
	view.Pair = g.Task == encoder.NextSentence.Name || g.Task == encoder.SentenceOrder.Name
	if m.Model == nil {
		return view
	}
	if right, ok := m.Model.Score[g.Task]; ok {
		of := "texts"
		if view.Pair {
			of = "pairs"
		}
		view.Help = fmt.Sprintf("right for %.1f %% of validation %s", 100*right, of)
	}
	return view
}
