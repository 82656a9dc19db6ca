package huggingface

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCheckpoints: folders and revisions of a training run are found by name and sorted by step.
func TestCheckpoints(t *testing.T) {
	dir := t.TempDir()
	model := func(path string) {
		t.Helper()
		if err := os.CopyFS(filepath.Join(dir, path), os.DirFS("testdata/bert-classify")); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"run/checkpoint-1000", "run/checkpoint-500", "run/step0", "run/best", "one/checkpoint-5"} {
		model(path)
	}
	if err := os.MkdirAll(filepath.Join(dir, "run", "checkpoint-7"), 0o755); err != nil { // without a model
		t.Fatal(err)
	}
	run, one := Folder{Name: "run", Dir: filepath.Join(dir, "run")}, Folder{Name: "one", Dir: filepath.Join(dir, "one")}
	if got := names(Checkpoints(run)); !slices.Equal(got, []string{"run-step0", "run-checkpoint-500",
		"run-checkpoint-1000"}) {
		t.Errorf("the folder has %q", got)
	}
	if got := Checkpoints(one); got != nil {
		t.Errorf("a single checkpoint is the training %v", got)
	}
	cached := "models--EleutherAI--pythia"
	for revision, commit := range map[string]string{"main": "c3", "step1": "c1", "step1000": "c3", "step64": "c2",
		"step9": "gone", "draft": "c2"} {
		if commit != "gone" {
			if _, err := os.Stat(filepath.Join(dir, cached, "snapshots", commit)); err != nil {
				model(filepath.Join(cached, "snapshots", commit))
			}
		}
		if err := os.MkdirAll(filepath.Join(dir, cached, "refs"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, cached, "refs", revision), []byte(commit), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := Cached(dir)
	if all := names(got); !slices.Equal(all, []string{"EleutherAI/pythia", "EleutherAI/pythia-step1",
		"EleutherAI/pythia-step64", "EleutherAI/pythia-step1000"}) {
		t.Errorf("the cache has %q", all)
	} else if got[0].Training != "" || got[2].Step != 64 || got[2].Commit != "c2" || got[1].Training != got[3].Training {
		t.Errorf("the cache has %+v", got)
	}
}

// names returns the names of folders.
func names(all []Folder) (list []string) {
	for _, f := range all {
		list = append(list, f.Name)
	}
	return list
}
