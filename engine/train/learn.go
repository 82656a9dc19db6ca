package train

// Guess is a batch of the masked-word objective: count sequences of equal length,
// one after the other in ids, with the words at the positions at, ascending, to
// be guessed.
func Guess(ids []int, count int, at, targets []int) Batch {
	return Batch{Task: words, IDs: ids, Count: count, At: at, Targets: targets}
}

// Learn takes one step with a batch of the caller's and returns the batch's
// loss before it.
func (r *Run) Learn(b Batch) (loss float64) {
	loss, _ = r.step(b.lesson(r.Model))
	r.Step++
	r.Tokens += b.Tokens()
	return loss
}
