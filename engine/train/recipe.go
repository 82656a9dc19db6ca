package train

import (
	"bytes"
	_ "embed"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"

	"github.com/BurntSushi/toml"
)

// Recipe describes how a set of models is trained. It is read from a file; recipe.toml is the recipe of the bundled
// models.
type Recipe struct {
	Steps  int           `toml:"steps"`
	Rates  []float64     `toml:"rates"`  // learning rates to try first; empty: AdamW.Rate for all
	Trial  int           `toml:"trial"`  // number of steps of each trial
	Length int           `toml:"length"` // number of positions of the models
	Models []ModelRecipe `toml:"model"`
	Method
}

// ModelRecipe is the part of a recipe for a single model.
type ModelRecipe struct {
	ID      string            `toml:"id"`
	Seeds   []uint64          `toml:"seeds"`  // one training run each; the first model is bundled. Empty: seed 1
	Steps   int               `toml:"steps"`  // 0: as in the recipe
	Length  int               `toml:"length"` // 0: as in the recipe
	Layers  int               `toml:"layers"` // as in Changes; 0: as in the bundled model
	Width   int               `toml:"width"`
	Heads   int               `toml:"heads"`
	Options map[string]string `toml:"options"` // options of the stack or of the mechanism
	Tasks   []string          `toml:"tasks"`   // tasks of an encoder–decoder
}

//go:embed recipe.toml
var shippedRecipe []byte

// Shipped returns the recipe of the bundled models.
func Shipped() Recipe { return parsedRecipe() }

var parsedRecipe = sync.OnceValue(func() Recipe {
	r, err := ParseRecipe(shippedRecipe)
	if err != nil {
		panic("train: recipe.toml: " + err.Error())
	}
	return r
})

// MostRecipeBytes is the largest size in bytes of a recipe file.
const MostRecipeBytes = 1 << 20

// ParseRecipe parses a recipe and rejects values that no training can have.
func ParseRecipe(text []byte) (Recipe, error) {
	var r Recipe
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(&r)
	if err != nil {
		return r, messages.Errorf("recipe.format", "cause", err.Error())
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return r, messages.Errorf("recipe.key", "key", messages.Quote(unknown[0].String()))
	}
	return r, r.check()
}

func (r Recipe) check() error {
	switch {
	case r.Steps < 1 || r.Length < 1 || r.Rate <= 0 || slices.Min(append(slices.Clone(r.Rates), 1)) <= 0:
		return messages.Errorf("recipe.positive")
	case len(r.Rates) > 0 && (r.Trial < 1 || r.Trial >= r.Steps):
		return messages.Errorf("recipe.trial", "trial", r.Trial, "steps", r.Steps)
	case len(r.Phases) == 0 || r.Phases[0].From != 0:
		return messages.Errorf("recipe.phases")
	case r.Round < 0 || r.Round > 1:
		return messages.Errorf("recipe.round")
	}
	for i, p := range r.Phases {
		if i > 0 && p.From <= r.Phases[i-1].From || p.From >= 1 || len(p.Lengths) == 0 ||
			slices.Min(p.Lengths) < shortestRow {
			return messages.Errorf("recipe.phase", "number", i+1, "least", shortestRow)
		}
		if set, unknown := p.unknownSet(); unknown {
			return messages.Errorf("recipe.set", "number", i+1, "set", messages.Quote(set))
		}
	}
	for i, m := range r.Models {
		if len(m.Seeds) > mostSeeds {
			return messages.Errorf("recipe.seeds", "model", m.ID, "seeds", len(m.Seeds), "most", mostSeeds)
		}
		if slices.ContainsFunc(r.Models[:i], func(o ModelRecipe) bool { return o.ID == m.ID }) {
			return messages.Errorf("training.twice", "model", m.ID)
		}
	}
	return nil
}

// mostSeeds is the largest number of training runs of one model.
const mostSeeds = 1000

// shortestRow is a row of [CLS], one word and [SEP].
const shortestRow = 3

