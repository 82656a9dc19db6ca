package train

import (
	"bytes"
	"fmt"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/nn"
)

// Finish rounds the model to float16, measures what is left of it on texts it
// was not trained on, and returns it as a checkpoint with its provenance: the
// results are those of the file, not of something finer.
func (r *Run) Finish(train, valid *Corpus, commit string) (checkpoint.Info, []byte, error) {
	c := r.Options.Model
	arrays := checkpoint.Arrays(r.Model.Params)
	var half bytes.Buffer
	if err := checkpoint.Write(&half, arrays, nil, checkpoint.Half); err != nil {
		return checkpoint.Info{}, nil, err
	}
	rounded, err := checkpoint.Parse(half.Bytes())
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
	if err := checkpoint.Write(&out, arrays, meta, checkpoint.Half); err != nil {
		return info, nil, fmt.Errorf("train: %w", err)
	}
	return info, out.Bytes(), nil
}
