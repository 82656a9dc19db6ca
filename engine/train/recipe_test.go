package train

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// anyPhase is a phase with all lengths, classes and pairs.
var anyPhase = Phase{Lengths: validLengths[:], Classes: true, Pairs: true}

// TestShippedRecipe: the recipe names every mechanism and every stack with a bundled model, and all
// its models can be built.
func TestShippedRecipe(t *testing.T) {
	r := Shipped()
	jobs, err := r.Jobs(nil, tokenizer.Default().Size(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, j := range jobs {
		ids = append(ids, j.ID)
		if j.Options.Model.Length < 256 && j.ID != encoder.EncoderDecoder.ID {
			t.Errorf("%s reads %d positions", j.ID, j.Options.Model.Length)
		}
	}
	for _, id := range append(attention.IDs(), encoder.StackIDs()...) {
		if _, shipped := checkpoint.Header(id); shipped && !slices.Contains(ids, id) {
			t.Errorf("engine/checkpoint/weights has a model of %[1]s, but nothing says how it was trained: add id = %[1]q to engine/train/recipe.toml", id)
		}
	}
	if slices.Contains(ids[len(r.Models):], "dense") || !slices.Contains(ids, filepath.Join("seeds", "3", "dense")) {
		t.Errorf("first seeds come first: %v", ids)
	}
}

func TestRecipeErrors(t *testing.T) {
	good := "steps = 10\nlength = 8\n[adamw]\nrate = 0.1\n[[phase]]\nfrom = 0.0\nlengths = [8]\n[[model]]\nid = \"dense\"\n"
	if _, err := ParseRecipe([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{"steps = 10", "steps = ten", "not a recipe"},
		{"steps = 10", "steps = 10\ncolour = 3", `“colour”`},
		{"steps = 10", "steps = 0", "above 0"},
		{"rate = 0.1", "rate = -1", "above 0"},
		{"steps = 10", "steps = 10\nrates = [1]\ntrial = 10", "fewer than all 10"},
		{"steps = 10", "steps = 10\nround = 2", "from 0 to 1"},
		{"from = 0.0", "from = 0.5", "begin at 0"},
		{"lengths = [8]", "lengths = [2]", "at least 3"},
		{"lengths = [8]", "lengths = [8]\ntexts = { tales = 1 }", `“tales”`},
		{"[[model]]", "[[phase]]\nfrom = 0.0\nlengths = [8]\n[[model]]", "phase 2"},
		{`id = "dense"`, "id = \"dense\"\n[[model]]\nid = \"dense\"", "twice"},
	} {
		if _, err := ParseRecipe([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.new, err)
		}
	}
	for _, c := range []struct{ old, new, only, state, says string }{
		{`id = "dense"`, `id = "densest"`, "", "s", "densest"},
		{`id = "dense"`, "id = \"dense\"\noptions = { depth = \"3\" }", "", "s", "depth"},
		{`"dense"`, `"dense"`, "bert", "s", `“bert”`},
		{"steps = 10", "steps = 10\nrates = [1]\ntrial = 5", "", "", "--state"},
	} {
		r, err := ParseRecipe([]byte(strings.Replace(good, c.old, c.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Jobs(strings.Fields(c.only), tokenizer.Default().Size(), c.state); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.new, err)
		}
	}
}

// smallRecipe returns a recipe with two models of one layer.
func smallRecipe(steps int) Recipe {
	r := Shipped()
	r.Steps, r.Rates, r.Trial, r.Length = steps, []float64{1e-5, 5e-3, 1e-4}, 6, 64
	r.Warmup, r.Phases, r.Round = 2, []Phase{{Lengths: []int{16}}}, 0.9
	r.Models = []ModelRecipe{{ID: "random", Seeds: []uint64{4, 9}}, {ID: "dense"}}
	return r
}

// finishRecipe runs a recipe to its end, but kills and restarts it after the given number of steps.
func finishRecipe(t *testing.T, r Recipe, c *Corpus, state string, every int) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for {
		jobs, err := r.Jobs(nil, c.Vocab.Size(), state)
		if err != nil {
			t.Fatal(err)
		}
		for i := range jobs { // a smaller model, for speed
			jobs[i].Options.Model.Layers, jobs[i].Options.Model.Width, jobs[i].Options.Model.Inner = 1, 16, 16
			jobs[i].Options.SaveEvery = 3
		}
		ctx, kill := context.WithCancel(t.Context())
		left := every
		s := Session{Train: c, Valid: c, Parallel: 1,
			Finished: func(id string, data []byte) error { files[id] = data; return nil },
			Progress: func(p Progress) {
				if left--; left == 0 {
					kill()
				}
			}}
		_, err = s.Run(ctx, jobs)
		kill()
		if err == nil {
			return files
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

// TestRecipeChoosesTheRate: trials run once, the training continues from the best trial, and other
// seeds use its rate. A recipe that is killed again and again gives the same files. The resulting
// models are stored without loss.
func TestRecipeChoosesTheRate(t *testing.T) {
	c := load(t, writeData(t), Train)
	c.Batches = 6
	r := smallRecipe(20)
	state := t.TempDir()
	files := finishRecipe(t, r, c, state, -1)
	killed := finishRecipe(t, r, c, t.TempDir(), 13)
	for id, data := range files {
		var config encoder.Config
		info, err := checkpoint.Describe(data, &config)
		if err != nil {
			t.Fatal(err)
		}
		if info.Rate < 5e-3 || len(info.Trials) < 4 || info.Trials[3].Rate != 1e-2 ||
			info.Trials[1].Loss >= info.Trials[0].Loss || info.Trials[1].Steps != 6 {
			t.Errorf("%s: rate %g of %v", id, info.Rate, info.Trials)
		}
		if other, err := checkpoint.Describe(killed[id], &config); err != nil || other.Loss != info.Loss {
			t.Errorf("%s: loss %v, of a training that was killed %v (%v)", id, info.Loss, other.Loss, err)
		}
	}
	other := r
	other.Rates = []float64{1e-5, 1e-4}
	jobs, err := other.Jobs([]string{"random"}, c.Vocab.Size(), state)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jobs[0].Sweep.choose(t.Context(), Session{Train: c, Valid: c}, jobs[0]); err == nil ||
		!strings.Contains(err.Error(), "other texts, options or steps") {
		t.Errorf("other rates have the outcome of these: %v", err)
	}
	if len(files) != 3 {
		t.Fatalf("%d models", len(files))
	}
	stored, err := checkpoint.Parse(files["dense"])
	if err != nil {
		t.Fatal(err)
	}
	trained := parse(t, filepath.Join(state, "dense"+checkpoint.Extension))
	for name, a := range stored.Arrays {
		for i, v := range a.Data {
			if d := math.Abs(float64(v - trained.Arrays[name].Data[i])); d > 1e-3*math.Abs(float64(v)) && d > 1e-6 {
				t.Fatalf("%s: %g was trained, %g is stored", name, trained.Arrays[name].Data[i], v)
			}
		}
	}
	if len(trained.Arrays[lossesKey].Data) != r.Steps {
		t.Errorf("%d losses of %d steps", len(trained.Arrays[lossesKey].Data), r.Steps)
	}
}

// TestRecipesOfTheRepository: every recipe is valid. The recipe of the papers' options has the
// bundled models with other options.
func TestRecipesOfTheRepository(t *testing.T) {
	read := func(name string) Recipe {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ParseRecipe(text)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := r.Jobs(nil, tokenizer.Default().Size(), "state"); err != nil {
			t.Error(name, err)
		}
		return r
	}
	shipped, papers := Shipped(), read("papers.toml")
	for i, m := range papers.Models {
		at := slices.IndexFunc(shipped.Models, func(o ModelRecipe) bool { return o.ID == m.ID })
		if at < 0 || maps.Equal(shipped.Models[at].Options, m.Options) {
			t.Errorf("model %d, %s, is not another configuration", i, m.ID)
		}
	}
	if shipped.Models, papers.Models = nil, nil; !alike(shipped, papers) {
		t.Error("papers.toml trains otherwise than recipe.toml")
	}
}

// TestSweepWidens: if the best rate is at an edge, a rate beyond that edge is tried. This ends when
// the best rate is not at an edge, or when enough rates were tried.
func TestSweepWidens(t *testing.T) {
	w := &Sweep{Rates: []float64{1, 2, 4}}
	trials := func(losses ...float64) (all []checkpoint.Trial) {
		for i, loss := range losses {
			all = append(all, checkpoint.Trial{Rate: []float64{1, 2, 4, 8, 16, 32, 64}[i], Loss: loss})
		}
		return all
	}
	for _, c := range []struct {
		trials []checkpoint.Trial
		want   []float64
	}{
		{trials(3, 2, 1), []float64{8}}, {trials(1, 2, 3), []float64{0.5}}, {trials(2, 1, 3), nil}, {trials(3, 2, 1, 2), nil},
		{trials(7, 6, 5, 4, 3, 2, 1), nil},
	} {
		if got := w.wider(c.trials); !slices.Equal(got, c.want) {
			t.Errorf("after %v: %v, want %v", c.trials, got, c.want)
		}
	}
}

func parse(t *testing.T, path string) *checkpoint.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSnapshots: snapshots hold the parameters at that time, from before the first step to the
// last.
func TestSnapshots(t *testing.T) {
	for _, steps := range []int{1, 5, 100, 20000} {
		at := SnapshotSteps(steps)
		if at[0] != 0 || at[len(at)-1] != steps || !slices.IsSorted(at) || steps == 20000 && len(at) != snapshots {
			t.Errorf("%d steps: %v", steps, at)
		}
	}
	c := load(t, writeData(t), Train)
	o := options(4)
	o.State, o.Snapshots = filepath.Join(t.TempDir(), "m"+checkpoint.Extension), true
	r := newRun(t, o)
	first := slices.Clone(r.Model.Params[0].Value.Data)
	if err := r.Train(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	for step, want := range map[int][]float32{0: asFloats(first), 4: asFloats(r.Model.Params[0].Value.Data)} {
		if got := parse(t, Snapshot(o.State, step)).Arrays[r.Model.Params[0].Name]; !slices.Equal(asFloats(got.Data), want) {
			t.Errorf("the snapshot of step %d is another", step)
		}
	}
}

func asFloats[E ~float32 | ~float64](data []E) []float32 {
	out := make([]float32, len(data))
	for i, v := range data {
		out[i] = float32(v)
	}
	return out
}

// TestPairsAreBalanced: no text of a pair has an odd number of quotation marks.
func TestPairsAreBalanced(t *testing.T) {
	dir := t.TempDir()
	line := "\"Where is he?\" she asked. \"I do not know. He went home,\" said the boy. It was late. The sun was low.\n"
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), bytes.Repeat([]byte(line), 60), 0o644); err != nil {
		t.Fatal(err)
	}
	c := load(t, dir, Train)
	mark, _ := c.Vocab.ID(`"`)
	marks := 0
	for step := range 40 {
		b := c.pairStep(1, step, anyPhase, true)
		if b.Pairs == nil {
			continue
		}
		for i, at := range b.At {
			b.IDs[at] = b.Targets[i]
		}
		count := map[[2]int]int{}
		n := len(b.IDs) / b.Count
		for i, id := range b.IDs {
			if id == mark {
				count[[2]int{i / n, b.Types[i]}]++
				marks++
			}
		}
		for where, k := range count {
			if k%2 != 0 {
				t.Fatalf("row and segment %v have %d marks", where, k)
			}
		}
	}
	if marks == 0 {
		t.Error("no pair has a quotation mark")
	}
}

// TestPaddedBatches: the loss of an encoder–decoder on a padded text equals its loss on that text
// alone.
func TestPaddedBatches(t *testing.T) {
	c := load(t, writeData(t), Train)
	m := smallSeq2Seq(t)
	f := c.phrases(longestText(m))
	texts := [][][]int{f.sentences[0][:2], f.sentences[0], f.sentences[1][:1]}
	longest := len(slices.Concat(f.sentences[0]...))
	padded, sum, words := seq2seqBatch{model: m, share: 1}, 0.0, 0.0
	for _, text := range texts {
		one := seq2seqBatch{model: m, share: 1}
		n := len(slices.Concat(text...))
		one.add(c.Vocab, text, n)
		padded.add(c.Vocab, text, longest)
		sum += float64(n+1) * lossOf(one)
		words += float64(n + 1)
	}
	padded.mask(c.Vocab)
	if got := lossOf(padded); math.Abs(got-sum/words) > 1e-5 {
		t.Errorf("loss %.6f of the padded batch, %.6f of its texts", got, sum/words)
	}
}

func lossOf(o Objective) float64 {
	all, _ := o.Loss(nn.NewPass(ad.NewTape()))
	return float64(all.Value.Data[0])
}
