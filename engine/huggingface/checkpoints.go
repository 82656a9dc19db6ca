package huggingface

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// stepName matches the name of a checkpoint: a folder written by the library's trainer, or a revision as in Pythia
// (Biderman et al. 2023, arXiv:2304.01373).
var stepName = regexp.MustCompile(`^(?:checkpoint-|step-?)(\d{1,9})$`)

// Checkpoints returns the checkpoints of one training run in a folder, in the order of their steps. Each is a folder
// such as checkpoint-500 or step1000. The list is empty if the folder has fewer than two.
func Checkpoints(f Folder) []Folder {
	entries, _ := os.ReadDir(f.Dir) // a folder that cannot be read has none
	var all []Folder
	for _, e := range entries {
		dir := filepath.Join(f.Dir, e.Name())
		if step, ok := stepOf(e.Name()); ok && Is(dir) {
			all = append(all, Folder{Name: f.Name + "-" + e.Name(), Dir: dir, Training: f.Dir, Step: step})
		}
	}
	return inOrder(all)
}

// revisions returns the checkpoints among the revisions of a model in the cache.
func revisions(name, model string) []Folder {
	entries, _ := os.ReadDir(filepath.Join(model, "refs"))
	var all []Folder
	for _, e := range entries {
		step, ok := stepOf(e.Name())
		commit := commitOf(model, e.Name())
		if dir := filepath.Join(model, "snapshots", commit); ok && commit != "" && Is(dir) {
			all = append(all, Folder{Name: name + "-" + e.Name(), Dir: dir, Commit: commit, Training: model, Step: step})
		}
	}
	return inOrder(all)
}

// stepOf returns the number of training steps in a name.
func stepOf(name string) (int, bool) {
	found := stepName.FindStringSubmatch(name)
	if found == nil {
		return 0, false
	}
	step, err := strconv.Atoi(found[1])
	return step, err == nil
}

// inOrder sorts checkpoints by their steps. It returns nil for fewer than two, which show no progress.
func inOrder(all []Folder) []Folder {
	if len(all) < 2 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b Folder) int { return a.Step - b.Step })
	return all
}
