package results

import (
	"context"
	"io/fs"
	"math"
	"time"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/train"
)

// Session measures models in the same way as train.Run.Finish after a training run.
type Session struct {
	Learn, Valid *train.Corpus // source of baselines and times, and corpus for measuring
	// Clock returns CPU time, to measure training steps only. Nil: times are not measured.
	Clock func() time.Duration
	Steps int // training steps per model for the time
	// Measured receives, for every file, the measured results and the results in the file. It can be
	// nil.
	Measured func(file string, run, told TrainingRun)
}

// Measure measures the models of a folder and of its subfolders seeds/N and papers: those with the
// given ids, or all. It returns the first error, or the error of ctx.
func (s Session) Measure(ctx context.Context, folder fs.FS, only []string) (Results, error) {
	files, err := list(folder, only)
	if err != nil {
		return Results{}, err
	}
	for _, id := range only {
		if !hasModel(files, id) {
			return Results{}, messages.Errorf("results.model", "id", messages.Quote(id))
		}
	}
	r := Results{Version: version, Unigram: s.Learn.Unigram(s.Valid), Chance: s.Learn.Chance(s.Valid)}
	for _, same := range files {
		m, err := s.model(ctx, same)
		if err != nil {
			return r, err
		}
		r.Models = append(r.Models, m)
	}
	return r, nil
}

func hasModel(files [][]stored, id string) bool {
	for _, same := range files {
		if same[0].id == id {
			return true
		}
	}
	return false
}

// model measures the training runs of one model.
func (s Session) model(ctx context.Context, same []stored) (ModelResults, error) {
	var runs []TrainingRun
	for _, f := range same {
		if err := ctx.Err(); err != nil {
			return ModelResults{}, err
		}
		run, err := s.run(ctx, f)
		if ctx.Err() != nil {
			return ModelResults{}, ctx.Err()
		}
		if err != nil {
			return ModelResults{}, messages.Errorf("results.file", "file", f.path, "cause", messages.Of(err))
		}
		if s.Measured != nil {
			s.Measured(f.path, run, runOf(f.info))
		}
		runs = append(runs, run)
	}
	m := newModel(same[0], runs)
	if err := s.delete(ctx, same[0], &m); err != nil {
		return m, err
	}
	if s.Clock == nil {
		return m, nil
	}
	var err error
	m.CPU, err = s.minutes(same[0])
	return m, err
}

// delete measures how much the classifiers depend on the tokens that the maps point at.
func (s Session) delete(ctx context.Context, f stored, to *ModelResults) error {
	if f.config.Stack == encoder.EncoderDecoder.ID {
		return nil
	}
	m, _, err := modelfile.Open(f.data)
	if err != nil {
		return err
	}
	for _, task := range m.Config.Tasks {
		d, err := train.Delete(ctx, m, s.Valid, task.Name)
		if err != nil {
			return err
		}
		if d != nil {
			to.Deletions = append(to.Deletions, *d)
		}
	}
	return nil
}

// run measures one training run.
func (s Session) run(ctx context.Context, f stored) (TrainingRun, error) {
	if f.err != nil {
		return TrainingRun{}, f.err
	}
	if size := s.Valid.Vocab.Size(); f.config.Vocab != size {
		return TrainingRun{}, messages.Errorf("error.other-vocabulary", "pieces", f.config.Vocab, "vocabulary", size)
	}
	res, err := evaluate(ctx, f, s.Valid)
	run := runOf(f.info)
	run.Loss, run.Long, run.Score = res.Loss, res.Long, res.Score
	return run, err
}

func evaluate(ctx context.Context, f stored, valid *train.Corpus) (train.Result, error) {
	if f.config.Stack == encoder.EncoderDecoder.ID {
		m, _, err := modelfile.OpenSeq2Seq(f.data)
		if err != nil {
			return train.Result{}, err
		}
		return train.EvaluateSeq2Seq(ctx, m, valid)
	}
	m, _, err := modelfile.Open(f.data)
	if err != nil {
		return train.Result{}, err
	}
	return train.Evaluate(ctx, m, valid)
}

// minutes extrapolates the CPU minutes of a training run.
func (s Session) minutes(f stored) (float64, error) {
	o := train.Options{Model: f.config, Seed: f.info.Seed, Steps: f.info.Steps, Method: train.DefaultMethod()}
	if f.info.Rate > 0 {
		o.Method.Rate = f.info.Rate
	}
	r, err := train.New(o)
	if err != nil {
		return 0, err
	}
	return r.Rehearse(s.Learn, s.Steps, s.Clock).Minutes(), nil
}

// Differs reports whether a measured run differs from the results in its file by more than rounding
// on another machine explains: 1e-4 in the loss, or one answer in a thousand.
func (r TrainingRun) Differs(told TrainingRun) bool {
	if math.Abs(r.Loss-told.Loss) > 1e-4 || len(r.Score) != len(told.Score) {
		return true
	}
	for task, score := range r.Score {
		if v, ok := told.Score[task]; !ok || math.Abs(v-score) > 1e-3 {
			return true
		}
	}
	return false
}

// Shipped returns the results of the bundled weights.
func Shipped() (Results, error) { return Read(checkpoint.Folder()) }
