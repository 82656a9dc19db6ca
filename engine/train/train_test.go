package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// writeData makes small data sets: running text whose words follow a rule, and requests and
// sentiments that depend on one word.
func writeData(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var text, intents, feelings strings.Builder
	animals := []string{"cat", "dog", "bird", "fish"}
	for i := range 400 {
		a, b := animals[i%4], animals[i*7%4]
		fmt.Fprintf(&text, "The %s saw the %s. The %s was tired and the %s sat on the mat.\n", a, b, b, a)
		fmt.Fprintf(&intents, "%s\tx\tplease tell me of the %s today\n", []string{"travel", "banking"}[i%2],
			[]string{"flight", "money"}[i%2])
		fmt.Fprintf(&feelings, "%s\tx\tx\tthe film was %s\n", []string{"negative", "positive", "mixed"}[i%3],
			[]string{"bad", "good", "odd"}[i%3])
	}
	for _, split := range []Split{Train, Valid} {
		for path, content := range map[string]string{
			"stories/%s.txt": text.String(), "intents/%s.tsv": intents.String(), "feelings/%s.tsv": feelings.String(),
		} {
			path = filepath.Join(dir, fmt.Sprintf(path, split))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
				os.WriteFile(path, []byte(content), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func load(t *testing.T, dir string, s Split) *Corpus {
	t.Helper()
	c, err := Load(dir, s, tokenizer.Default(), 64)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func options(steps int) Options {
	v := tokenizer.Default()
	return Options{
		Model: encoder.Config{
			Mechanism: "dot-product", Layers: 1, Width: 32, Heads: 4, Inner: 32, Length: 64,
			Vocab: v.Size(), Norm: encoder.PreNorm, Tasks: encoder.Classifiers(),
		},
		Seed: 4, Steps: steps, Method: DefaultMethod(), SaveEvery: 1000,
	}
}

func newRun(t *testing.T, o Options) *Run {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEveryObjectiveIsLearned trains one objective at a time and then evaluates it.
func TestEveryObjectiveIsLearned(t *testing.T) {
	dir := writeData(t)
	c, valid := load(t, dir, Train), load(t, dir, Valid)
	for task, steps := range map[int]int{words: 80, 0: 150, 1: 150} {
		o := options(steps)
		o.Method.Warmup, o.Method.Rate = 20, 2e-2
		r := newRun(t, o)
		before := evaluated(t, r, valid)
		for ; r.Step < steps; r.Step++ {
			random := rand.New(rand.NewPCG(1, uint64(r.Step)))
			if task == words {
				r.step(c.wordBatch(random, 32, nil, usual).split(4)[0].objective(r.Model))
			} else {
				r.step(c.classBatch(random, task).objective(r.Model))
			}
		}
		after := evaluated(t, r, valid)
		if name := (Batch{Task: task}).objective(r.Model).Task(); task != words && after.Score[name] < 0.95 {
			t.Errorf("%s: %.3f of the answers are right, before training %.3f", name, after.Score[name], before.Score[name])
		}
		if task == words && (after.Score["words"] < 0.3 || after.Loss > 0.5*before.Loss) {
			t.Errorf("words: loss %.3f, before training %.3f; %.3f are right", after.Loss, before.Loss, after.Score["words"])
		}
	}
}

// TestKilledRunGoesOn: stopping at a step and starting again gives the same parameters as an
// uninterrupted run, bit for bit.
func TestKilledRunGoesOn(t *testing.T) {
	c := load(t, writeData(t), Train)
	whole := newRun(t, options(9))
	if err := whole.Train(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	o := options(9)
	o.State = filepath.Join(t.TempDir(), "state", "m.safetensors")
	ctx, kill := context.WithCancel(context.Background())
	o.Progress = func(p Progress) {
		if p.Step == 4 {
			kill()
		}
	}
	if err := newRun(t, o).Train(ctx, c); !errors.Is(err, context.Canceled) {
		t.Fatalf("a killed run ends with %v", err)
	}
	o.Progress = nil
	rest := newRun(t, o)
	if rest.Step != 4 {
		t.Fatalf("the run goes on at step %d, not 4", rest.Step)
	}
	if err := rest.Train(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	if rest.Tokens != whole.Tokens {
		t.Errorf("%d tokens, in one go %d", rest.Tokens, whole.Tokens)
	}
	for i, p := range whole.Model.Params {
		if !slices.Equal(p.Value.Data, rest.Model.Params[i].Value.Data) {
			t.Fatalf("%s differs from the run in one go", p.Name)
		}
	}
	o.Steps = 10
	if _, err := New(o); err == nil || !strings.Contains(err.Error(), "number of steps or threads, or other options") {
		t.Errorf("the state of another budget: %v", err)
	}
	if err := os.WriteFile(o.State, []byte("not a state"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := New(o); err == nil {
		t.Error("a damaged state is accepted")
	}
}

func TestBatchesDependOnSeedAndStepAlone(t *testing.T) {
	c := load(t, writeData(t), Train)
	same := func(a, b Batch) bool {
		return a.Task == b.Task && slices.Equal(a.IDs, b.IDs) && slices.Equal(a.At, b.At) &&
			slices.Equal(a.Targets, b.Targets)
	}
	for step := range 40 {
		if !same(c.Batch(1, step, anyPhase), c.Batch(1, step, anyPhase)) {
			t.Fatalf("batch %d differs when drawn again", step)
		}
		if same(c.Batch(1, step, anyPhase), c.Batch(2, step, anyPhase)) {
			t.Errorf("batch %d is the same for another seed", step)
		}
	}
}

// TestThreadsAgree: threads that share batches learn the same as one thread.
func TestThreadsAgree(t *testing.T) {
	c := load(t, writeData(t), Train)
	losses := func(threads int) (l []float64) {
		o := options(24)
		o.Threads = threads
		o.Progress = func(p Progress) { l = append(l, p.Loss, p.Norm) }
		if err := newRun(t, o).Train(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		return l
	}
	one := losses(1)
	for _, threads := range []int{2, 3} {
		for i, l := range losses(threads) {
			if math.Abs(l-one[i]) > 1e-3*math.Abs(one[i]) {
				t.Fatalf("%d threads, step %d: loss or norm %v, with one thread %v", threads, i/2+1, l, one[i])
			}
		}
	}
}

func TestSplitKeepsEverySequenceAndTarget(t *testing.T) {
	b := Batch{Task: words, Count: 5, IDs: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, At: []int{0, 3, 4, 9},
		Targets: []int{70, 71, 72, 73}}
	for n := 1; n < 8; n++ {
		var ids, targets, asked []int
		for _, p := range b.split(n) {
			for i, at := range p.At {
				asked = append(asked, p.IDs[at])
				targets = append(targets, p.Targets[i])
			}
			ids = append(ids, p.IDs...)
		}
		if !slices.Equal(ids, b.IDs) || !slices.Equal(targets, b.Targets) || !slices.Equal(asked, []int{1, 4, 5, 10}) {
			t.Errorf("%d parts: ids %v, questions %v, targets %v", n, ids, asked, targets)
		}
	}
}

func TestMaskedWordBatches(t *testing.T) {
	c := load(t, writeData(t), Train)
	v := tokenizer.Default()
	asked, shown, tokens := 0, 0, 0
	for step := range 200 {
		b := c.Batch(3, step, anyPhase)
		n := len(b.IDs) / b.Count
		for i := range b.Count {
			if row := b.IDs[i*n:][:n]; row[0] != v.CLS() || row[n-1] != v.SEP() {
				t.Fatalf("batch %d: a row is not [CLS] … [SEP]", step)
			}
		}
		if b.Task != words {
			if len(b.Targets) != b.Count {
				t.Fatalf("batch %d: %d classes for %d texts", step, len(b.Targets), b.Count)
			}
			continue
		}
		for i, at := range b.At {
			if at%n == 0 || at%n == n-1 || b.Targets[i] == v.MASK() {
				t.Fatalf("batch %d asks for a special token", step)
			}
			if b.IDs[at] == v.MASK() {
				shown++
			}
		}
		asked, tokens = asked+len(b.At), tokens+b.Tokens()
	}
	if share := float64(asked) / float64(tokens); share < 0.13 || share > 0.16 {
		t.Errorf("%.3f of the positions are asked for, not about %.2f", share, maskShare)
	}
	if share := float64(shown) / float64(asked); share < 0.77 || share > 0.83 {
		t.Errorf("%.3f of the questions show [MASK], not 0.8", share)
	}
}

func TestOwnText(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir, Train, tokenizer.Default(), 64); err == nil ||
		!strings.Contains(err.Error(), "neither data sets") {
		t.Errorf("an empty folder: %v", err)
	}
	path := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(path, []byte("Too short.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, Train, tokenizer.Default(), 64); err == nil || !strings.Contains(err.Error(), "at least 64") {
		t.Errorf("a short text: %v", err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("Once there was a river, and it was wide.\n"), 200),
		0o644); err != nil {
		t.Fatal(err)
	}
	c := load(t, dir, Train)
	for step := range len(taskSchedule) {
		if b := c.Batch(1, step, anyPhase); b.Task != words {
			t.Fatalf("batch %d asks for a class, but no text has one", step)
		}
	}
	if valid := load(t, dir, Valid); valid.Tokens() == 0 || valid.Tokens() > c.Tokens()/10 {
		t.Errorf("%d pieces are for validation, %d for training", valid.Tokens(), c.Tokens())
	}
}

func TestFinishReportsTheRoundedModel(t *testing.T) {
	dir := writeData(t)
	c, valid := load(t, dir, Train), load(t, dir, Valid)
	r := newRun(t, options(3))
	if err := r.Train(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	info, data, err := r.Finish(t.Context(), c, valid, "abc")
	if err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var config encoder.Config
	said, err := f.Describe(&config)
	if err != nil || said.Loss != info.Loss || config.Width != 32 || said.Commit != "abc" {
		t.Fatalf("the file says %+v, %+v, %v", said, config, err)
	}
	m, err := encoder.New(config, 99)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Restore(m.Params, f.Arrays); err != nil {
		t.Fatal(err)
	}
	if again, err := Evaluate(t.Context(), m, valid); err != nil || again.Loss != info.Loss {
		t.Errorf("the file's model has loss %v, its provenance says %v", again.Loss, info.Loss)
	}
	if info.Params != nn.Count(m.Params) {
		t.Errorf("%d parameters are claimed, there are %d", info.Params, nn.Count(m.Params))
	}
}

func TestRate(t *testing.T) {
	r := DefaultMethod()
	for step, want := range map[int]float64{0: r.Rate / 200, 199: r.Rate, 200: r.Rate, 1000: r.Rate * r.Floor} {
		if got := r.RateAt(step, 1000); got < want*0.999 || got > want*1.001 {
			t.Errorf("step %d: rate %g, not %g", step, got, want)
		}
	}
}

// TestUnigram: every source has its share of the rows, whatever its length. Every count is
// increased by one, so that the loss of a new word is finite.
func TestUnigram(t *testing.T) {
	c := load(t, writeData(t), Train)
	if len(c.streams) < 2 {
		t.Fatal("one source has no shares")
	}
	drawn, r := map[*stream]float64{}, rand.New(rand.NewPCG(1, 2))
	const rows = 200_000
	for range rows {
		drawn[c.pick(r, c.maskedShares(nil))] += 1.0 / rows
	}
	total, p := float64(c.Tokens()), map[int]float64{}
	for i := range c.streams {
		s := &c.streams[i]
		if got := c.drawn(i); math.Abs(got-drawn[s]) > 0.01 {
			t.Errorf("source %d is drawn with %g, not %g", i, drawn[s], got)
		}
		for _, id := range s.ids {
			p[id] += c.drawn(i) / float64(len(s.ids))
		}
	}
	want := 0.0
	for _, p := range p {
		want -= p * math.Log((total*p+1)/(total+float64(c.Vocab.Size())))
	}
	if got := c.Unigram(c); math.Abs(got-want) > 1e-9 || got <= 0 || got >= math.Log(float64(c.Vocab.Size())) {
		t.Errorf("%g, not %g", got, want)
	}
}

// evaluated returns the result of a model on texts.
func evaluated(t *testing.T, r *Run, valid *Corpus) Result {
	t.Helper()
	res, err := r.evaluate(t.Context(), valid)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestAStoppedMeasurement: measuring a model ends with the context, after at most one more batch.
func TestAStoppedMeasurement(t *testing.T) {
	dir := writeData(t)
	c, valid := load(t, dir, Train), load(t, dir, Valid)
	for _, o := range []Options{stackOptions("bert", 1), seq2seqOptions(1)} {
		r := newRun(t, o)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, data, err := r.Finish(ctx, c, valid, ""); !errors.Is(err, context.Canceled) || data != nil {
			t.Errorf("%s: %v, %d bytes", o.Model.Stack, err, len(data))
		}
	}
}

// TestFewLines: for a text that is too short, however few lines it has, the error says how much is
// missing.
func TestFewLines(t *testing.T) {
	for _, lines := range []int{1, 2, 19, 20} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(strings.Repeat("The cat sat on the mat.\n", lines)),
			0o644); err != nil {
			t.Fatal(err)
		}
		for _, split := range []Split{Train, Valid} {
			_, err := Load(dir, split, tokenizer.Default(), 64)
			if (err != nil || split == Valid) && !strings.Contains(fmt.Sprint(err), "has only") {
				t.Errorf("%d lines: %v", lines, err)
			}
		}
	}
}
