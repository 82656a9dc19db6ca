package train

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// progressKey is the metadata entry of a saved state.
const progressKey = "progress"

// lossesKey is the array of Run.Losses.
const lossesKey = "progress/losses"

// saved is what a state says beside its arrays.
type saved struct {
	Model   any           `json:"model"`
	Seed    uint64        `json:"seed"`
	Steps   int           `json:"steps"`
	Step    int           `json:"step"`
	Tokens  int           `json:"tokens"`
	Spent   time.Duration `json:"spent"`
	Updates []int         `json:"updates"` // of each parameter
	Threads int           `json:"threads"`
	Method  Method        `json:"method"`
	Data    string        `json:"data"` // Corpus.Digest
}

func (r *Run) saved() saved {
	s := saved{Model: r.Subject.Config, Seed: r.Options.Seed, Steps: r.Options.Steps, Step: r.Step, Tokens: r.Tokens, Spent: r.Spent,
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

// save replaces the state file in one step, so that a kill leaves the old or
// the new one.
func (r *Run) save(path string) error {
	meta, err := json.Marshal(r.saved())
	if err != nil {
		return err
	}
	return Replace(path, func(f *os.File) error {
		return checkpoint.Write(f, r.arrays(), map[string]string{progressKey: string(meta)}, checkpoint.All(checkpoint.Single))
	})
}

// load goes on from a saved state if there is one. A state of another model,
// seed or budget is refused: it would not be the run that was asked for.
func (r *Run) load(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	f, err := checkpoint.Parse(data)
	if err != nil {
		return fileError(path, err)
	}
	var s saved
	if err := json.Unmarshal([]byte(f.Meta[progressKey]), &s); err != nil {
		return messages.Errorf("training.state", "path", path, "cause", err.Error())
	}
	if !r.same(s) {
		return messages.Errorf("training.options", "path", path)
	}
	if err := checkpoint.Restore(r.Subject.Params, f.Arrays); err != nil {
		return fileError(path, err)
	}
	for i, p := range r.Subject.Params {
		m, v := f.Arrays[p.Name+"/adam m"], f.Arrays[p.Name+"/adam v"]
		if m == nil || v == nil || !m.SameShape(p.Value) || !v.SameShape(p.Value) {
			return messages.Errorf("training.moments", "path", path, "array", messages.Quote(p.Name))
		}
		r.opt.state[i] = moments{m: m, v: v, steps: s.Updates[i]}
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

// same says whether a state is one of this training.
func (r *Run) same(s saved) bool {
	mine, _ := json.Marshal([]any{r.Subject.Config, r.Options.Method, max(r.Options.Threads, 1)})
	theirs, _ := json.Marshal([]any{s.Model, s.Method, s.Threads})
	var a, b any // compare contents, not the order of fields
	_ = json.Unmarshal(mine, &a)
	_ = json.Unmarshal(theirs, &b)
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y) && s.Seed == r.Options.Seed && s.Steps == r.Options.Steps && len(s.Updates) == len(r.Subject.Params)
}

// fileError is an error with the path of the file.
func fileError(path string, cause error) error {
	return messages.Errorf("training.file", "path", path, "cause", messages.Of(cause))
}

// Replace writes a file under a temporary name and then renames it.
func Replace(path string, write func(*os.File) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails, as it should, after the rename
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return fileError(path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return nil
}
