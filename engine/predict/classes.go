package predict

import (
	"cmp"
	"math"
	"slices"

	"attnatlas/engine/encoder"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// Guess is a classifier's prediction: the classes by falling probability.
type Guess struct {
	Task    string // "topic", "feeling", "next sentence", "sentence order"
	Classes []Class
	Token   int  // the token that it is about, from 1; 0: the text
	Apart   bool // each class is a separate question, and its probability the sigmoid of its score
}

// Class is one class of a Guess and its probability 0…1.
type Class struct {
	Name  string
	P     float64
	Score float64 // if the Guess is Apart; else 0
}

// Guesses returns the prediction for a text from the class scores [1,C], or for each of its words from [1,N,C].
func Guesses(task encoder.Task, scores *tensor.T, tokens []tokenizer.Token) []Guess {
	if !task.Tokens {
		return []Guess{Classes(task, scores.Data)}
	}
	var all []Guess
	for i, t := range tokens {
		if !t.IsBoundary() {
			g := Classes(task, scores.Data[i*len(task.Classes):][:len(task.Classes)])
			g.Token = i + 1
			all = append(all, g)
		}
	}
	return all
}

// Classes turns the scores of classes [C] into probabilities, largest first. Classes Apart get a sigmoid each.
func Classes(task encoder.Task, scores []tensor.Elem) Guess {
	p := make([]tensor.Elem, len(scores))
	tensor.SoftmaxRows(p, scores, len(p))
	g := Guess{Task: task.Name, Apart: task.Apart}
	for i, name := range task.Classes {
		one := Class{Name: name, P: float64(p[i])}
		if task.Apart {
			one.P, one.Score = 1/(1+math.Exp(-float64(scores[i]))), float64(scores[i])
		}
		g.Classes = append(g.Classes, one)
	}
	slices.SortStableFunc(g.Classes, func(a, b Class) int { return cmp.Compare(b.P, a.P) })
	return g
}
