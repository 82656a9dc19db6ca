package predict

import (
	"slices"

	"attnatlas/engine/task"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// Generation is the text that an encoder–decoder wrote about another text by always taking the likeliest word.
type Generation struct {
	Tasks []string // that the model knows; none: what would be right is not known
	Task  string   // the one that was asked for
	// Text is what was written. Stopped says that the model ended it itself, with [SEP].
	Text    string
	Stopped bool
	// Answer is what would have been right, by pieces and as text: computed from the text,
	// by the same rule as the training's targets. Right says that every word of it was
	// written, and no other, and then the end.
	Answer     []string
	AnswerText string
	Right      bool
	Steps      []WrittenWord // the words that were written, one after the other
}

// WrittenWord is one word of a Generation.
type WrittenWord struct {
	Piece string
	Top   []Word // the likeliest, by falling probability; at most TopWords; nil: not known
}

// RightStep says whether a step, from 0, wrote what is right at its place; after the last
// word that is the end. Where that is not known, every step did.
func (g *Generation) RightStep(i int) bool {
	if len(g.Tasks) == 0 {
		return true
	}
	if i < len(g.Answer) {
		return g.Steps[i].Piece == g.Answer[i]
	}
	return i == len(g.Answer) && g.Stopped && i == len(g.Steps)-1
}

// Labels are the labels of the written pieces.
func (g *Generation) Labels() []string {
	labels := make([]string, len(g.Steps))
	for i, s := range g.Steps {
		labels[i] = tokenizer.PieceLabel(s.Piece)
	}
	return labels
}

// NewGeneration compares the ids that a model wrote with the right answer for the task of a number. text is what the
// model read, between [CLS] and [SEP]. The likeliest words of the steps are left empty: FillTop knows them.
func NewGeneration(
	v *tokenizer.Vocabulary, tasks []string, number int, text []tokenizer.Token, written []int,
) *Generation {
	g := &Generation{Tasks: tasks, Task: tasks[number]}
	for _, id := range written {
		g.Steps = append(g.Steps, WrittenWord{Piece: v.Piece(id)})
	}
	if g.Stopped = written[len(written)-1] == v.SEP(); g.Stopped {
		written = written[:len(written)-1]
	}
	g.Text = v.Decode(written)
	right := RightAnswer(v, g.Task, text)
	for _, id := range right {
		g.Answer = append(g.Answer, v.Piece(id))
	}
	g.AnswerText = v.Decode(right)
	g.Right = g.Stopped && slices.Equal(right, written)
	return g
}

// RightAnswer returns the ids that the task asks to be written of a text between [CLS] and [SEP].
func RightAnswer(v *tokenizer.Vocabulary, name string, text []tokenizer.Token) []int {
	return slices.Concat(task.Target(v, name, task.Words(v, tokenizer.IDs(text[1:len(text)-1])))...)
}

// FillTop fills in the likeliest words of every step from the scores [N,V].
func (g *Generation) FillTop(v Speller, scores *tensor.T) {
	for i := range g.Steps {
		g.Steps[i].Top = Top(v, Probabilities(scores.Sub(i)))
	}
}

// WritingTasks lists the names of all tasks that an encoder–decoder can learn to write.
func WritingTasks() []string { return task.Names() }
