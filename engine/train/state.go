package train

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// progressKey is the metadata entry of a saved state.
const progressKey = "progress"

// lossesKey is the name of the array with Run.Losses.
const lossesKey = "progress/losses"

// saved is the part of a state that is not stored as arrays.
type saved struct {
	Model   any           `json:"model"`
	Seed    uint64        `json:"seed"`
	Steps   int           `json:"steps"`
	Step    int           `json:"step"`
	Tokens  int           `json:"tokens"`
	Spent   time.Duration `json:"spent"`
	Updates []int         `json:"updates"` // number of updates of each parameter
	Threads int           `json:"threads"`
	Method  Method        `json:"method"`
	Data    string        `json:"data"` // Corpus.Digest
}

func (r *Run) saved() saved {
	s := saved{Model: r.Subject.Config, Seed: r.Options.Seed, Steps: r.Options.Steps, Step: r.Step, Tokens: r.Tokens,
		Spent:   r.Spent,
		Threads: max(r.Options.Threads, 1), Method: r.Options.Method, Data: r.data}
	for _, m := range r.opt.state {
		s.Updates = append(s.Updates, m.steps)
	}
	return s
}

func (r *Run) arrays() map[string]*tensor.T {
	arrays := checkpoint.Arrays(r.Subject.Params)
	for i, p := range r.Subject.Params {
		arrays[p.Name+"/adam m"], arrays[p.Name+"/adam v"] = r.opt.state[i].m, r.opt.state[i].v
	}
	if len(r.Losses) > 0 {
		losses := tensor.New(len(r.Losses))
		for i, loss := range r.Losses {
			losses.Data[i] = tensor.Elem(loss)
		}
		arrays[lossesKey] = losses
	}
	return arrays
}

// save replaces the state file atomically, so that a kill leaves the old or the new file.
func (r *Run) save(path string) error {
	meta, err := json.Marshal(r.saved())
	if err != nil {
		return err
	}
	return disk.Replace(path, func(w io.Writer) error {
		return checkpoint.Write(w, r.arrays(), map[string]string{progressKey: string(meta)},
			checkpoint.All(checkpoint.Single))
	})
}

// load continues from a saved state if there is one. It rejects the state of another model, seed or budget.
func (r *Run) load(path string) error {
	data, err := disk.Read(path, checkpoint.MaxBytes())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fileError(path, err)
	}
	f, err := checkpoint.Parse(data)
	if err != nil {
		return damaged(path, err)
	}
	var s saved
	if err := unmarshal(f.Meta[progressKey], &s); err != nil {
		return damaged(path, messages.Errorf("training.state", "cause", messages.Of(err)))
	}
	if !r.same(s) {
		return messages.Errorf("training.options", "path", path)
	}
	if err := r.restore(f, s); err != nil {
		return damaged(path, err)
	}
	r.Losses = nil
	if losses := f.Arrays[lossesKey]; losses != nil {
		for _, loss := range losses.Data {
			r.Losses = append(r.Losses, float32(loss))
		}
	}
	r.Step, r.Tokens, r.Spent, r.data = s.Step, s.Tokens, s.Spent, s.Data
	return nil
}

// unmarshal reads JSON without duplicate names.
func unmarshal(text string, to any) error {
	if err := checkpoint.Unique([]byte(text)); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), to)
}

// restore reads the parameters and the optimiser's moments. It rejects states that a run of this many steps cannot
// have saved.
func (r *Run) restore(f *checkpoint.File, s saved) error {
	if s.Step < 0 || s.Step > s.Steps || s.Tokens < 0 || s.Spent < 0 {
		return messages.Errorf("training.progress", "step", s.Step, "steps", s.Steps, "tokens", s.Tokens)
	}
	if err := checkpoint.Restore(r.Subject.Params, f.Arrays); err != nil {
		return err
	}
	for i, p := range r.Subject.Params {
		if n := s.Updates[i]; n < 0 || n > s.Step {
			return messages.Errorf("training.updates", "array", messages.Quote(p.Name), "updates", n, "step", s.Step)
		}
		m, v := nn.Param{Name: p.Name + "/adam m", Value: tensor.New(p.Value.Shape...)}, nn.Param{Name: p.Name + "/adam v",
			Value: tensor.New(p.Value.Shape...)}
		if err := checkpoint.Restore([]*nn.Param{&m, &v}, f.Arrays); err != nil {
			return err
		}
		r.opt.state[i] = moments{m: m.Value, v: v.Value, steps: s.Updates[i]}
	}
	return nil
}

// damaged returns the error of a state that no run can have saved.
func damaged(path string, cause error) error {
	return messages.Errorf("training.damaged", "path", path, "cause", messages.Of(cause))
}

// same reports whether a state belongs to this training run.
func (r *Run) same(s saved) bool {
	mine := []any{r.Subject.Config, r.Options.Method, max(r.Options.Threads, 1)}
	return alike(mine, []any{s.Model, s.Method, s.Threads}) && s.Seed == r.Options.Seed && s.Steps == r.Options.Steps &&
		len(s.Updates) == len(r.Subject.Params)
}

// alike reports whether two values are equal in JSON, in any order of fields.
func alike(a, b any) bool {
	plain := func(v any) string {
		text, _ := json.Marshal(v)
		_ = json.Unmarshal(text, &v)
		text, _ = json.Marshal(v)
		return string(text)
	}
	return plain(a) == plain(b)
}

// fileError adds the path of the file to an error.
func fileError(path string, cause error) error {
	return messages.Errorf("training.file", "path", path, "cause", messages.Of(cause))
}

// Replace is disk.Replace.
func Replace(path string, write func(io.Writer) error) error { return disk.Replace(path, write) }

// Claim locks the training runs of the jobs against other processes until release is called. It checks that their
// states, and their models in a folder, can be written, and removes temporary files of earlier training runs.
func Claim(jobs []Job, models string) (release func(), err error) {
	var held []func()
	release = func() {
		for _, one := range held {
			one()
		}
	}
	for _, job := range jobs {
		if err == nil && job.Options.State != "" {
			var one func()
			if one, err = disk.Lock(job.Options.State); err == nil {
				held = append(held, one)
			}
		}
	}
	if err == nil {
		err = disk.Writable(models)
	}
	for _, job := range jobs {
		for _, end := range [...]string{"", checkpoint.Compressed} { // other processes can be writing newer ones
			if err == nil {
				err = disk.Clean(filepath.Join(models, job.ID+checkpoint.Extension+end), time.Minute)
			}
		}
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}
