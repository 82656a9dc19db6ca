package train

import (
	"context"
	"runtime"

	"attnatlas/engine/checkpoint"

	"golang.org/x/sync/errgroup"
)

// Session holds the settings that several training runs share.
type Session struct {
	Train, Valid *Corpus
	Parallel     int    // training runs at once; 0: one for each core that their threads leave free
	Commit       string // of the training code
	// Progress is called after every step of every training run. Before the first step it is called with an empty task,
	// for the steps of earlier sessions. Several goroutines call it. It can be nil.
	Progress func(Progress)
	// Finished receives every trained model as a checkpoint. Several goroutines call it.
	Finished func(id string, data []byte) error
}

// Run trains the models of all jobs and returns their provenance, in the order of the jobs. It ends with the first
// error, or with the context. Training runs with a state can continue later.
func (s Session) Run(ctx context.Context, jobs []Job) ([]checkpoint.Info, error) {
	results := make([]checkpoint.Info, len(jobs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.parallel(jobs))
	for i, job := range jobs {
		group.Go(func() (err error) {
			results[i], err = s.one(ctx, job)
			return err
		})
	}
	return results, group.Wait()
}

func (s Session) parallel(jobs []Job) int {
	if s.Parallel > 0 {
		return s.Parallel
	}
	threads := 1
	for _, job := range jobs {
		threads = max(threads, job.Options.Threads)
	}
	return max(1, runtime.GOMAXPROCS(0)/threads)
}

func (s Session) one(ctx context.Context, job Job) (checkpoint.Info, error) {
	if err := ctx.Err(); err != nil {
		return checkpoint.Info{}, err // a training run that has not begun leaves its state unchanged
	}
	var trials []checkpoint.Trial
	if job.Sweep != nil {
		var err error
		if trials, err = job.Sweep.choose(ctx, s, job); err != nil {
			return checkpoint.Info{}, err
		}
		job.Options.Method.Rate = best(trials)
		if err := job.Sweep.adopt(job.Options.Method.Rate, job.Options); err != nil {
			return checkpoint.Info{}, err
		}
		job.Options.Anew = job.Options.Anew && job.Options.Seed != job.Sweep.Seed // its first steps come from a trial
	}
	job.Options.Progress = s.Progress
	r, err := New(job.Options)
	if err != nil {
		return checkpoint.Info{}, err
	}
	r.tell(Progress{})
	if err := r.Train(ctx, s.Train); err != nil {
		return checkpoint.Info{}, err
	}
	r.Trials = trials
	info, data, err := r.Finish(ctx, s.Train, s.Valid, s.Commit)
	if err != nil {
		return info, err
	}
	return info, s.Finished(job.ID, data)
}
