package predict

import (
	"slices"

	"attnatlas/engine/task"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// Generation is the text that an encoder–decoder wrote for a source text by greedy decoding.
type Generation struct {
	Tasks []string // tasks of the model; none: the right answer is unknown
	Task  string   // requested task
	// Text is the written text. Stopped reports whether the model ended it itself, with [SEP].
	Text    string
	Stopped bool
	// Answer is the right answer, as pieces and as text. It is computed from the source text by the
	// same rule as the training targets. Right reports whether the model wrote exactly these pieces,
	// and then the end.
	Answer     []string
	AnswerText string
	Right      bool
	Steps      []WrittenWord // written pieces in order
}

// WrittenWord is one piece of a Generation.
type WrittenWord struct {
	Piece string
	Top   []Word // most probable pieces, by falling probability; at most TopWords; nil: unknown
}

// RightStep reports whether decoding step i, from 0, wrote the right piece for its position. After
// the last piece the end is right. If the right answer is unknown, every step counts as right.
func (g *Generation) RightStep(i int) bool {
	if len(g.Tasks) == 0 {
		return true
	}
	if i < len(g.Answer) {
		return g.Steps[i].Piece == g.Answer[i]
	}
	return i == len(g.Answer) && g.Stopped && i == len(g.Steps)-1
}

// Labels returns the labels of the written pieces.
func (g *Generation) Labels() []string {
	labels := make([]string, len(g.Steps))
	for i, s := range g.Steps {
		labels[i] = tokenizer.PieceLabel(s.Piece)
	}
	return labels
}

// NewGeneration compares the ids that a model wrote with the right answer for a task, given by its
// number. text is the source text, between [CLS] and [SEP]. The most probable pieces of the steps
// stay empty; FillTop sets them.
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

// RightAnswer returns the ids of the right answer to a task, for a source text between [CLS] and
// [SEP].
func RightAnswer(v *tokenizer.Vocabulary, name string, text []tokenizer.Token) []int {
	return slices.Concat(task.Target(v, name, task.Words(v, tokenizer.IDs(text[1:len(text)-1])))...)
}

// FillTop sets the most probable pieces of every step from the logits [N,V].
func (g *Generation) FillTop(v Speller, scores *tensor.T) {
	for i := range g.Steps {
		g.Steps[i].Top = mostProbable(v, Probabilities(scores.Sub(i)))
	}
}

// WritingTasks lists the names of all tasks that an encoder–decoder can learn to write.
func WritingTasks() []string { return task.Names() }
