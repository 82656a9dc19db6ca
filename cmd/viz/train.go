package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/train"
	"attnatlas/engine/version"
)

type trainCmd struct {
	Models trainModelsCmd `cmd:"" default:"withargs" help:"command.models"`
	Vocab  trainVocabCmd  `cmd:"" help:"command.vocab"`
	Data   trainDataCmd   `cmd:"" help:"command.data"`
}

type trainModelsCmd struct {
	Mechanism []string `arg:"" optional:"" help:"train.mechanism"`
	Data      string   `required:"" help:"train.data" placeholder:"DIR"`
	Vocab     string   `type:"existingfile" placeholder:"FILE" help:"train.vocab"`
	Out       string   `default:"runs/weights" help:"train.out"`
	State     string   `default:"runs/state" help:"train.state"`
	Recipe    string   `type:"existingfile" placeholder:"FILE" help:"train.recipe"`
	Steps     int      `default:"6000" help:"train.steps"`
	Seed      uint64   `default:"1" help:"train.seed"`
	Anew      bool     `help:"train.anew"`
	Parallel  int      `help:"train.parallel"`
	Threads   int      `default:"1" help:"train.threads"`
	Gzip      bool     `help:"train.gzip"`
	Commit    string   `hidden:"" help:"train.commit"`

	Layers int    `help:"train.layers"`
	Width  int    `help:"train.width"`
	Heads  int    `help:"train.heads"`
	Norm   string `default:"" enum:",pre,post" help:"train.norm"`

	Positions string   `default:"" enum:",learned,sinusoidal,sinusoidal-halves,none" help:"train.positions"`
	Option    []string `sep:"none" placeholder:"NAME=VALUE" help:"train.option"`
}

// plan returns the plan of the flags.
func (c *trainModelsCmd) plan() (train.Plan, error) {
	p := train.Plan{
		Models: c.Mechanism, Seed: c.Seed, Steps: c.Steps, Threads: c.Threads, State: c.State, Anew: c.Anew,
		Changes: train.Changes{Layers: c.Layers, Width: c.Width, Heads: c.Heads, Norm: encoder.Norm(c.Norm),
			Positions: encoder.Positions(c.Positions)},
	}
	if c.Steps < 1 {
		return p, wrong("steps", "steps", c.Steps)
	}
	for _, option := range c.Option {
		name, value, ok := strings.Cut(option, "=")
		if !ok {
			return p, wrong("option", "option", option)
		}
		if slices.ContainsFunc(p.Changes.Options, func(o train.Option) bool { return o.Name == name }) {
			return p, wrong("twice", "option", name)
		}
		p.Changes.Options = append(p.Changes.Options, train.Option{Name: name, Value: value})
	}
	return p, nil
}

// jobs returns the trainings of the flags or the recipe.
func (c *trainModelsCmd) jobs(vocab int) ([]train.Job, error) {
	if c.Recipe == "" {
		plan, err := c.plan()
		if err != nil {
			return nil, err
		}
		return plan.Jobs(vocab)
	}
	text, err := disk.Read(c.Recipe, train.MostRecipeBytes)
	if err != nil {
		return nil, wrong("recipe", "file", c.Recipe, "cause", messages.Of(err))
	}
	recipe, err := train.ParseRecipe(text)
	if err != nil {
		return nil, wrong("recipe", "file", c.Recipe, "cause", messages.Of(err))
	}
	jobs, err := recipe.Jobs(c.Mechanism, vocab, c.State)
	for i := range jobs {
		jobs[i].Options.Threads, jobs[i].Options.Anew = c.Threads, c.Anew
	}
	return jobs, err
}

// Run trains, one mechanism for each core at a time, and prints the results.
func (c *trainModelsCmd) Run(ctx context.Context, s streams) error {
	if c.Commit == "" {
		c.Commit = builtFrom()
	}
	v, err := vocabulary(c.Vocab)
	if err != nil {
		return err
	}
	jobs, err := c.jobs(v.Size())
	if err != nil {
		return err
	}
	learn, valid, err := c.corpora(ctx, s, v)
	if err != nil {
		return err
	}
	release, err := train.Claim(jobs, c.Out)
	if err != nil {
		return err
	}
	defer release()
	show := newProgress(s.err, train.Steps(jobs))
	results, err := train.Session{
		Train: learn, Valid: valid, Parallel: c.Parallel, Commit: c.Commit, Progress: show.step, Finished: c.save,
	}.Run(ctx, jobs)
	show.done()
	switch {
	case errors.Is(err, context.Canceled) && c.State != "" && !c.Anew:
		return wrong("again")
	case err != nil:
		return err
	}
	if err := table(s, results); err != nil {
		return err
	}
	warn(s, results, learn.Unigram(valid))
	return nil
}

