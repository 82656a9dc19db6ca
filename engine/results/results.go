package results

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"slices"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/train"
)

// New returns the results of models, with their summaries computed from their runs.
func New(models ...ModelResults) Results {
	for i := range models {
		models[i].summarise()
	}
	return Results{Version: version, Models: models}
}

// File is the name of the file of Results in a folder of weights.
const File = "results.json"

// Results are the results of a set of models.
type Results struct {
	Version int                `json:"version" doc:"Of this format: 1"`
	Unigram float64            `json:"unigram,omitempty" doc:"The loss, in nats for each word piece, of guessing hidden words by how often they are in the training texts; 0: not measured"`
	Chance  map[string]float64 `json:"chance,omitempty" doc:"By task, the share of right answers of who always gives the most frequent one"`
	Models  []ModelResults     `json:"models" doc:"Mechanisms in the order of the catalogue, then stacks, then stacks with other mechanisms"`
}

// ModelResults are the results of one model over its training runs.
type ModelResults struct {
	ID        string             `json:"id"`
	Stack     bool               `json:"stack" doc:"Whether it is a stack and no mechanism in the common encoder"`
	Paper     bool               `json:"paper,omitempty" doc:"Whether its options have the proportions of its paper. Such a model is measured and not embedded"`
	Options   map[string]string  `json:"options,omitempty" doc:"Options of the mechanism, where they differ from the usual ones"`
	Objective string             `json:"objective" doc:"What loss is of: masked words, next word, or transduction (the words of an answer)"`
	Layers    int                `json:"layers" doc:"Layers that run, one after the other"`
	Own       int                `json:"own" doc:"Layers with weights of their own"`
	Halts     bool               `json:"halts,omitempty" doc:"Whether a text may need fewer layers"`
	Length    int                `json:"length" doc:"Positions it was built for"`
	Params    int                `json:"params" doc:"Trained numbers"`
	Steps     int                `json:"steps" doc:"Batches it learned from"`
	Tokens    int                `json:"tokens" doc:"Word pieces seen in training"`
	Work      float64            `json:"work" doc:"About how many multiplications and additions its training took: three times a forward pass, four where layers are computed backwards"`
	CPU       float64            `json:"cpu,omitempty" doc:"CPU minutes of its training on one thread, extrapolated from steps that were taken alone; 0: not measured"`
	Rate      float64            `json:"rate,omitempty" doc:"Peak learning rate; 0: not recorded"`
	Trials    []checkpoint.Trial `json:"trials,omitempty" doc:"Of the rates among which it was chosen"`
	Loss      Spread             `json:"loss" doc:"On texts that it was not trained on, in nats for each word piece"`
	Long      map[string]Spread  `json:"long,omitempty" doc:"The loss on rows of so many word pieces"`
	Score     map[string]Spread  `json:"score" doc:"Shares of right answers, 0…1, by task"`
	// Gaps belong to the first training run.
	Gaps map[string]GapScore `json:"gaps,omitempty" doc:"How well it fills the gaps of sentences, by the name of their list; absent: not measured"`
	// Deletions belong to the first training run.
	Deletions []train.Deletion `json:"deletions,omitempty" doc:"How much classifiers need the word pieces that maps point at; absent: not measured"`
	Runs      []TrainingRun    `json:"runs" doc:"Its trainings, one for each seed"`
}

// Deletion is how much a classifier depends on the tokens that maps point at.
type Deletion = train.Deletion

// DeletedBy is the accuracy without the tokens that one map points at.
type DeletedBy = train.DeletedBy

// TrainingRun is one training run of a model.
type TrainingRun struct {
	Seed   uint64             `json:"seed"`
	Commit string             `json:"commit" doc:"Of the code that trained it"`
	Loss   float64            `json:"loss"`
	Long   map[string]float64 `json:"long,omitempty"`
	Score  map[string]float64 `json:"score"`
}

// Spread is a mean over seeds with its standard deviation.
type Spread struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd,omitempty" doc:"Sample standard deviation over the seeds; 0 where there is one"`
	N    int     `json:"n" doc:"Seeds"`
}

// spread returns the spread of values; there must be at least one.
func spread(values ...float64) Spread {
	s := Spread{N: len(values)}
	for _, v := range values {
		s.Mean += v / float64(s.N)
	}
	if s.N > 1 {
		squares := 0.0
		for _, v := range values {
			squares += (v - s.Mean) * (v - s.Mean)
		}
		s.SD = math.Sqrt(squares / float64(s.N-1))
	}
	return s
}

// spreads returns the spreads of values by name. A value counts only if all runs have it.
func spreads(runs []TrainingRun, values func(TrainingRun) map[string]float64) map[string]Spread {
	all := map[string]Spread{}
	for name := range values(runs[0]) {
		var list []float64
		for _, r := range runs {
			if v, ok := values(r)[name]; ok {
				list = append(list, v)
			}
		}
		if len(list) == len(runs) {
			all[name] = spread(list...)
		}
	}
	return all
}

// summarise computes the summaries from the runs.
func (m *ModelResults) summarise() {
	losses := make([]float64, len(m.Runs))
	for i, r := range m.Runs {
		losses[i] = r.Loss
	}
	m.Loss = spread(losses...)
	m.Long = spreads(m.Runs, func(r TrainingRun) map[string]float64 { return r.Long })
	m.Score = spreads(m.Runs, func(r TrainingRun) map[string]float64 { return r.Score })
}

// Find returns the model with this id, without the options of a paper, or nil.
func (r Results) Find(id string) *ModelResults { return r.find(id, false) }

func (r Results) find(id string, paper bool) *ModelResults {
	for i := range r.Models {
		if r.Models[i].ID == id && r.Models[i].Paper == paper {
			return &r.Models[i]
		}
	}
	return nil
}

// Rates returns the learning rates that were tried, ascending.
func (r Results) Rates() []float64 {
	var rates []float64
	for _, m := range r.Models {
		for _, t := range m.Trials {
			if !slices.Contains(rates, t.Rate) {
				rates = append(rates, t.Rate)
			}
		}
	}
	slices.Sort(rates)
	return rates
}

// TrialSteps returns the number of steps after which trials of learning rates were measured.
func (r Results) TrialSteps() int {
	for _, m := range r.Models {
		for _, t := range m.Trials {
			return t.Steps
		}
	}
	return 0
}

// mostBytes exceeds the size of results of all models.
const mostBytes = 64 << 20

// Read reads File in a folder. Without this file, it reads the results from the model files.
func Read(folder fs.FS) (Results, error) {
	text, err := disk.ReadIn(folder, File, mostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return FromCheckpoints(folder)
	} else if err != nil {
		return Results{}, err
	}
	var r Results
	if err := json.Unmarshal(text, &r); err != nil || r.Version != version {
		cause := ""
		if err != nil {
			cause = err.Error()
		}
		return r, messages.Errorf("results.format", "file", File, "version", version, "cause", cause)
	}
	return r, nil
}

// version is the version of the format.
const version = 1

// Encode returns the content of File.
func (r Results) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", " ")
	return append(text, '\n'), err
}
