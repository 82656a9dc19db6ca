package train

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// tiny makes a model small enough to be trained quickly.
var tiny = Changes{Layers: 1, Width: 8, Heads: 2}

// TestPlan: a plan without models contains all mechanisms. An error about one model contains its
// name.
func TestPlan(t *testing.T) {
	jobs, err := Plan{Changes: tiny, Steps: 1}.Jobs(600)
	if err != nil || len(jobs) != len(attention.Catalog) {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	if c := jobs[0].Options.Model; jobs[0].ID != attention.Catalog[0].ID || c.Width != 8 || c.Inner != 32 ||
		c.Vocab != 600 || jobs[0].Options.State != "" {
		t.Errorf("%+v", jobs[0])
	}
	for _, c := range []struct {
		says string
		plan Plan
	}{
		{`no mechanism or architecture named “nobody”; available are the mechanisms dot-product`,
			Plan{Models: []string{"dense", "nobody"}}},
		{"dense is named twice", Plan{Models: []string{"dense", "dense"}}},
		{"dense: width 8 must be a positive multiple of heads 3",
			Plan{Models: []string{"dense"}, Changes: Changes{Width: 8, Heads: 3}}},
		{`dense: no option named “x”; available: hidden (options apply to all`,
			Plan{Models: []string{"dense", "bert"}, Changes: Changes{Options: []Option{{"x", "y"}}}}},
	} {
		if _, err := c.plan.Jobs(600); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, wanted %s", err, c.says)
		}
	}
}

// TestSession: every model of a plan is trained and delivered. A second session with the same
// states has nothing left to do and reports that first.
func TestSession(t *testing.T) {
	dir, state := writeData(t), t.TempDir()
	plan := Plan{Models: []string{"dense", "bert.linformer"}, Changes: tiny, Seed: 1, Steps: 2, State: state}
	jobs, err := plan.Jobs(tokenizer.Default().Size())
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	steps, before, files := map[string]int{}, map[string]int{}, map[string][]byte{}
	s := Session{
		Train: load(t, dir, Train), Valid: load(t, dir, Valid),
		Progress: func(p Progress) {
			mu.Lock()
			defer mu.Unlock()
			if p.Task == "" {
				before[p.ID] = p.Step
			} else {
				steps[p.ID]++
			}
		},
		Finished: func(id string, data []byte) error {
			mu.Lock()
			defer mu.Unlock()
			files[id] = data
			return nil
		},
	}
	results, err := s.Run(context.Background(), jobs)
	if err != nil {
		t.Fatal(err)
	}
	for i, job := range jobs {
		var c encoder.Config
		info, err := checkpoint.Describe(files[job.ID], &c)
		n, said := before[job.ID]
		if err != nil || info.Loss != results[i].Loss || c.ID() != job.ID || steps[job.ID] != 2 || !said || n != 0 {
			t.Errorf("%s: %+v, %v, %d steps", job.ID, info, err, steps[job.ID])
		}
		if _, err := os.Stat(filepath.Join(state, job.ID+checkpoint.Extension)); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Run(context.Background(), jobs); err != nil || steps["dense"] != 2 || before["dense"] != 2 {
		t.Errorf("%v; %d steps after %d", err, steps["dense"], before["dense"])
	}
}
