package checkpoint

// Losses holds the losses of a training run in the order of steps: on the training set and on the evaluation set.
type Losses struct{ Training, Evaluation []LossPoint }

// LossPoint is the loss after a training step.
type LossPoint struct {
	Step int
	Loss float64
}
