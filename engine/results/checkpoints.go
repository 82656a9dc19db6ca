package results

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/train"
)

// stored is the file of one training run of a model.
type stored struct {
	id     string
	path   string // path in the folder
	data   []byte
	info   checkpoint.Info
	config encoder.Config
	paper  bool  // whether its folder is papersFolder
	err    error // the reason why it cannot be read
}

// FromCheckpoints reads the results from the model files of a folder and of its subfolders seeds/N
// and papers. They are the validation results at the end of each training run.
func FromCheckpoints(folder fs.FS) (Results, error) {
	files, err := list(folder, nil)
	if err != nil {
		return Results{}, err
	}
	r := Results{Version: version}
	for _, same := range files {
		same = slices.DeleteFunc(same, func(f stored) bool { return f.err != nil }) // its card gives the reason
		if len(same) == 0 {
			continue
		}
		var runs []TrainingRun
		for _, f := range same {
			runs = append(runs, runOf(f.info))
		}
		r.Models = append(r.Models, newModel(same[0], runs))
	}
	return r, nil
}

// runOf returns the run that a file describes.
func runOf(i checkpoint.Info) TrainingRun {
	return TrainingRun{Seed: i.Seed, Commit: i.Commit, Loss: i.Loss, Long: i.Long, Score: i.Score}
}

// newModel returns the results of a model from its first file and its runs.
func newModel(f stored, runs []TrainingRun) ModelResults {
	stack, _ := encoder.FindStack(f.config.Stack)
	facts := stack.Describe(f.config)
	m := ModelResults{
		ID: f.id, Stack: f.config.Stack != "", Paper: f.paper, Options: f.config.MixerOptions, Architecture: f.config.Options, Objective: string(f.config.Objective), Layers: facts.Runs, Own: facts.Own,
		Halts:  facts.Halts,
		Length: f.info.Length, Params: f.info.Params, Steps: f.info.Steps, Tokens: f.info.Tokens,
		Work: train.Work(f.config, f.info.Tokens), Rate: f.info.Rate, Trials: f.info.Trials, Runs: runs,
	}
	switch {
	case f.config.Stack == encoder.EncoderDecoder.ID:
		m.Objective = string(encoder.TargetWords)
	case m.Objective == "":
		m.Objective = string(encoder.MaskedWords)
	}
	m.summarise()
	return m
}

// seedsFolder has a subfolder for each further seed. papersFolder has models whose options have the
// proportions of their papers.
const (
	seedsFolder  = "seeds"
	papersFolder = "papers"
)

// list reads the headers of the models in a folder, for these ids or for all. It groups the files
// by model, in the order of Results.Models.
func list(folder fs.FS, only []string) ([][]stored, error) {
	folders := []string{"."}
	more, err := fs.Glob(folder, path.Join(seedsFolder, "*"))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(more, bySeed)
	var all [][]stored
	for _, in := range slices.Concat(folders, more, []string{papersFolder}) {
		entries, err := fs.ReadDir(folder, in)
		if err != nil {
			continue // a file among the subfolders
		}
		for _, e := range entries {
			f, ok := header(folder, path.Join(in, e.Name()))
			if !ok || len(only) > 0 && !slices.Contains(only, f.id) {
				continue
			}
			f.paper = in == papersFolder
			at := slices.IndexFunc(all, func(same []stored) bool { return same[0].id == f.id && same[0].paper == f.paper })
			if at < 0 {
				all, at = append(all, nil), len(all)
			}
			all[at] = append(all[at], f)
		}
	}
	slices.SortStableFunc(all, func(a, b []stored) int { return rank(a[0].id) - rank(b[0].id) })
	return all, nil
}

// bySeed compares folders by the numbers in their names.
func bySeed(a, b string) int {
	x, _ := strconv.Atoi(path.Base(a))
	y, _ := strconv.Atoi(path.Base(b))
	return x - y
}

// header reads the header of a model's file. ok is false for other files.
func header(folder fs.FS, file string) (f stored, ok bool) {
	f.path, f.id = file, strings.TrimSuffix(strings.TrimSuffix(path.Base(file), checkpoint.Compressed),
		checkpoint.Extension)
	if _, _, err := encoder.Parse(f.id); err != nil || f.id == path.Base(file) {
		return f, false
	}
	if f.data, f.err = disk.ReadIn(folder, file, checkpoint.MaxBytes()); f.err == nil {
		f.info, f.err = checkpoint.Describe(f.data, &f.config)
	}
	if _, ok := encoder.FindStack(f.config.Stack); f.err == nil && !ok {
		f.err = messages.Errorf("model.stack", "stack", messages.Quote(f.config.Stack))
	}
	return f, true
}

// rank returns a model's position in the order: mechanisms, architectures, architectures with
// another mechanism.
func rank(id string) int {
	mechanism := slices.IndexFunc(attention.Catalog, func(e attention.Entry) bool { return e.ID == id })
	if mechanism >= 0 {
		return mechanism
	}
	name, _, mixed := strings.Cut(id, ".")
	at := len(attention.Catalog) + slices.Index(encoder.StackIDs(), name)
	if mixed {
		at += len(encoder.Stacks)
	}
	return at
}
