package results

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/train"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// texts returns a corpus of a few words.
func texts(t *testing.T) (learn, valid *train.Corpus) {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.txt"),
		[]byte(strings.Repeat("The cat sat on the mat because it was tired.\nThe dog saw the cat and ran home.\n\n",
			200)), 0o644))
	for split, c := range map[train.Split]**train.Corpus{train.Train: &learn, train.Valid: &valid} {
		var err error
		*c, err = train.Load(dir, split, tokenizer.Default(), train.LongestLabelled)
		must(t, err)
	}
	return learn, valid
}

// trained returns the files of tiny models: dense with two seeds, BERT with one, and Linformer with
// the slots of its paper.
func trained(t *testing.T, learn, valid *train.Corpus) fstest.MapFS {
	t.Helper()
	folder := fstest.MapFS{"README.md": {Data: []byte("not a model")}}
	for name, seed := range map[string]uint64{"dense": 1, "seeds/7/dense": 7, "bert": 1, "papers/linformer": 1} {
		changes := train.Changes{Layers: 1, Width: 16, Heads: 2}
		if name == "papers/linformer" {
			changes.Options = []train.Option{{Name: "slots", Value: "8"}}
		}
		c, err := changes.Model(name[strings.LastIndex(name, "/")+1:], tokenizer.Default().Size())
		must(t, err)
		o := train.Options{Model: c, Seed: seed, Steps: 3, Method: train.DefaultMethod()}
		r, err := train.New(o)
		must(t, err)
		must(t, r.Train(context.Background(), learn))
		_, data, err := r.Finish(t.Context(), learn, valid, "abc")
		must(t, err)
		folder[name+".safetensors"] = &fstest.MapFile{Data: data}
	}
	return folder
}

// TestMeasuredAsAfterTraining: measuring the files gives the same results as their training runs, and as
// stored in the files. Seeds are grouped, and wrong results in a file are detected.
func TestMeasuredAsAfterTraining(t *testing.T) {
	learn, valid := texts(t)
	folder := trained(t, learn, valid)
	told, err := FromCheckpoints(folder)
	must(t, err)
	session := Session{Learn: learn, Valid: valid, Measured: func(file string, run, told TrainingRun) {
		if run.Differs(told) {
			t.Errorf("%s: measured %+v, told %+v", file, run, told)
		}
	}}
	r, err := session.Measure(context.Background(), folder, nil)
	must(t, err)
	if r.Unigram <= 0 || r.Chance["words"] <= 0 {
		t.Errorf("floors: %v %v", r.Unigram, r.Chance)
	}
	r.Unigram, r.Chance = 0, nil
	if !reflect.DeepEqual(r, told) {
		t.Errorf("measured %+v\ntold %+v", r, told)
	}
	dense := r.Find("dense")
	if len(r.Models) != 3 || dense == nil || dense.Stack || !r.Find("bert").Stack || len(dense.Runs) != 2 ||
		dense.Runs[1].Seed != 7 {
		t.Fatalf("%+v", r.Models)
	}
	if r.Find("linformer") != nil || len(r.Sorted()) != 1 || !slices.Contains(r.Mechanisms(messages.English).IDs, "") {
		t.Error("a model with the options of a paper is taken for one that is shown")
	}
	a, b := dense.Runs[0].Loss, dense.Runs[1].Loss
	if a == b || math.Abs(dense.Loss.Mean-(a+b)/2) > 1e-12 || math.Abs(dense.Loss.SD-math.Abs(a-b)/math.Sqrt2) > 1e-12 {
		t.Errorf("%v and %v are summarised as %+v", a, b, dense.Loss)
	}
	if dense.Work <= 0 || dense.CPU != 0 || dense.Tokens < 3*1500 {
		t.Errorf("%+v", dense)
	}
	lie := told.Models[0].Runs[0]
	lie.Loss += 0.001
	if !lie.Differs(told.Models[0].Runs[0]) {
		t.Error("a loss that is 0.001 lower is taken for the same")
	}
}

// TestMeasureSome: only the named models are measured, with their times if there is a clock.
func TestMeasureSome(t *testing.T) {
	learn, valid := texts(t)
	folder := trained(t, learn, valid)
	now := time.Duration(0)
	session := Session{Learn: learn, Valid: valid, Steps: 2,
		Clock: func() time.Duration { now += time.Minute; return now }}
	r, err := session.Measure(context.Background(), folder, []string{"bert"})
	must(t, err)
	if len(r.Models) != 1 || r.Models[0].CPU != 1.5 {
		t.Errorf("%+v", r.Models)
	}
	if _, err := session.Measure(context.Background(), folder, []string{"gpt2"}); err == nil ||
		!strings.Contains(err.Error(), "“gpt2”") {
		t.Errorf("%v", err)
	}
	folder["gpt2.safetensors"] = &fstest.MapFile{Data: []byte("broken")}
	if _, err := session.Measure(context.Background(), folder, []string{"gpt2"}); err == nil ||
		!strings.Contains(err.Error(), "gpt2.safetensors") {
		t.Errorf("%v", err)
	}
	if told, err := FromCheckpoints(folder); err != nil || len(told.Models) != 3 {
		t.Errorf("with a broken file: %v, %d models", err, len(told.Models))
	}
}

