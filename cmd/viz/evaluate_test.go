package main

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/engine/results"
)

// TestTablesSayTheResults: the tables of the documents have the numbers of results.json next to the bundled weights.
// viz evaluate --readme README.md,docs/models.md writes them.
func TestTablesSayTheResults(t *testing.T) {
	r, err := results.Shipped()
	must(t, err)
	for _, name := range []string{"README.md", "docs/models.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		must(t, err)
		want, err := r.Readme(string(text), messages.English)
		must(t, err)
		if want != string(text) {
			t.Errorf("the tables of %s are not those of results.json; viz evaluate --readme %s writes them", name, name)
		}
	}
}

// TestShippedResultsAreOfTheWeights: results.json has all bundled models, with the training data of their files, and
// otherwise only models with the options of papers.
func TestShippedResultsAreOfTheWeights(t *testing.T) {
	folder, err := weights{}.folder()
	must(t, err)
	told, err := results.FromCheckpoints(folder)
	must(t, err)
	r, err := results.Shipped()
	must(t, err)
	r.Models = slices.DeleteFunc(r.Models, func(m results.ModelResults) bool { return m.Paper })
	if len(told.Models) == 0 || len(r.Models) != len(told.Models) {
		t.Errorf("%d models are embedded, results.json has %d; viz evaluate ID --data DIR --weights engine/checkpoint/weights --gaps engine/gaps/english.tsv --time 20 --json engine/checkpoint/weights/results.json adds one", len(told.Models), len(r.Models))
	}
	for _, m := range told.Models {
		got := r.Find(m.ID)
		if got == nil || got.Params != m.Params || got.Tokens != m.Tokens || got.Rate != m.Rate ||
			got.Runs[0].Commit != m.Runs[0].Commit || !maps.Equal(got.Options, m.Options) ||
			!maps.Equal(got.Architecture, m.Architecture) {
			t.Errorf("%s is another training in results.json", m.ID)
		}
	}
}

