package main

import (
	"context"
	"fmt"
	"regexp"

	"attnatlas/engine/bench"
	"attnatlas/engine/disk"
	"attnatlas/engine/version"
)

type benchCmd struct {
	JSON    bool   `help:"bench.json"`
	Rounds  int    `help:"bench.rounds"`
	Only    string `help:"bench.only" placeholder:"REGEXP"`
	Quick   bool   `help:"bench.quick"`
	Compare string `type:"existingfile" help:"bench.compare" placeholder:"OLD.json"`
}

// Run measures the engine on this machine.
func (c *benchCmd) Run(ctx context.Context, s streams) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	old, err := c.earlier()
	if err != nil {
		return err
	}
	bar := barOf(s.err, 1)
	o.Progress = func(p bench.SampleProgress) { bar.ChangeMax(p.Total); showNext(bar, p.Name) }
	d, err := bench.Run(ctx, o)
	_ = bar.Clear()
	if err != nil {
		return err
	}
	if len(d.Figures) == 0 {
		return wrong("figures", "pattern", c.Only)
	}
	if old != nil {
		d.Compare(old)
	}
	if c.JSON {
		return d.Write(s.out)
	}
	return d.Print(s.out)
}

func (c *benchCmd) options() (bench.Options, error) {
	o := bench.Full()
	if c.Quick {
		o = bench.Quick()
	}
	o.Version, o.Commit = version.Current(), builtFrom()
	if c.Rounds < 0 {
		return o, wrong("rounds")
	}
	if c.Rounds > 0 {
		o.Rounds = c.Rounds
	}
	if c.Only != "" {
		only, err := regexp.Compile(c.Only)
		if err != nil {
			return o, fmt.Errorf("--only: %w", err)
		}
		o.Only = only
	}
	return o, nil
}

// builtFrom returns the commit that the build recorded, or the commit that is checked out here.
func builtFrom() string {
	if v := version.Current(); v != "" && v != "(devel)" && v != "(unknown)" {
		return v
	}
	return headCommit()
}

// earlier returns the document to compare with, or nil.
func (c *benchCmd) earlier() (*bench.Document, error) {
	if c.Compare == "" {
		return nil, nil
	}
	f, err := disk.Open(c.Compare)
	if err != nil {
		return nil, fmt.Errorf("--compare %s: %w", c.Compare, err)
	}
	defer func() { _ = f.Close() }()
	d, err := bench.Read(f)
	if err != nil {
		return nil, fmt.Errorf("--compare %s: %w", c.Compare, err)
	}
	return d, nil
}
