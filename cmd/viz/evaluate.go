package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/bench"
	"attnatlas/engine/disk"
	"attnatlas/engine/gaps"
	"attnatlas/engine/messages"
	"attnatlas/engine/results"
	"attnatlas/engine/train"
)

type evaluateCmd struct {
	weights
	Models []string `arg:"" optional:"" help:"evaluate.models"`
	Data   string   `help:"evaluate.data" placeholder:"DIR"`
	Vocab  string   `help:"train.vocab" type:"existingfile" placeholder:"FILE"`
	Gaps   string   `help:"evaluate.gaps" type:"existingfile" placeholder:"FILE"`
	Time   int      `help:"evaluate.time" placeholder:"STEPS"`
	JSON   string   `help:"evaluate.json" placeholder:"FILE"`
	Readme []string `help:"evaluate.readme" type:"existingfile" placeholder:"FILE"`
}

// Run measures models, or reads earlier measurements, and prints the tables.
func (c *evaluateCmd) Run(ctx context.Context, s streams) error {
	if c.Data == "" && (c.Time > 0 || len(c.Models) > 0) {
		return wrong("evaluate")
	}
	if len(c.Models) > 0 && len(c.Readme) > 0 && c.JSON == "" {
		return wrong("evaluate-readme")
	}
	folder, err := c.folder()
	if err != nil {
		return err
	}
	var others results.Results
	if c.JSON != "" && len(c.Models) > 0 { // a file that cannot be read is found before the measurement
		if others, err = results.Load(c.JSON); err != nil {
			return err
		}
	}
	r, err := c.results(ctx, s, folder)
	if err != nil {
		return err
	}
	if err := c.fill(ctx, s, folder, &r); err != nil {
		return err
	}
	r = others.Update(r)
	if err := printResults(s.out, r); err != nil {
		return err
	}
	if c.JSON != "" {
		text, err := r.Encode()
		if err == nil {
			err = write(c.JSON, text)
		}
		if err != nil {
			return err
		}
	}
	for _, file := range c.Readme {
		old, err := disk.Read(file, mostLines)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		text, err := r.Readme(string(old), messages.English)
		if err != nil {
			return wrong("readme", "file", file, "cause", messages.Of(err))
		}
		if err := write(file, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// longestGaps limits the size of a list of gaps, in bytes.
const longestGaps = 1 << 20

// fill measures how well the models of the results fill the gaps of the list.
func (c *evaluateCmd) fill(ctx context.Context, s streams, folder fs.FS, r *results.Results) error {
	if c.Gaps == "" {
		return nil
	}
	text, err := disk.Read(c.Gaps, longestGaps)
	if err != nil {
		return wrong("gaps", "file", c.Gaps, "cause", messages.Of(err))
	}
	v, err := vocabulary(c.Vocab)
	if err != nil {
		return err
	}
	list, err := gaps.Parse(string(text))
	if err != nil {
		return wrong("gaps", "file", c.Gaps, "cause", messages.Of(err))
	}
	name := strings.TrimSuffix(filepath.Base(c.Gaps), filepath.Ext(c.Gaps))
	test := results.GapTest{Name: name, Gaps: list, Vocab: v}
	fmt.Fprintln(s.err, say("evaluate.gaps", "file", c.Gaps, "sentences", len(list), "unreachable", test.Unreachable()))
	return test.Measure(ctx, folder, r)
}

// write replaces a file.
func write(file string, text []byte) error {
	return disk.Replace(file, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func (c *evaluateCmd) results(ctx context.Context, s streams, folder fs.FS) (results.Results, error) {
	if c.Data == "" {
		return results.Read(folder)
	}
	v, err := vocabulary(c.Vocab)
	if err != nil {
		return results.Results{}, err
	}
	fmt.Fprintln(s.err, say("train.reading", "folder", c.Data))
	learn, err := train.Load(c.Data, train.Train, v, train.LongestLabelled)
	if err != nil {
		return results.Results{}, err
	}
	valid, err := train.Load(c.Data, train.Valid, v, train.LongestLabelled)
	if err != nil {
		return results.Results{}, err
	}
	session := results.Session{Learn: learn, Valid: valid, Steps: c.Time, Measured: func(file string, run,
		told results.TrainingRun) {
		text := say("evaluate.same", "file", file, "loss", figures(run.Loss))
		if run.Differs(told) {
			text = say("evaluate.differs", "file", file, "loss", figures(run.Loss), "told", figures(told.Loss), "scores",
				shares(run.Score), "were", shares(told.Score))
		}
		fmt.Fprintln(s.err, text)
	}}
	if c.Time > 0 {
		session.Clock = bench.CPUTime
	}
	return session.Measure(ctx, folder, c.Models)
}

// shares formats scores on one line.
func shares(score map[string]float64) string {
	var list []string
	for _, task := range slices.Sorted(maps.Keys(score)) {
		list = append(list, task+" "+messages.Percent(score[task]))
	}
	return strings.Join(list, ", ")
}

// printResults prints the tables and their baselines.
func printResults(w io.Writer, r results.Results) error {
	for _, t := range []results.Table{r.Mechanisms(messages.English), r.Stacks(messages.English)} {
		if len(t.Rows) == 0 {
			continue
		}
		columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintln(columns, strings.Join(row, "\t")+"\t")
		}
		if err := columns.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintln(w, strings.Join(r.Floors(messages.English), "\n"))
	return err
}
