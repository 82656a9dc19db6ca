package checkpoint

// Losses are those of a training, each in the order of steps.
type Losses struct{ Training, Evaluation []LossPoint }

// LossPoint is the loss after a training step.
type LossPoint struct {
	Step int
	Loss float64
}
