package webtest

import (
	"log/slog"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/results"
	"attnatlas/web"
	"attnatlas/web/site"
)

// ResultsServer returns a server with these results.
func ResultsServer(t testing.TB, r results.Results) *site.Server {
	t.Helper()
	s, err := web.New(site.Options{
		Inspector: &FakeEngine{}, Entries: attention.Catalog, Stacks: encoder.Stacks, Version: "test", Results: r,
		Info: func(id string) (*engine.ModelInfo, error) { return FakeInfo(id), nil }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FakeModel returns results with a training run for each loss.
func FakeModel(id string, losses ...float64) results.ModelResults {
	m := results.ModelResults{ID: id, Stack: id == "bert", Objective: "masked words", Layers: 2, Own: 2, Params: 1000000,
		Tokens: 41_000_000, Work: 1.2e14, CPU: 20.5, Rate: 0.001}
	for _, rate := range []float64{0.0005, 0.001} {
		m.Trials = append(m.Trials, checkpoint.Trial{Rate: rate, Steps: 3000, Loss: losses[0] + 500*rate})
	}
	for seed, loss := range losses {
		m.Runs = append(m.Runs, results.TrainingRun{Seed: uint64(seed), Loss: loss,
			Long:  map[string]float64{"128": loss - 0.125},
			Score: map[string]float64{"words": 0.25, "topic": 0.9, "feeling": 0.7}})
	}
	return m
}

// FakeResults returns plausible results.
func FakeResults() results.Results {
	r := results.New(
		FakeModel("dot-product", 4.00, 4.02, 4.04), FakeModel("random", 4.10, 4.11, 4.12), FakeModel("fixed-random", 5.7),
		FakeModel("dense", 3.9), FakeModel("fastformer", 5.5), FakeModel("poolingformer", 4.3), FakeModel("mixture-rv", 3.8),
		FakeModel("bert", 3.7),
	)
	r.Unigram, r.Chance = 6.25, map[string]float64{"words": 0.04, "words copied": 0.132, "topic": 0.1, "feeling": 0.446,
		"next sentence": 0.5}
	return r
}
