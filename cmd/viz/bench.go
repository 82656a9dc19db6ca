package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"attnatlas/engine/bench"
)

type benchCmd struct {
	JSON    bool   `help:"${bench_json}"`
	Rounds  int    `help:"${bench_rounds}"`
	Only    string `help:"${bench_only}" placeholder:"REGEXP"`
	Quick   bool   `help:"${bench_quick}"`
	Compare string `type:"existingfile" help:"${bench_compare}" placeholder:"OLD.json"`
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
	show, done := benchProgress(s.err)
	o.Progress = show
	d, err := bench.Run(ctx, o)
	done()
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
	o.Version, o.Commit = version(), builtFrom()
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

// builtFrom is the commit that the build recorded, or the one checked out here.
func builtFrom() string {
	if v := version(); v != "(devel)" && v != "(unknown)" {
		return v
	}
	return headCommit()
}

// earlier is the document to compare with, or nil.
func (c *benchCmd) earlier() (*bench.Document, error) {
	if c.Compare == "" {
		return nil, nil
	}
	f, err := os.Open(c.Compare)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := bench.Read(f)
	if err != nil {
		return nil, fmt.Errorf("--compare %s: %w", c.Compare, err)
	}
	return d, nil
}

// benchProgress is a bar on a terminal and nothing elsewhere.
func benchProgress(w io.Writer) (show func(bench.Progress), done func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	show = func(p bench.Progress) {
		if bar == nil {
			bar = progressbar.NewOptions(p.Total, progressbar.OptionSetWriter(w), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish())
		}
		bar.Describe(fmt.Sprintf("%-32s", p.Name))
		bar.Add(1)
	}
	return show, func() {
		if bar != nil {
			fmt.Fprintln(w)
		}
	}
}