// TestEvaluate: models are measured with data, and written results are read without data.
func TestEvaluate(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(data, "a.txt"),
		[]byte(strings.Repeat("The cat sat on the mat because it was tired.\nThe dog saw the cat and ran home.\n\n",
			200)), 0o644))
	for _, seed := range []string{"1", "2"} {
		out := dir
		if seed != "1" {
			out = filepath.Join(dir, "seeds", seed)
		}
		status, _, errs := viz(t, "train", "dense", "--layers", "1", "--width", "8", "--heads", "2", "--steps", "2", "--seed",
			seed, "--data", data, "--out", out, "--state", t.TempDir())
		if status != 0 {
			t.Fatal(errs)
		}
	}
	file, readme := filepath.Join(dir, "results.json"), filepath.Join(t.TempDir(), "R.md")
	must(t, os.WriteFile(readme, []byte("# R\n<!-- results: mechanisms -->\n<!-- results end -->\n"), 0o644))
	status, out, errs := viz(t, "evaluate", "--data", data, "--weights", dir, "--time", "1", "--json", file,
		"--readme", readme)
	if status != 0 || strings.Count(errs, "as stored in the file") != 2 {
		t.Fatal(status, out, errs)
	}
	for _, want := range []string{"Dense synthesizer", " ± ", "CPU minutes", "sample standard deviation",
		"predicting masked words from their frequency alone"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	var r results.Results
	raw, err := os.ReadFile(file)
	must(t, err)
	must(t, json.Unmarshal(raw, &r))
	if len(r.Models) != 1 || r.Models[0].Loss.N != 2 || r.Models[0].Loss.SD == 0 || r.Unigram == 0 {
		t.Errorf("%s", raw)
	}
	if text, err := os.ReadFile(readme); err != nil ||
		!strings.Contains(string(text), "| Dense synthesizer | "+r.Models[0].Loss.Nats()+" |") ||
		!strings.Contains(string(text), "| 2 | hidden = own |") {
		t.Errorf("%v: %s", err, text)
	}
	if status, again, errs := viz(t, "evaluate", "--weights", dir); status != 0 || again != out {
		t.Errorf("status %d, %s\nread again:\n%s\nwas:\n%s", status, errs, again, out)
	}
	list, filled := filepath.Join(t.TempDir(), "mats.tsv"), filepath.Join(t.TempDir(), "filled.json")
	must(t, os.WriteFile(list, []byte("The cat sat on the [MASK].\tmat floor\nThe [MASK] ran home.\txyzzyx\n"), 0o644))
	status, out, errs = viz(t, "evaluate", "--weights", dir, "--gaps", list, "--json", filled)
	if status != 0 || !strings.Contains(out, "Gaps (Mats): first prediction, first ten") ||
		!strings.Contains(errs, "2 sentences. For 1 of them") {
		t.Errorf("status %d\n%s\n%s", status, out, errs)
	}
	raw, err = os.ReadFile(filled)
	must(t, err)
	must(t, json.Unmarshal(raw, &r))
	if got := r.Models[0].Gaps["mats"]; got.Sentences != 2 || got.Ten > 0.5 || got.First > got.Ten {
		t.Errorf("%+v", got)
	}
	measureAnother(t, data, filled, r)
	must(t, os.WriteFile(list, []byte("no gap\tmat\n"), 0o644))
	if status, _, errs := viz(t, "evaluate", "--weights", dir, "--gaps", list); status != 1 ||
		!strings.Contains(errs, "line 1") {
		t.Errorf("status %d, %s", status, errs)
	}
	handler, err := weights{Weights: dir}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()
	if status, page := fetch(t, server.URL+"/results"); status != 200 ||
		!strings.Contains(page, r.Models[0].Loss.Nats()) || !strings.Contains(page, "your own models") {
		t.Errorf("status %d, the page has no %s", status, r.Models[0].Loss.Nats())
	}
	must(t, os.Remove(file))
	if status, told, errs := viz(t, "evaluate", "--weights", dir); status != 0 ||
		!strings.Contains(told, r.Models[0].Loss.Nats()) || strings.Contains(told, "CPU minutes") {
		t.Errorf("status %d, %s; the models' files tell\n%s", status, errs, told)
	}
	for _, wrong := range [][]string{{"dense"}, {"--time", "3"}, {"--weights", "/nowhere"},
		{"--data", data, "--weights", dir, "bert"}, {"dense", "--data", data, "--weights", dir, "--readme", readme}} {
		if status, _, errs := viz(t, append([]string{"evaluate"}, wrong...)...); status != 1 || errs == "" {
			t.Errorf("%v: status %d, %s", wrong, status, errs)
		}
	}
}

// measureAnother measures a model of another folder and writes to a file with results. The file keeps the others, and
// models stand in the order of the catalogue. A file that is no results stays as it is.
func measureAnother(t *testing.T, data, file string, was results.Results) {
	t.Helper()
	dir := t.TempDir()
	status, _, errs := viz(t, "train", "random", "--layers", "1", "--width", "8", "--heads", "2", "--steps", "2", "--data", data,
		"--out", dir, "--state", t.TempDir())
	if status != 0 {
		t.Fatal(errs)
	}
	command := []string{"evaluate", "random", "--data", data, "--weights", dir, "--json", file}
	status, out, errs := viz(t, command...)
	if status != 0 || !strings.Contains(out, "Dense synthesizer") {
		t.Fatal(status, out, errs)
	}
	raw, err := os.ReadFile(file)
	must(t, err)
	var now results.Results
	must(t, json.Unmarshal(raw, &now))
	if len(now.Models) != 2 || now.Models[0].ID != "random" || !reflect.DeepEqual(now.Models[1], was.Models[0]) {
		t.Errorf("%s", raw)
	}
	must(t, os.WriteFile(file, []byte("{"), 0o644))
	status, out, errs = viz(t, command...)
	if raw, err = os.ReadFile(file); status != 1 || out != "" || !strings.Contains(errs, filepath.Base(file)) || err != nil ||
		string(raw) != "{" {
		t.Errorf("status %d, %s; the file is now %s", status, errs, raw)
	}
}
