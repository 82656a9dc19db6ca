package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
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

// model is the configuration that the flags ask for.
func (c *trainModelsCmd) model(id string, v *tokenizer.Vocabulary) (encoder.Config, error) {
	m := encoder.Shipped(id, v.Size())
	if c.Layers > 0 {
		m.Layers = c.Layers
	}
	if c.Width > 0 {
		m.Width, m.Inner = c.Width, 4*c.Width
	}
	if c.Heads > 0 {
		m.Heads = c.Heads
	}
	if c.Norm != "" {
		m.Norm = encoder.Norm(c.Norm)
	}
	if c.Positions != "" {
		m.Positions = encoder.Positions(c.Positions)
	}
	seen := map[string]bool{}
	for _, option := range c.Option {
		name, value, ok := strings.Cut(option, "=")
		if !ok {
			return m, fmt.Errorf("--option %s: it is written NAME=VALUE", option)
		}
		if seen[name] {
			return m, fmt.Errorf("--option %s is given twice", name)
		}
		seen[name] = true
		if err := m.Set(name, value); err != nil {
			return m, err
		}
	}
	return m, nil
}

// plan says how each of the models is to be trained. Whatever is wrong with one of them,
// also with its saved state, is said before any is trained.
func (c *trainModelsCmd) plan(ids []string, v *tokenizer.Vocabulary) ([]train.Options, error) {
	plan := make([]train.Options, len(ids))
	for i, id := range ids {
		m, err := c.model(id, v)
		plan[i] = train.Options{
			Model: m, Seed: c.Seed, Steps: c.Steps, Recipe: train.DefaultRecipe(), Threads: c.Threads,
			State: filepath.Join(c.State, id+".safetensors"), SaveEvery: 200,
		}
		if err == nil {
			_, err = train.New(plan[i])
		}
		if err != nil && len(ids) > 1 && len(c.Option) > 0 {
			return nil, fmt.Errorf("%s: %s (options are for all models that are named; one that needs others is trained by a command of its own)", id, messages.Of(err))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s", id, messages.Of(err))
		}
	}
	return plan, nil
}

// Run trains, one mechanism for each core at a time, and prints the results.
func (c *trainModelsCmd) Run(ctx context.Context, s streams) error {
	ids, err := c.mechanisms()
	if err != nil {
		return err
	}
	v := tokenizer.Default()
	plan, err := c.plan(ids, v)
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
	if c.Parallel <= 0 {
		c.Parallel = max(1, runtime.GOMAXPROCS(0)/max(1, c.Threads))
	}
	show := newProgress(s.err, len(ids)*c.Steps)
	results := make([]checkpoint.Info, len(ids))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.Parallel)
	for i, id := range ids {
		plan[i].Progress = show.step
		group.Go(func() error {
			var err error
			results[i], err = c.one(ctx, id, plan[i], learn, valid, show)
			return err
		})
	}
	err = group.Wait()
	show.done()
	if err != nil {
		return fmt.Errorf("%w (start the same command again to go on)", err)
	}
	return table(s, results)
}

func (c *trainModelsCmd) mechanisms() ([]string, error) {
	if c.Steps < 1 {
		return nil, fmt.Errorf("--steps %d: at least 1 is needed", c.Steps)
	}
	if len(c.Mechanism) == 0 {
		return engine.IDs(), nil
	}
	for _, id := range c.Mechanism {
		if _, _, err := encoder.Parse(id); err != nil {
			return nil, fmt.Errorf("no mechanism or stack is called %q; known are the mechanisms %s, the stacks %s, and both with a point between them",
				id, strings.Join(engine.IDs(), " "), strings.Join(encoder.StackIDs(), " "))
		}
	}
	for i, id := range c.Mechanism {
		if slices.Contains(c.Mechanism[:i], id) {
			return nil, fmt.Errorf("%s is named twice", id)
		}
	}
	return c.Mechanism, nil
}

func (c *trainModelsCmd) one(ctx context.Context, id string, o train.Options, learn, valid *train.Corpus, show *progress) (checkpoint.Info, error) {
	r, err := train.New(o)
	if err != nil {
		return checkpoint.Info{}, err
	}
	show.resume(r.Step)
	if err := r.Train(ctx, learn); err != nil {
		return checkpoint.Info{}, err
	}
	info, data, err := r.Finish(learn, valid, c.commit())
	if err != nil {
		return info, err
	}
	name := id + checkpoint.Extension
	if c.Gzip {
		name += checkpoint.Compressed
		if data, err = checkpoint.Pack(data); err != nil {
			return info, err
		}
	}
	return info, train.Replace(filepath.Join(c.Out, name), func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

var headCommit = sync.OnceValue(func() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return version()
	}
	return strings.TrimSpace(string(out))
})

func (c *trainModelsCmd) commit() string {
	if c.Commit != "" {
		return c.Commit
	}
	return headCommit()
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
