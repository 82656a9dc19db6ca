package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/train"
)

type trainCmd struct {
	Models trainModelsCmd `cmd:"" default:"withargs" help:"Train the models that are named, or without names all mechanisms and no stack."`
	Vocab  trainVocabCmd  `cmd:"" help:"Learn a vocabulary."`
}

type trainModelsCmd struct {
	Mechanism []string `arg:"" optional:"" help:"Mechanisms and stacks, such as dense bert albert.linformer; without names all mechanisms are trained, and no stack."`
	Data      string   `required:"" help:"Folder with the data sets (stories/train.txt, …) or with .txt files of your own." placeholder:"DIR"`
	Out       string   `default:"runs/weights" help:"Folder for the finished models; viz serve --weights DIR shows them."`
	State     string   `default:"runs/state" help:"Folder for unfinished ones: a killed training goes on from there."`
	Steps     int      `default:"6000" help:"Batches to learn from. The shipped mechanisms had 6000, most stacks more: see the README."`
	Seed      uint64   `default:"1" help:"Seed of the first values and of the batches."`
	Parallel  int      `help:"Models to train at a time; without it, one for each core."`
	Threads   int      `default:"1" help:"Threads that share the batches of one model."`
	Gzip      bool     `help:"Compress the finished models, as the embedded ones are."`
	Commit    string   `hidden:"" help:"Commit of the training code."`

	Layers int    `help:"Layers; without it, as many as the shipped model has."`
	Width  int    `help:"Width d of the model; without it, the shipped model's."`
	Heads  int    `help:"Heads, which divide the width; without it, the shipped model's."`
	Norm   string `default:"" enum:",pre,post" help:"Where layers normalise: pre or post; without it, as the shipped model."`

	Positions string   `default:"" enum:",learned,sinusoidal,sinusoidal-halves,none" help:"How a model knows where words stand: learned, sinusoidal, sinusoidal-halves or none; without it, as the shipped model."`
	Option    []string `sep:"none" placeholder:"NAME=VALUE" help:"An option of the stack or of the mechanism, such as halting=accumulated; may be given several times. The pages of stacks and mechanisms list them. Where both have one of that name: stack.NAME or mixer.NAME."`
}

// plan is what the flags ask for.
func (c *trainModelsCmd) plan() (train.Plan, error) {
	p := train.Plan{
		Models: c.Mechanism, Seed: c.Seed, Steps: c.Steps, Threads: c.Threads, State: c.State,
		Changes: train.Changes{Layers: c.Layers, Width: c.Width, Heads: c.Heads, Norm: encoder.Norm(c.Norm), Positions: encoder.Positions(c.Positions)},
	}
	if c.Steps < 1 {
		return p, fmt.Errorf("--steps %d: at least 1 is needed", c.Steps)
	}
	for _, option := range c.Option {
		name, value, ok := strings.Cut(option, "=")
		if !ok {
			return p, fmt.Errorf("--option %s: it is written NAME=VALUE", option)
		}
		if slices.ContainsFunc(p.Changes.Options, func(o train.Option) bool { return o.Name == name }) {
			return p, fmt.Errorf("--option %s is given twice", name)
		}
		p.Changes.Options = append(p.Changes.Options, train.Option{Name: name, Value: value})
	}
	return p, nil
}

// Run trains, one mechanism for each core at a time, and prints the results.
func (c *trainModelsCmd) Run(ctx context.Context, s streams) error {
	plan, err := c.plan()
	if err != nil {
		return err
	}
	if c.Commit == "" {
		c.Commit = headCommit()
	}
	v := tokenizer.Default()
	jobs, err := plan.Jobs(v.Size())
	if err != nil {
		return err
	}
	length := encoder.Shipped("", v.Size()).Length
	fmt.Fprintln(s.err, "Reading", c.Data)
	learn, err := train.Load(c.Data, train.Train, v, length)
	if err != nil {
		return err
	}
	valid, err := train.Load(c.Data, train.Valid, v, length)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.err, "%d word pieces of running text\n", learn.Tokens())
	show := newProgress(s.err, len(jobs)*c.Steps)
	results, err := train.Session{
		Train: learn, Valid: valid, Parallel: c.Parallel, Commit: c.Commit, Progress: show.step, Finished: c.save,
	}.Run(ctx, jobs)
	show.done()
	if err != nil {
		return fmt.Errorf("%w (start the same command again to go on)", err)
	}
	return table(s, results)
}

// save writes a finished model into the folder for them.
func (c *trainModelsCmd) save(id string, data []byte) (err error) {
	name := id + checkpoint.Extension
	if c.Gzip {
		name += checkpoint.Compressed
		if data, err = checkpoint.Pack(data); err != nil {
			return err
		}
	}
	return train.Replace(filepath.Join(c.Out, name), func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

func headCommit() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return version()
	}
	return strings.TrimSpace(string(out))
}

// table prints the validation results.
func table(s streams, results []checkpoint.Info) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model\tloss\twords\ttopic\tfeeling\tpairs\tparameters\ttokens\tminutes\t")
	for _, r := range results {
		score := func(tasks ...string) string {
			for _, task := range tasks {
				if p, ok := r.Score[task]; ok {
					return fmt.Sprintf("%.1f %%", 100*p)
				}
			}
			return "–"
		}
		words := score("words", string(encoder.NextWord), "reverse")
		pairs := score(encoder.NextSentence.Name, encoder.SentenceOrder.Name)
		id := encoder.Config{Stack: r.Stack, Mechanism: r.Mechanism}.ID()
		fmt.Fprintf(w, "%s\t%.3f\t%s\t%s\t%s\t%s\t%d\t%d\t%.1f\t\n", id, r.Loss, words, score("topic"), score("feeling"), pairs, r.Params, r.Tokens, r.Minutes)
	}
	return w.Flush()
}

type trainVocabCmd struct {
	Data string `required:"" help:"Folder with the data sets." placeholder:"DIR"`
	Out  string `default:"vocab.txt" help:"File to write."`
}

// Run learns a vocabulary as the embedded one was learned.
func (c *trainVocabCmd) Run(s streams) error {
	v, err := tokenizer.TrainFiles(tokenizer.Recipe(c.Data))
	if err != nil {
		return err
	}
	if err := train.Replace(c.Out, func(f *os.File) error { return v.Save(f) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s: %d pieces\n", c.Out, v.Size())
	return err
}
