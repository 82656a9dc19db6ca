package train

// MaskedWords returns a batch of the masked-word objective. ids holds count sequences of equal
// length, one after the other, with targets at the positions at, in ascending order.
func MaskedWords(ids []int, count int, at, targets []int) Batch {
	return Batch{Task: words, IDs: ids, Count: count, At: at, Targets: targets}
}

// Learn takes one step on a batch and returns its loss before that step.
func (r *Run) Learn(b Batch) (loss float64) {
	loss, _ = r.step(b.objective(r.Model))
	r.Step++
	r.Tokens += b.Tokens()
	return loss
}