// longestVocabulary limits the size of a vocabulary file, in bytes.
const longestVocabulary = 1 << 24

// vocabulary returns the vocabulary of a file or, without one, that of the bundled models.
func vocabulary(file string) (*tokenizer.Vocabulary, error) {
	if file == "" {
		return tokenizer.Default(), nil
	}
	text, err := disk.Read(file, longestVocabulary)
	if err != nil {
		return nil, wrong("vocabulary", "file", file, "cause", messages.Of(err))
	}
	v, err := tokenizer.Parse(string(text))
	if err != nil {
		return nil, wrong("vocabulary", "file", file, "cause", messages.Of(err))
	}
	return v, nil
}

// corpora reads the training texts and the validation texts.
func (c *trainModelsCmd) corpora(ctx context.Context, s streams, v *tokenizer.Vocabulary) (learn, valid *train.Corpus,
	err error) {
	fmt.Fprintln(s.err, say("train.reading", "folder", c.Data))
	load := func(split train.Split) (*train.Corpus, error) {
		return unless(ctx, func() (*train.Corpus, error) { return train.Load(c.Data, split, v, train.LongestLabelled) })
	}
	if learn, err = load(train.Train); err != nil {
		return nil, nil, err
	}
	if valid, err = load(train.Valid); err != nil {
		return nil, nil, err
	}
	fmt.Fprintln(s.err, say("train.pieces", "pieces", learn.Tokens()))
	return learn, valid, nil
}

// warn names the models whose loss is not below the floor: the loss, in nats, of knowing only how frequent tokens
// are.
func warn(s streams, results []checkpoint.Info, floor float64) {
	for _, r := range results {
		if c := (encoder.Config{Stack: r.Stack, Mechanism: r.Mechanism}); c.Stack != encoder.EncoderDecoder.ID &&
			r.Loss >= floor {
			fmt.Fprintln(s.err, say("train.short", "model", c.ID(), "loss", figures(r.Loss), "floor", figures(floor)))
		}
	}
}

func figures(loss float64) string { return fmt.Sprintf("%.3f", loss) }

// save writes a finished model into the folder of models.
func (c *trainModelsCmd) save(id string, data []byte) (err error) {
	name := id + checkpoint.Extension
	if c.Gzip {
		name += checkpoint.Compressed
		if data, err = checkpoint.Pack(data); err != nil {
			return err
		}
	}
	return disk.Replace(filepath.Join(c.Out, name), func(f io.Writer) error {
		_, err := f.Write(data)
		return err
	})
}

// headCommit returns the commit that is checked out here, with a plus if its files have changed.
func headCommit() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return version.Current()
	}
	commit := strings.TrimSpace(string(out))
	if changed, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); err == nil &&
		len(changed) > 0 {
		commit += "+"
	}
	return commit
}

// table prints the validation results.
func table(s streams, results []checkpoint.Info) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, strings.ReplaceAll(say("train.columns"), "\n", "\t")+"\t")
	for _, r := range results {
		score := func(tasks ...string) string {
			for _, task := range tasks {
				if p, ok := r.Score[task]; ok {
					return messages.Percent(p)
				}
			}
			return "–"
		}
		words := score("words", string(encoder.NextWord), "reverse")
		pairs := score(encoder.NextSentence.Name, encoder.SentenceOrder.Name)
		id := encoder.Config{Stack: r.Stack, Mechanism: r.Mechanism}.ID()
		fmt.Fprintf(w, "%s\t%.3f\t%s\t%s\t%s\t%s\t%d\t%d\t%.1f\t\n", id, r.Loss, words, score("topic"), score("feeling"),
			pairs, r.Params, r.Tokens, r.Minutes)
	}
	return w.Flush()
}

type trainVocabCmd struct {
	Data string `required:"" help:"vocab.data" placeholder:"DIR"`
	Out  string `default:"vocab.txt" help:"vocab.out"`
}

// Run learns a vocabulary with the method of the embedded one.
func (c *trainVocabCmd) Run(ctx context.Context, s streams) error {
	v, err := unless(ctx, func() (*tokenizer.Vocabulary, error) {
		return tokenizer.TrainFiles(tokenizer.Recipe(c.Data))
	})
	if err != nil {
		return err
	}
	if err := disk.Replace(c.Out, func(f io.Writer) error { return v.Save(f) }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, say("train.vocabulary", "file", c.Out, "pieces", v.Size()))
	return err
}
