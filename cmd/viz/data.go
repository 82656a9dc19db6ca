package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/corpora"
	"attnatlas/engine/disk"
	"attnatlas/engine/gaps"
)

type trainDataCmd struct {
	From    string `required:"" type:"existingdir" help:"data.from" placeholder:"DIR"`
	Out     string `required:"" help:"data.out" placeholder:"DIR"`
	Without string `type:"existingfile" help:"data.without" placeholder:"FILE"`
}

// Run builds the data sets whose source files are present.
func (c *trainDataCmd) Run(s streams) error {
	o, made := corpora.Options{From: os.DirFS(c.From), Gaps: gaps.Shipped()}, 0
	if c.Without != "" {
		words, err := disk.Read(c.Without, mostLines)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Without, err)
		}
		o.Without = strings.Fields(strings.ToLower(string(words)))
	}
	for _, set := range corpora.Sets {
		data, err := o.Make(set)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(s.err, say("data.missing", "set", set, "cause", err.Error()))
			continue
		} else if err != nil {
			return err
		}
		made++
		for _, name := range slices.Sorted(maps.Keys(data.Files)) {
			if err := write(filepath.Join(c.Out, set, name), data.Files[name]); err != nil {
				return err
			}
			fmt.Fprintln(s.out, say("data.made", "file", set+"/"+name, "lines", strings.Count(string(data.Files[name]), "\n")))
		}
		if data.Dropped > 0 {
			fmt.Fprintln(s.out, say("data.dropped", "set", set, "lines", data.Dropped))
		}
	}
	if made == 0 {
		return wrong("data", "folder", c.From)
	}
	return nil
}
