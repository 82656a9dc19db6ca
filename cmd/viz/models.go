package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"attnatlas/engine/guests"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/messages"
)

// modelFlag names models of the transformers library.
type modelFlag struct {
	Model []string `sep:"," placeholder:"DIR" help:"${models_model}"`
}

// folders returns the folders that the flag names; a name may also be that of a model in the local cache.
func (m modelFlag) folders() ([]huggingface.Folder, error) {
	cached := huggingface.Cached(huggingface.CacheDir())
	var all []huggingface.Folder
	for _, name := range m.Model {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			all = append(all, withCheckpoints(huggingface.Given([]string{name})[0])...)
			continue
		}
		at := slices.IndexFunc(cached, func(f huggingface.Folder) bool { return f.Name == name })
		if at < 0 {
			return nil, wrong("no-model-folder", "name", messages.Quote(name), "cache", huggingface.CacheDir())
		}
		all = append(all, cached[at])
		for _, next := range cached[at+1:] {
			if next.Training == "" || cached[at].Training != "" {
				break
			}
			all = append(all, next)
		}
	}
	return all, nil
}

// withCheckpoints returns a folder, if it is a model, and the checkpoints in it.
func withCheckpoints(f huggingface.Folder) []huggingface.Folder {
	steps := huggingface.Checkpoints(f)
	if len(steps) > 0 && !huggingface.Is(f.Dir) {
		return steps
	}
	return append([]huggingface.Folder{f}, steps...)
}

// invite registers the models that the flag names with the engine, and returns their ids.
func (m modelFlag) invite() (ids []string, err error) {
	folders, err := m.folders()
	for _, g := range guests.Invite(folders) {
		ids = append(ids, g.ID)
	}
	return ids, err
}

// dropped returns the models of the library that lie in a folder of the visitor's own models.
func dropped(dir string) []huggingface.Folder {
	entries, _ := os.ReadDir(dir) // the engine reports errors of the folder
	var all []huggingface.Folder
	for _, e := range entries {
		f := huggingface.Given([]string{filepath.Join(dir, e.Name())})[0]
		if e.IsDir() && (huggingface.Is(f.Dir) || len(huggingface.Checkpoints(f)) > 0) {
			all = append(all, withCheckpoints(f)...)
		}
	}
	return all
}

type modelsCmd struct {
	modelFlag
	JSON bool `help:"${models_json}"`
}

// listed is a line of the list of models.
type listed struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	Commit string `json:"commit,omitempty"`
	Class  string `json:"architecture"`
	Bytes  int64  `json:"bytes"`
	Opens  bool   `json:"opens"`
	Reason string `json:"reason,omitempty"`
}

// Run lists the models of the local cache, or those that the flag names.
func (c *modelsCmd) Run(ctx context.Context, s streams) error {
	folders := huggingface.Cached(huggingface.CacheDir())
	if len(c.Model) > 0 {
		var err error
		if folders, err = c.folders(); err != nil {
			return err
		}
	}
	all := []listed{}
	for _, f := range folders {
		if err := ctx.Err(); err != nil {
			return err
		}
		summary, err := huggingface.Check(f.Dir)
		one := listed{Name: f.Name, Folder: f.Dir, Commit: f.Commit, Class: summary.Class, Bytes: summary.Bytes,
			Opens: err == nil}
		if err != nil {
			one.Reason = oneLine(err)
		}
		all = append(all, one)
	}
	if c.JSON {
		e := json.NewEncoder(s.out)
		e.SetEscapeHTML(false)
		return e.Encode(all)
	}
	if len(all) == 0 {
		fmt.Fprintln(s.err, say("models.none", "cache", huggingface.CacheDir()))
		return nil
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, m := range all {
		verdict := say("models.opens")
		if !m.Opens {
			verdict = m.Reason
		}
		fmt.Fprintf(table, "%s\t%s\t%.0f MB\t%s\n", m.Name, m.Class, float64(m.Bytes)/1e6, verdict)
	}
	return table.Flush()
}
