package train

import (
	"bytes"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Finish rounds the model to the precision of the shipped ones, measures what is left of it on texts it
// was not trained on, and returns it as a checkpoint with its provenance: the
// results are those of the file, not of something finer.
func (r *Run) Finish(train, valid *Corpus, commit string) (checkpoint.Info, []byte, error) {
	c := r.Options.Model
	arrays := checkpoint.Arrays(r.Model.Params)
	var stored bytes.Buffer
	if err := checkpoint.Write(&stored, arrays, nil, checkpoint.Shipped); err != nil {
		return checkpoint.Info{}, nil, err
	}
	exact := make(map[string]*tensor.T, len(arrays)) // rounding twice is not rounding once
	for name, a := range arrays {
		exact[name] = a.Clone()
	}
	rounded, err := checkpoint.Parse(stored.Bytes())
	if err != nil {
		return checkpoint.Info{}, nil, err
	}
	if err := checkpoint.Restore(r.Model.Params, rounded.Arrays); err != nil {
		return checkpoint.Info{}, nil, err
	}
	res := Evaluate(r.Model, valid)
	info := checkpoint.Info{
		Mechanism: c.Mechanism, Layers: c.Layers, Heads: c.Heads, Width: c.Width, Length: c.Length,
		Params: nn.Count(r.Model.Params), Steps: r.Step, Tokens: r.Tokens, Seed: r.Options.Seed,
		Loss: res.Loss, Score: res.Score, Data: train.Origins, Commit: commit, Minutes: r.Spent.Minutes(),
	}
	meta, err := checkpoint.Metadata(c, info)
	if err != nil {
		return info, nil, err
	}
	var out bytes.Buffer
	err = checkpoint.Write(&out, exact, meta, checkpoint.Shipped)
	return info, out.Bytes(), err
}
