package exhibit

import (
	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
)

// AnswerChange is the most likely answer of a model before and after an ablation: a class of the text, a masked
// word or the next word.
type AnswerChange struct {
	Task      messages.Message // what is predicted: "topic …", "word 6", "the next word"
	Was, Is   messages.Message
	WasP, IsP float64 // probabilities, 0…1
	// Left is the probability of the earlier answer after the ablation. It is 0 if that answer is not among the
	// most likely ones.
	Left float64
	Same bool // the answer has not changed
}

// answer is a possible answer with its probability.
type answer struct {
	name string
	p    float64
}

// AnswerChanges compares the predictions of a model for a text before and after an ablation.
func AnswerChanges(before, after *engine.Result, text string) (list []AnswerChange) {
	for i, g := range after.Guesses {
		if i < len(before.Guesses) && g.Token == 0 && Means(g, text) {
			list = addChange(list, TaskName(g), ClassName, classes(before.Guesses[i]), classes(g))
		}
	}
	if before.Generated != nil && after.Generated != nil {
		return writtenChanges(before.Generated, after.Generated)
	}
	piece := func(p string) messages.Message { return messages.Text(tokenizer.PieceLabel(p)) }
	for i, p := range after.Predictions {
		switch last := i == len(after.Predictions)-1; {
		case i >= len(before.Predictions) || p.Next && !last:
		case p.Next:
			list = addChange(list, messages.New("cut.next-word"), piece, words(before.Predictions[i]), words(p))
		default:
			list = addChange(list, messages.New("cut.hidden-word", "place", p.At+1), piece,
				words(before.Predictions[i]), words(p))
		}
	}
	return list
}

// writtenChanges compares the generated words one by one, up to the length of the shorter text.
func writtenChanges(before, after *predict.Generation) (list []AnswerChange) {
	piece := func(p string) messages.Message { return messages.Text(tokenizer.PieceLabel(p)) }
	for i := range min(len(before.Steps), len(after.Steps)) {
		was, is := predict.Prediction{Words: before.Steps[i].Top}, predict.Prediction{Words: after.Steps[i].Top}
		list = addChange(list, messages.New("cut.written-word", "place", i+1), piece, words(was), words(is))
	}
	return list
}

func classes(g predict.Guess) (all []answer) {
	for _, c := range g.Classes {
		all = append(all, answer{c.Name, c.P})
	}
	return all
}

func words(p predict.Prediction) (all []answer) {
	for _, w := range p.Words {
		all = append(all, answer{w.Piece, w.P})
	}
	return all
}

// addChange appends the change of the most likely of some answers.
func addChange(list []AnswerChange, task messages.Message, say func(string) messages.Message, before,
	after []answer) []AnswerChange {
	if len(before) == 0 || len(after) == 0 {
		return list
	}
	was, is := before[0], after[0]
	c := AnswerChange{Task: task, Was: say(was.name), Is: say(is.name), WasP: was.p, IsP: is.p, Same: was.name == is.name}
	for _, a := range after {
		if a.name == was.name {
			c.Left = a.p
		}
	}
	return append(list, c)
}