// model returns the configuration of a model of the recipe.
func (r Recipe) model(m ModelRecipe, vocab int) (encoder.Config, error) {
	if _, _, err := encoder.Parse(m.ID); err != nil {
		return encoder.Config{}, unknownModel(m.ID)
	}
	ch := Changes{Layers: m.Layers, Width: m.Width, Heads: m.Heads, Options: m.chosen()}
	c, err := ch.Model(m.ID, vocab)
	if err != nil {
		return c, err
	}
	c.Length = r.Length
	if m.Length > 0 {
		c.Length = m.Length
	}
	m.setTasks(&c)
	return c, nil
}

// setTasks gives a model the named tasks.
func (m ModelRecipe) setTasks(c *encoder.Config) {
	if len(m.Tasks) == 0 {
		return
	}
	c.Tasks = nil
	for _, name := range m.Tasks {
		c.Tasks = append(c.Tasks, encoder.Task{Name: name})
	}
}

// chosen returns the options in alphabetical order.
func (m ModelRecipe) chosen() (all []Option) {
	for _, name := range slices.Sorted(maps.Keys(m.Options)) {
		all = append(all, Option{name, m.Options[name]})
	}
	return all
}

// Jobs returns the training runs of the recipe, for the models with these ids or for all. The first
// seeds of all models come before the other seeds. The states are saved below the folder state.
func (r Recipe) Jobs(only []string, vocab int, state string) ([]Job, error) {
	for i, id := range only {
		if !slices.ContainsFunc(r.Models, func(m ModelRecipe) bool { return m.ID == id }) {
			return nil, messages.Errorf("recipe.model", "model", messages.Quote(id))
		}
		if slices.Contains(only[:i], id) {
			return nil, messages.Errorf("training.twice", "model", id)
		}
	}
	if state == "" && len(r.Rates) > 0 {
		return nil, messages.Errorf("recipe.state")
	}
	var first, more []Job
	for _, m := range r.Models {
		if len(only) > 0 && !slices.Contains(only, m.ID) {
			continue
		}
		jobs, err := r.jobs(m, vocab, state)
		if err != nil {
			return nil, messages.Errorf("training.model", "model", m.ID, "why", messages.Of(err))
		}
		first, more = append(first, jobs[0]), append(more, jobs[1:]...)
	}
	return append(first, more...), nil
}

// jobs returns the training runs of one model, one for each seed.
func (r Recipe) jobs(m ModelRecipe, vocab int, state string) ([]Job, error) {
	c, err := r.model(m, vocab)
	if err == nil {
		err = check(c)
	}
	if err != nil {
		return nil, err
	}
	o := Options{Model: c, Steps: r.Steps, Method: r.Method, SaveEvery: saveEvery}
	if m.Steps > 0 {
		o.Steps = m.Steps
	}
	seeds := m.Seeds
	if len(seeds) == 0 {
		seeds = []uint64{1}
	}
	var sweep *Sweep
	if len(r.Rates) > 0 {
		sweep = &Sweep{Rates: r.Rates, Steps: r.Trial, Seed: seeds[0], Folder: filepath.Join(state, "sweep", m.ID)}
	}
	var jobs []Job
	for i, seed := range seeds {
		o.Seed, o.Snapshots = seed, i == 0
		job := Job{ID: m.ID, Options: o, Sweep: sweep}
		if i > 0 {
			job.ID = filepath.Join("seeds", strconv.FormatUint(seed, 10), m.ID)
		}
		if state != "" {
			job.Options.State = filepath.Join(state, job.ID+checkpoint.Extension)
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// check rejects a model that cannot be built. It builds only shapes, which need no memory for weights.
func check(c encoder.Config) error {
	if err := c.Affordable(); err != nil {
		return err
	}
	if c.Stack == encoder.EncoderDecoder.ID {
		_, err := encoder.NewSeq2Seq(c.Shapes(), 1)
		return err
	}
	_, err := encoder.New(c.Shapes(), 1)
	return err
}
