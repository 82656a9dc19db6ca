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
	Model []string `sep:"," placeholder:"DIR" help:"models.model"`
}

// folders returns the models that the flag names, and as steps the checkpoints of these models. A name is a folder or
// a model in the local cache. If a folder has checkpoints but is no model itself, its checkpoints count as named.
func (m modelFlag) folders() (named, steps []huggingface.Folder, err error) {
	cached := huggingface.Cached(huggingface.CacheDir())
	for _, name := range m.Model {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			all := withCheckpoints(huggingface.Given([]string{name})[0])
			if all[0].Training == "" {
				steps, all = append(steps, all[1:]...), all[:1]
			}
			named = append(named, all...)
			continue
		}
		at := slices.IndexFunc(cached, func(f huggingface.Folder) bool { return f.Name == name })
		if at < 0 {
			return nil, nil, wrong("no-model-folder", "name", messages.Quote(name), "cache", huggingface.CacheDir())
		}
		named = append(named, cached[at])
		for _, next := range cached[at+1:] {
			if next.Training == "" || cached[at].Training != "" {
				break
			}
			steps = append(steps, next)
		}
	}
	return named, steps, nil
}

// withCheckpoints returns a folder, if it is a model, and the checkpoints in it.
func withCheckpoints(f huggingface.Folder) []huggingface.Folder {
	steps := huggingface.Checkpoints(f)
	if len(steps) > 0 && !huggingface.Is(f.Dir) {
		return steps
	}
	return append([]huggingface.Folder{f}, steps...)
}

// invite registers the models that the flag names with the engine, and returns their ids. It also registers their
// checkpoints and more models, each once.
func (m modelFlag) invite(more ...huggingface.Folder) (ids []string, err error) {
	named, steps, err := m.folders()
	there := map[[2]string]bool{}
	known := func(f huggingface.Folder) bool {
		key := [2]string{absolute(f.Dir), absolute(f.Training)}
		before := there[key]
		there[key] = true
		return before
	}
	for i, g := range guests.Invite(named) {
		ids = append(ids, g.ID)
		known(named[i])
	}
	guests.Invite(slices.DeleteFunc(append(steps, more...), known))
	return ids, err
}

// absolute returns an absolute path, or the path itself if there is none.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
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
	JSON bool `help:"models.json"`
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
		named, steps, err := c.folders()
		if err != nil {
			return err
		}
		folders = slices.Concat(named, steps)
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