// TestReadFile: results.json has priority over the models; another format is rejected.
func TestReadFile(t *testing.T) {
	r := sample()
	text, err := r.Encode()
	must(t, err)
	got, err := Read(fstest.MapFS{File: {Data: text}})
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%v: %+v, was %+v", err, got, r)
	}
	for _, wrong := range []string{"{", `{"version": 2}`} {
		if _, err := Read(fstest.MapFS{File: {Data: []byte(wrong)}}); err == nil || !strings.Contains(err.Error(), File) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// sample returns two mechanisms with three seeds, one with one seed, one with the options of its
// paper, and an architecture.
func sample() Results {
	r := Results{Version: version, Unigram: 6.5, Chance: map[string]float64{"words": 0.04, "topic": 0.1}}
	for id, losses := range map[string][]float64{"dot-product": {4.00, 4.02, 4.04}, "mixture-rv": {3.90, 3.91, 3.92},
		"random": {4.2}, "bert": {3.8}, "linformer": {4.3}} {
		m := ModelResults{ID: id, Paper: id == "linformer", Options: map[string]string{"slots": "64"}, Stack: id == "bert", Objective: string(encoder.MaskedWords), Layers: 2, Own: 2,
			Params: 1234567, Tokens: 12_300_000, Work: 2e13}
		for i, loss := range losses {
			m.Runs = append(m.Runs, TrainingRun{Seed: uint64(i + 1), Loss: loss,
				Score: map[string]float64{"words": 0.25, "topic": 0.9}})
		}
		m.summarise()
		m.Long = nil
		r.Models = append(r.Models, m)
	}
	slices.SortFunc(r.Models, func(a, b ModelResults) int { return rank(a.ID) - rank(b.ID) })
	return r
}

// TestReadme: the tables replace only the text between markers. Unmatched markers are rejected.
func TestReadme(t *testing.T) {
	text := "before\n<!-- results: mechanisms -->\nold\n<!-- results end -->\nbetween\n<!-- results: stacks --><!-- results end -->" +
		"\n<!-- results: short -->\n<!-- results end -->"
	text = strings.Replace(text, "stacks -->", "stacks -->\n", 1)
	got, err := sample().Readme(text, messages.English)
	must(t, err)
	again, err := sample().Readme(got, messages.English)
	if err != nil || again != got {
		t.Errorf("written again: %v\n%s", err, again)
	}
	for _, want := range []string{"before\n<!--", "3.910 ± 0.010 | 25.0 ± 0.0 % |", "loss of 6.500", "\nbetween\n",
		"| 3.800 |", "mean ± sample", "| 1 | slots = 64, order",
		"\n| Learned random | 4.200 | 25.0 % | 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "old") || strings.Index(got, "3.910") > strings.Index(got, "4.020") {
		t.Errorf("%s", got)
	}
	for _, wrong := range []string{"", "<!-- results: nothing -->\n<!-- results end -->", "<!-- results: stacks -->\n"} {
		if _, err := sample().Readme(wrong, messages.English); err == nil {
			t.Errorf("%q is no text with marks", wrong)
		}
	}
}

// TestCompare: a difference counts if it exceeds the noise of seeds.
func TestCompare(t *testing.T) {
	paper := Paper{Measure: Loss, Rows: []PaperRow{{"V", "dot-product", 20}, {"RV", "mixture-rv", 21}, {"R", "random", 19},
		{"D", "dense", 30}}, Claims: []PaperClaim{
		{Quote: "q", Better: []string{"random"}, Than: "dot-product"},
		{Quote: "l", Better: []string{"random"}, Than: "dot-product", Level: true},
	}}
	verdicts := func(r Results) (all []Verdict) {
		for _, c := range r.Compare(paper) {
			all = append(all, c.Verdict)
		}
		return all
	}
	r := sample()
	if got := verdicts(r); !slices.Equal(got, []Verdict{Agrees, Agrees, Disagrees, Disagrees}) {
		t.Errorf("%v", got)
	}
	if c := r.Compare(paper)[0]; math.Abs(c.Ours-0.11) > 1e-9 || c.Theirs != 1 ||
		math.Abs(c.Noise-2*math.Sqrt((0.02*0.02+0.01*0.01)/3)) > 1e-9 {
		t.Errorf("%+v", c)
	}
	paper.Least = 1.5
	if got := verdicts(r); !slices.Equal(got, []Verdict{Tied, Tied, Disagrees, Disagrees}) {
		t.Errorf("%v", got)
	}
	paper.Least = 1
	near := sample()
	near.Find("random").Loss.Mean = 4.02 + 0.01 // one seed: its deviation counts as 0.02
	near.Find("mixture-rv").Loss.Mean = 4.02 + 0.03
	if got := verdicts(near); !slices.Equal(got, []Verdict{Disagrees, Open, Open, Agrees}) {
		t.Errorf("%v", got)
	}
	single := near
	single.Models = slices.Clone(near.Models)
	for i := range single.Models {
		single.Models[i].Loss.N, single.Models[i].Loss.SD = 1, 0
	}
	if c := single.Compare(paper)[0]; math.Abs(c.Noise-2*math.Sqrt2*AssumedLoss) > 1e-9 {
		t.Errorf("%+v", c)
	}
}

// TestUneven: models that saw more tokens are not compared with others, and a note states it.
func TestUneven(t *testing.T) {
	paper := Paper{Measure: Loss, Rows: []PaperRow{{"V", "dot-product", 20}, {"RV", "mixture-rv", 21},
		{"R", "random", 19}}}
	r := sample()
	said := func() bool {
		return slices.Contains(r.Floors(messages.English), messages.English.T("results.floor.uneven"))
	}
	if len(r.Compare(paper)) != 2 || said() {
		t.Errorf("%d comparisons of models that saw the same; said: %v", len(r.Compare(paper)), said())
	}
	r.Find("mixture-rv").Tokens = 2 * max(r.Find("dot-product").Tokens, 1)
	if got := r.Compare(paper); len(got) != 1 || got[0].Model != "random" || !said() {
		t.Errorf("%+v; said: %v", got, said())
	}
}

// TestPapers: every row of a paper names one of our models, and every figure has a source.
func TestPapers(t *testing.T) {
	for _, p := range Papers() {
		if p.Citation == "" || p.Table == "" || p.Found == "" || p.Gap == "" || len(p.Rows) < 2 || p.Measure == "" {
			t.Errorf("%+v", p)
		}
		ids := []string{}
		for _, row := range p.Rows {
			ids = append(ids, row.Model)
			if row.Value < 20 || row.Value > 100 {
				t.Errorf("%s: %v %s", row.Name, row.Value, p.Unit)
			}
		}
		for _, c := range p.Claims {
			ids = append(append(ids, c.Than), c.Better...)
			if c.Quote == "" {
				t.Errorf("%s: a claim without its words", p.ID)
			}
		}
		for _, id := range ids {
			if rank(id) < 0 || Name(id).String() == id {
				t.Errorf("%s: there is no %s", p.ID, id)
			}
		}
	}
}

// TestOrder covers names and order of models.
func TestOrder(t *testing.T) {
	ids := []string{"albert.linformer", "gpt2", "bert", "fastformer", "dot-product"}
	slices.SortFunc(ids, func(a, b string) int { return rank(a) - rank(b) })
	if got := fmt.Sprint(ids); got != "[dot-product fastformer bert gpt2 albert.linformer]" {
		t.Error(got)
	}
	if got := Name("albert.linformer").String(); got != "ALBERT with Linformer" {
		t.Error(got)
	}
	if folders := []string{"seeds/10", "seeds/2"}; bySeed(folders[0], folders[1]) <= 0 {
		t.Error("seed 10 stands before seed 2")
	}
}

// TestUpdate: a model that is measured again replaces the old one, and keeps the seeds, gaps and CPU time that were not
// measured again, if it is the same training.
func TestUpdate(t *testing.T) {
	model := func(id string, losses ...float64) ModelResults {
		m := ModelResults{ID: id, Tokens: 100}
		for i, loss := range losses {
			m.Runs = append(m.Runs, TrainingRun{Seed: uint64(i + 1), Loss: loss})
		}
		return m
	}
	dense, paper := model("dense", 3, 4, 5), model("linformer", 2)
	dense.CPU, dense.Gaps, paper.Paper = 7, map[string]GapScore{"english": {Sentences: 2}}, true
	old := New(model("bert", 1), dense, paper)
	got := old.Update(New(model("linformer", 9), model("dense", 3)))
	var ids []string
	for _, m := range got.Models {
		ids = append(ids, m.ID)
	}
	if !slices.Equal(ids, []string{"dense", "linformer", "linformer", "bert"}) || got.Models[1].Paper || !got.Models[2].Paper {
		t.Errorf("%v", ids)
	}
	if m := got.Find("dense"); m.Loss.N != 3 || m.Loss.Mean != 4 || m.CPU != 7 || m.Gaps["english"].Sentences != 2 {
		t.Errorf("the same training lost results: %+v", m)
	}
	got = old.Update(New(model("dense", 3.5)))
	if m := got.Find("dense"); m.Loss.N != 1 || m.CPU != 0 || m.Gaps != nil {
		t.Errorf("another training has results of the old one: %+v", m)
	}
}

// TestOptionsIn: options of an architecture stand before those of its mechanism, which is named; the defaults count, too.
func TestOptionsIn(t *testing.T) {
	for id, want := range map[string]string{
		"dot-product": "", "albert": "groups = 2, inner = 1", "bigbird": "block = 2, random = 1, seed = 0",
		"albert.bigbird": "groups = 2, inner = 1; BigBird: block = 2, random = 1, seed = 0", "nothing": "",
	} {
		m := ModelResults{ID: id, Options: map[string]string{"block": "2"}, Architecture: map[string]string{"groups": "2"}}
		if got := m.OptionsIn(messages.English); got != want {
			t.Errorf("%s: %q, not %q", id, got, want)
		}
	}
}
