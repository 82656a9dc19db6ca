package train

import (
	"bytes"
	"context"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Finish rounds the model to the precision of the bundled ones and evaluates the rounded model on
// texts that were not used for training. It returns the model as a checkpoint with its provenance.
// It ends with the context.
func (r *Run) Finish(ctx context.Context, train, valid *Corpus, commit string) (checkpoint.Info, []byte, error) {
	c := r.Options.Model
	return r.Store(checkpoint.Info{
		Mechanism: c.Mechanism, Stack: c.Stack, Layers: c.Layers, Heads: c.Heads, Width: c.Width, Length: c.Length,
		Data: train.Origins, Commit: commit,
	}, func() (Result, error) { return r.evaluate(ctx, valid) })
}

// evaluate measures the model without changing it.
func (r *Run) evaluate(ctx context.Context, valid *Corpus) (Result, error) {
	if r.Seq2Seq != nil {
		return EvaluateSeq2Seq(ctx, r.Seq2Seq, valid)
	}
	return Evaluate(ctx, r.Model, valid)
}

// Store is Finish for any subject. The function evaluate measures the rounded subject, and Store
// completes info.
func (r *Run) Store(info checkpoint.Info, evaluate func() (Result, error)) (checkpoint.Info, []byte, error) {
	arrays := checkpoint.Arrays(r.Subject.Params)
	var stored bytes.Buffer
	if err := checkpoint.Write(&stored, arrays, nil, checkpoint.Shipped); err != nil {
		return checkpoint.Info{}, nil, err
	}
	exact := make(map[string]*tensor.T, len(arrays)) // rounding twice differs from rounding once
	for name, a := range arrays {
		exact[name] = a.Clone()
	}
	rounded, err := checkpoint.Parse(stored.Bytes())
	if err != nil {
		return checkpoint.Info{}, nil, err
	}
	if err := checkpoint.Restore(r.Subject.Params, rounded.Arrays); err != nil {
		return checkpoint.Info{}, nil, err
	}
	res, err := evaluate()
	if err != nil {
		return checkpoint.Info{}, nil, err
	}
	info.Params, info.Steps, info.Tokens, info.Seed = nn.Count(r.Subject.Params), r.Step, r.Tokens, r.Options.Seed
	info.Rate, info.Trials, info.Long = r.Options.Method.Rate, r.Trials, res.Long
	info.Loss, info.Score, info.Minutes = res.Loss, res.Score, r.Spent.Minutes()
	meta, err := checkpoint.Metadata(r.Subject.Config, info)
	if err != nil {
		return info, nil, err
	}
	var out bytes.Buffer
	err = checkpoint.Write(&out, exact, meta, checkpoint.Shipped)
	return info, out.Bytes(), err
}
