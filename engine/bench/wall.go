package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/tokenizer"
)

// walls returns the tasks that serve a request for all mechanisms, and one for the mechanisms of the
// first page.
func walls(s Sizes) []*task {
	if len(s.Walls) == 0 {
		return nil
	}
	files := sync.OnceValues(func() (map[string][]byte, error) { return s.checkpoints(slices.Max(s.Walls)) })
	var list []*task
	for _, threads := range []int{1, manyThreads} {
		if threads > runtime.NumCPU() {
			continue
		}
		for _, n := range s.Walls {
			list = append(list, wall("wall", engine.IDs(), n, threads, files),
				wall("first-wall", engine.Default[:], n, threads, files))
		}
	}
	return list
}

// wall returns the task that answers a request for some mechanisms and n tokens.
func wall(name string, ids []string, n, threads int, files func() (map[string][]byte, error)) *task {
	name = fmt.Sprintf("%s/%d", name, n)
	if threads > 1 {
		name += twoThreads
	}
	return &task{name: name, unit: Milliseconds, threads: threads, open: func() (operation, error) {
		models, err := files()
		if err != nil {
			return nil, err
		}
		return inspection(models, ids, n)
	}}
}

// inspection returns an operation that runs mechanisms on n tokens in its own engine.
func inspection(models map[string][]byte, ids []string, n int) (operation, error) {
	e := engine.NewFrom(func(id string) ([]byte, bool) { data, ok := models[id]; return data, ok })
	ask := engine.Request{Text: strings.Repeat("cat ", n-2), Mechanisms: ids}
	if got := len(e.Vocabulary().Encode(ask.Text)); got != n {
		return nil, fmt.Errorf("bench: the text has %d tokens instead of %d", got, n)
	}
	return func() error {
		rep, err := e.Inspect(context.Background(), ask)
		if err != nil {
			return err
		}
		for _, m := range rep.Mechanisms {
			if m.Err != nil {
				return fmt.Errorf("%s: %w", m.ID, m.Err)
			}
		}
		return nil
	}, nil
}

// checkpoints returns the files of untrained models of the bundled architecture,
// for the given number of positions.
func (s Sizes) checkpoints(length int) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, id := range engine.IDs() {
		c := encoder.Shipped(id, tokenizer.Default().Size())
		c.Width, c.Heads, c.Length, c.Layers, c.Inner = s.Width, s.Heads, length, s.Training.Layers, s.Training.Inner
		file, err := modelfile.Untrained(c)
		if err != nil {
			return nil, err
		}
		files[id] = file
	}
	return files, nil
}
