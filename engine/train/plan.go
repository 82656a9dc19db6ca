package train

import (
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
)

// Plan describes which models to train, and how.
type Plan struct {
	Models  []string // ids for encoder.Parse; none: all mechanisms
	Changes Changes
	Seed    uint64
	Steps   int
	Threads int    // threads of each training run
	State   string // folder for unfinished models; empty: nothing is saved
	Anew    bool   // begin from the first step even if the folder has a saved state
}

// Changes are the differences of a model from the bundled one with its id. Zero fields mean no
// difference.
type Changes struct {
	Layers, Width, Heads int
	Norm                 encoder.Norm
	Positions            encoder.Positions
	Options              []Option // options of the stack or of the mechanism
}

// Option is a chosen value of an option, with a name for encoder.Config.Set.
type Option struct{ Name, Value string }

// saveEvery is the number of steps between two saves of the state.
const saveEvery = 200

// Model returns the configuration of the bundled model with an id, with the changes.
func (ch Changes) Model(id string, vocab int) (encoder.Config, error) {
	c := encoder.Shipped(id, vocab)
	for _, m := range Shipped().Models {
		if m.ID != id {
			continue
		}
		m.setTasks(&c)
		if err := set(&c, m.chosen()); err != nil {
			return c, err
		}
	}
	if ch.Layers > 0 {
		c.Layers = ch.Layers
	}
	if ch.Width > 0 {
		c.Width, c.Inner = ch.Width, 4*ch.Width
	}
	if ch.Heads > 0 {
		c.Heads = ch.Heads
	}
	if ch.Norm != "" {
		c.Norm = ch.Norm
	}
	if ch.Positions != "" {
		c.Positions = ch.Positions
	}
	return c, set(&c, ch.Options)
}

// set sets options of a configuration.
func set(c *encoder.Config, options []Option) error {
	for _, o := range options {
		if err := c.Set(o.Name, o.Value); err != nil {
			return err
		}
	}
	return nil
}

// Job is the training of one model of a plan.
type Job struct {
	ID      string // from the plan, or the name of its file
	Options Options
	Sweep   *Sweep // chooses Options.Method.Rate; nil: the rate is fixed
}

// steps returns the number of steps of the job and its trials, one of which the job continues.
func (j Job) steps() int {
	if j.Sweep == nil || j.Options.Seed != j.Sweep.Seed {
		return j.Options.Steps
	}
	return j.Options.Steps + (len(j.Sweep.Rates)-1)*j.Sweep.Steps
}

// Steps returns the number of steps of all jobs.
func Steps(jobs []Job) int {
	n := 0
	for _, j := range jobs {
		n += j.steps()
	}
	return n
}

// Jobs returns the training runs of the plan's models, in their order. It fails if any of them is invalid, including
// its saved state.
func (p Plan) Jobs(vocab int) ([]Job, error) {
	ids, err := p.ids()
	if err != nil {
		return nil, err
	}
	jobs := make([]Job, len(ids))
	for i, id := range ids {
		c, err := p.Changes.Model(id, vocab)
		o := Options{Model: c, Seed: p.Seed, Steps: p.Steps, Method: DefaultMethod(), Threads: p.Threads, Anew: p.Anew}
		if p.State != "" {
			o.State, o.SaveEvery = filepath.Join(p.State, id+checkpoint.Extension), saveEvery
		}
		if err == nil {
			_, err = New(o)
		}
		if err != nil {
			return nil, p.refuse(id, err)
		}
		jobs[i] = Job{ID: id, Options: o}
	}
	return jobs, nil
}

// refuse is the error of one model of the plan.
func (p Plan) refuse(id string, cause error) error {
	text := "training.model"
	if len(p.Models) != 1 && len(p.Changes.Options) > 0 {
		text = "training.models"
	}
	return messages.Errorf(text, "model", id, "why", messages.Of(cause))
}

// ids returns the ids of the models, each once.
func (p Plan) ids() ([]string, error) {
	if len(p.Models) == 0 {
		return attention.IDs(), nil
	}
	for i, id := range p.Models {
		if _, _, err := encoder.Parse(id); err != nil {
			return nil, unknownModel(id)
		}
		if slices.Contains(p.Models[:i], id) {
			return nil, messages.Errorf("training.twice", "model", id)
		}
	}
	return p.Models, nil
}

func unknownModel(id string) error {
	return messages.Errorf("training.unknown", "model", messages.Quote(id), "mechanisms",
		strings.Join(attention.IDs(), " "), "stacks", strings.Join(encoder.StackIDs(), " "))
}
