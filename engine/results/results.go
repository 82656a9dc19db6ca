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
	Version int                `json:"version" doc:"Version of this format, 1"`
	Unigram float64            `json:"unigram,omitempty" doc:"Loss of the unigram baseline in nats per masked token; 0: not measured"`
	Chance  map[string]float64 `json:"chance,omitempty" doc:"Accuracy, 0…1, of a baseline without context, by task. It gives the most frequent answer; for “words copied”, it copies every token except [MASK]"`
	Models  []ModelResults     `json:"models" doc:"Mechanisms in the order of the catalogue, then architectures, then architectures with other mechanisms"`
}

// ModelResults are the results of one model over its training runs.
type ModelResults struct {
	ID           string             `json:"id" doc:"ID of the model"`
	Stack        bool               `json:"stack" doc:"Whether the model is an architecture; otherwise it is a mechanism in the common encoder"`
	Paper        bool               `json:"paper,omitempty" doc:"Whether the options have the proportions of the paper. Such a model is measured, but not bundled"`
	Options      map[string]string  `json:"options,omitempty" doc:"Options of the mechanism that are not the defaults"`
	Architecture map[string]string  `json:"architecture,omitempty" doc:"Options of the architecture that are not the defaults"`
	Objective    string             `json:"objective" doc:"Training objective that loss belongs to: masked words, next word, or transduction (the tokens of an answer)"`
	Layers       int                `json:"layers" doc:"Number of layers that a text passes through"`
	Own          int                `json:"own" doc:"Number of layers with weights of their own"`
	Halts        bool               `json:"halts,omitempty" doc:"Whether a text can need fewer layers"`
	Length       int                `json:"length" doc:"Number of positions the model was built for"`
	Params       int                `json:"params" doc:"Number of trained parameters"`
	Steps        int                `json:"steps" doc:"Number of training steps, each on one batch"`
	Tokens       int                `json:"tokens" doc:"Number of tokens seen in training"`
	Work         float64            `json:"work" doc:"Approximate number of multiplications and additions in training. It counts as three forward passes, or four if layers recompute their activations"`
	CPU          float64            `json:"cpu,omitempty" doc:"Training time on one thread in CPU minutes, extrapolated from training steps that were timed separately; 0: not measured"`
	Rate         float64            `json:"rate,omitempty" doc:"Peak learning rate; 0: not recorded"`
	Trials       []checkpoint.Trial `json:"trials,omitempty" doc:"Results of the learning rates from which rate was chosen"`
	Loss         Spread             `json:"loss" doc:"Validation loss in nats per token"`
	Long         map[string]Spread  `json:"long,omitempty" doc:"Validation loss on longer texts, by their number of tokens"`
	Score        map[string]Spread  `json:"score" doc:"Validation accuracy, 0…1, by task"`
	// Gaps are the results of the first training run.
	Gaps map[string]GapScore `json:"gaps,omitempty" doc:"Accuracy at filling in the gaps of sentences, by the name of the list; absent: not measured"`
	// Deletions are the results of the first training run.
	Deletions []train.Deletion `json:"deletions,omitempty" doc:"Accuracy of the classifiers without the tokens that maps point at; absent: not measured"`
	Runs      []TrainingRun    `json:"runs" doc:"Training runs of the model, one for each seed"`
}

// Deletion is how much a classifier depends on the tokens that maps point at.
type Deletion = train.Deletion

// DeletedBy is the accuracy without the tokens that one map points at.
type DeletedBy = train.DeletedBy

// TrainingRun is one training run of a model.
type TrainingRun struct {
	Seed   uint64             `json:"seed" doc:"Random seed of the training run"`
	Commit string             `json:"commit" doc:"Commit of the training code"`
	Loss   float64            `json:"loss" doc:"Validation loss in nats per token"`
	Long   map[string]float64 `json:"long,omitempty" doc:"Validation loss on longer texts, by their number of tokens"`
	Score  map[string]float64 `json:"score" doc:"Validation accuracy, 0…1, by task"`
}

// Spread is a mean over seeds with its standard deviation.
type Spread struct {
	Mean float64 `json:"mean" doc:"Mean over the seeds"`
	SD   float64 `json:"sd,omitempty" doc:"Sample standard deviation over the seeds; 0 for a single seed"`
	N    int     `json:"n" doc:"Number of seeds"`
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
	return decode(File, text)
}

// rank returns the position of a model in Results.Models. A model with the options of a paper follows the bundled one.
func (m ModelResults) rank() int {
	if m.Paper {
		return 2*rank(m.ID) + 1
	}
	return 2 * rank(m.ID)
}

func decode(name string, text []byte) (Results, error) {
	var r Results
	if err := json.Unmarshal(text, &r); err != nil || r.Version != version {
		cause := ""
		if err != nil {
			cause = err.Error()
		}
		return r, messages.Errorf("results.format", "file", name, "version", version, "cause", cause)
	}
	return r, nil
}

// Load reads results from a file of any name. Without the file, there are none.
func Load(name string) (Results, error) {
	text, err := disk.Read(name, mostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return Results{Version: version}, nil
	} else if err != nil {
		return Results{}, messages.Errorf("results.file", "file", name, "cause", messages.Of(err))
	}
	return decode(name, text)
}

// Update returns the results r with the models of newer replaced or added, and with its baselines. So one model can be
// measured again without the others. If a model is the same training as before, it keeps what was not measured again:
// its other seeds, its gaps and its CPU time.
func (r Results) Update(newer Results) Results {
	models := slices.Clone(newer.Models)
	for i := range models {
		if old := r.find(models[i].ID, models[i].Paper); old != nil && models[i].sameTraining(*old) {
			models[i].keep(*old)
		}
	}
	for _, m := range r.Models {
		if newer.find(m.ID, m.Paper) == nil {
			models = append(models, m)
		}
	}
	slices.SortStableFunc(models, func(a, b ModelResults) int { return a.rank() - b.rank() })
	newer.Models = models
	return newer
}

// sameTraining reports whether the first runs of two results are the same training: the same seed, tokens and measures.
func (m ModelResults) sameTraining(old ModelResults) bool {
	return len(m.Runs) > 0 && len(old.Runs) > 0 && m.Runs[0].Seed == old.Runs[0].Seed &&
		m.Tokens == old.Tokens && !m.Runs[0].Differs(old.Runs[0])
}

// keep adds what only the old results of the same training have.
func (m *ModelResults) keep(old ModelResults) {
	runs := slices.Clone(m.Runs)
	for _, run := range old.Runs {
		if !slices.ContainsFunc(runs, func(r TrainingRun) bool { return r.Seed == run.Seed }) {
			runs = append(runs, run)
		}
	}
	m.Runs = runs
	m.summarise()
	if m.Gaps == nil {
		m.Gaps = old.Gaps
	}
	if m.CPU == 0 {
		m.CPU = old.CPU
	}
}

// version is the version of the format.
const version = 1

// Encode returns the content of File.
func (r Results) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", " ")
	return append(text, '\n'), err
}
