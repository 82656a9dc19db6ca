package results

import "attnatlas/components"

// AboutView is the page "/about".
type AboutView struct {
	components.Page
	Own     bool       // the models belong to the visitor
	Models  []ModelRow // of mechanisms
	Stacks  []ModelRow
	Data    []string // the training sets
	Methods []components.MethodNote
}

// ModelRow is one model.
type ModelRow struct {
	ID, Name string
	Layers   int
	Heads    int
	Width    int
	Length   int
	Params   int
	Steps    int
	Tokens   int               // seen in training
	Loss     float64           // validation, nats per token
	Scores   []components.Fact // validation accuracy per task
	Commit   string
	Source   string // the paper
	Options  string // of the architecture and of the mechanism, for a model with results
	// Objective names the training objective of the loss; empty: masked words.
	Objective string
}
