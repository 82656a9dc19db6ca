package train

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// stackOptions returns the options of a small model of a stack.
func stackOptions(id string, steps int) Options {
	c := encoder.Shipped(id, tokenizer.Default().Size())
	c.Layers, c.Width, c.Inner, c.Heads = 2, 32, 32, 4
	if c.Embed > 0 {
		c.Embed = 16
	}
	o := options(steps)
	o.Model = c
	o.Method.Warmup, o.Method.Rate = 20, 2e-2
	return o
}

// follows reports whether the second text comes directly after the first in the corpus, on the same
// line.
func follows(x *pairIndex, first, second []int) bool {
	for _, rows := range x.rows {
		for _, r := range rows {
			if slices.Equal(x.ids[r.from:r.mid], first) && slices.Equal(x.ids[r.mid:r.to], second) {
				return true
			}
		}
	}
	return false
}

// TestPairBatches: rows are two texts with special tokens and segments. Half of them are in order;
// the others are as the objective requires.
func TestPairBatches(t *testing.T) {
	c := load(t, writeData(t), Train)
	v, x := c.Vocab, c.pairs()
	if x.count != 400 {
		t.Fatalf("%d pairs in 400 lines of two sentences", x.count)
	}
	for _, order := range []bool{false, true} {
		rows, true0 := 0, 0
		for step := range 20 {
			if step%3 == 2 {
				continue
			}
			b := c.pairStep(1, step, anyPhase, order)
			for i, at := range b.At { // restore the original text
				if id := b.IDs[at]; id == v.CLS() || id == v.SEP() {
					t.Fatal("a mark is hidden")
				}
				b.IDs[at] = b.Targets[i]
			}
			n := len(b.IDs) / b.Count
			for i, class := range b.Pairs {
				row := b.IDs[i*n:][:n]
				mid := slices.Index(row, v.SEP())
				if row[0] != v.CLS() || row[n-1] != v.SEP() || mid == n-1 {
					t.Fatalf("a row is %v", row)
				}
				for j, s := range b.Types[i*n:][:n] {
					if want := map[bool]int{true: 1}[j > mid]; s != want {
						t.Fatalf("position %d, behind the first [SEP] at %d, is in segment %d", j, mid, s)
					}
				}
				first, second := row[1:mid], row[mid+1:n-1]
				rows++
				if class == 0 {
					true0++
				}
				if class == 0 && !follows(x, first, second) || class == 1 && order && !follows(x, second, first) {
					t.Fatalf("a pair of class %d is %v, %v", class, first, second)
				}
			}
		}
		if share := float64(true0) / float64(rows); math.Abs(share-0.5) > 0.06 {
			t.Errorf("%.2f of the pairs are in order", share)
		}
	}
	schedule := c.Schedule(newRun(t, stackOptions("bert", 1)).Model, 1, Shipped().Phases)
	for step, pairs := range map[int]bool{24: false, 25: true, 26: false} {
		if b := schedule(step, 100).(textObjective); (b.Pairs != nil) != pairs || (b.Types != nil) != pairs {
			t.Errorf("batch %d of 100 is one of pairs: %v", step, !pairs)
		}
	}
}

// TestLossIsTheTasksOwn: a step reports the loss of the words alone, whatever else is trained, and
// a step lowers both losses.
func TestLossIsTheTasksOwn(t *testing.T) {
	c := load(t, writeData(t), Train)
	m := newRun(t, stackOptions("bert", 1)).Model
	b := c.Schedule(m, 1, Shipped().Phases)(25, 100).(textObjective)
	alone := b
	alone.Pairs = nil
	want := lossOf(alone)
	for _, parts := range []int{1, 3} {
		all, own := 0.0, 0.0
		for _, part := range b.Parts(parts) {
			x, y := part.Loss(nn.NewPass(ad.NewTape()))
			all, own = all+float64(x.Value.Data[0]), own+float64(y.Value.Data[0])
		}
		if math.Abs(own-want) > 1e-5 || all < own+1 {
			t.Errorf("%d parts: %.5f of words, not %.5f, and %.5f with their pairs", parts, own, want, all)
		}
	}
	var told []float64
	o := stackOptions("bert", 1)
	o.Progress = func(p Progress) { told = append(told, p.Loss) }
	if err := newRun(t, o).TrainOn(t.Context(), func(int, int) Objective { return b }); err != nil || len(told) != 1 ||
		math.Abs(told[0]-want) > 1e-5 {
		t.Errorf("a step tells %v, not %.5f: %v", told, want, err)
	}
}

// TestNextBatches: every target is the next token of its row. A row is a whole text with special
// tokens, or a part of a longer text. There are no targets in padding.
func TestNextBatches(t *testing.T) {
	c := load(t, writeData(t), Train)
	v := c.Vocab
	for step := range 6 {
		longest := []int{64, 12}[step%2]
		b := c.nextBatch(1, step, longest, nil)
		n := len(b.IDs) / b.Count
		asked := map[int]bool{}
		for i, at := range b.At {
			asked[at] = true
			if at%n == n-1 || b.Targets[i] != b.IDs[at+1] || b.Targets[i] == v.PAD() {
				t.Fatalf("batch %d: position %d is answered by %d", step, at, b.Targets[i])
			}
		}
		for row := 0; row < len(b.IDs); row += n {
			ids := b.IDs[row:][:n]
			end := slices.Index(append(slices.Clone(ids), v.PAD()), v.PAD())
			if n > longest || longest == 64 && (ids[0] != v.CLS() || ids[end-1] != v.SEP()) {
				t.Fatalf("batch %d has the row %s", step, v.Decode(ids))
			}
			for i := range end - 1 {
				if !asked[row+i] {
					t.Fatalf("batch %d: nothing is asked at %d", step, row+i)
				}
			}
		}
	}
}

// TestRowsAreWholeSentences: rows begin and end with sentences if there are enough of that length.
// Words of several tokens are masked as a whole.
func TestRowsAreWholeSentences(t *testing.T) {
	c := load(t, writeData(t), Train)
	s := &c.streams[0]
	n := s.starts[1] - s.starts[0]
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		if row := c.Vocab.Decode(s.cut(r, n)); !strings.HasPrefix(row, "the ") || !strings.HasSuffix(row, ".") {
			t.Errorf("a row of a sentence's length is %q", row)
		}
	}
	word := c.Vocab.EncodeIDs("xyzzyxes")
	if len(word) < 3 {
		t.Fatal("the word has too few pieces")
	}
	for range 40 {
		b := Batch{IDs: slices.Clone(word)}
		if b.mask(r, c.Vocab, usual, 0, len(word)); len(b.At) != 0 && len(b.At) != len(word) {
			t.Errorf("%d of %d pieces are hidden", len(b.At), len(word))
		}
	}
}

// TestPhasesChooseTexts: the shares of a phase determine the sets from which rows are drawn.
func TestPhasesChooseTexts(t *testing.T) {
	c := load(t, writeData(t), Train)
	for name, want := range map[string][]float64{"stories": {1, 0, 0}, "nothing": {1. / 3, 1. / 3, 1. / 3}} {
		if got := c.maskedShares(map[string]float64{name: 0.5}); !slices.Equal(got, want) {
			t.Errorf("%s: shares of %v", name, got)
		}
	}
}

// TestStacksLearn: the objectives of stacks can be learned with the schedule of viz train. Parts of
// its batches are enough.
func TestStacksLearn(t *testing.T) {
	dir := writeData(t)
	c, valid := load(t, dir, Train), load(t, dir, Valid)
	for _, x := range []struct {
		id, score string
		steps     int
		want      float64
	}{{"bert", encoder.SentenceOrder.Name, 200, 0.95}, {"gpt2", string(encoder.NextWord), 60, 0.3}} {
		o := stackOptions(x.id, x.steps)
		if x.id == "bert" {
			o.Model.Tasks = []encoder.Task{encoder.SentenceOrder}
		}
		r := newRun(t, o)
		schedule := c.Schedule(r.Model, 1, Shipped().Phases)
		for ; r.Step < x.steps; r.Step++ {
			r.step(schedule(r.Step, x.steps).Parts(4)[0])
		}
		res := evaluated(t, r, valid)
		if got, asked := res.Score[x.score]; got < x.want || !asked || res.Loss > 4 {
			t.Errorf("%s: loss %.3f, scores %v", x.id, res.Loss, res.Score)
		}
	}
}

// TestStackThreadsAgree: the parts of a batch with pairs add up to the batch.
func TestStackThreadsAgree(t *testing.T) {
	c := load(t, writeData(t), Train)
	losses := func(threads int) (l []float64) {
		o := stackOptions("bert", 6)
		o.Threads = threads
		o.Progress = func(p Progress) { l = append(l, p.Loss, p.Norm) }
		if err := newRun(t, o).Train(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		return l
	}
	one := losses(1)
	for i, l := range losses(3) {
		if math.Abs(l-one[i]) > 1e-3*math.Abs(one[i]) {
			t.Fatalf("step %d: loss or norm %v, with one thread %v", i/2+1, l, one[i])
		}
	}
}

// toy is a subject other than an encoder: one number that should become 3.
type toy struct{ w *nn.Param }

func (toy) Task() string            { return "toy" }
func (toy) Tokens() int             { return 7 }
func (x toy) Parts(int) []Objective { return []Objective{x} }
func (x toy) Loss(p *nn.Pass) (all, own *ad.Var) {
	all = ad.CrossEntropy(ad.Reshape(p.Use(x.w), 1, 2), []int{1})
	return all, all
}

// TestAnythingCanBeTrained: a run needs only parameters and objectives, and its state depends on
// its own configuration.
func TestAnythingCanBeTrained(t *testing.T) {
	o := Options{Steps: 40, Method: DefaultMethod(), SaveEvery: 10, State: filepath.Join(t.TempDir(), "toy.safetensors")}
	o.Method.Warmup, o.Method.Rate = 1, 0.1
	start := func(config any) (*Run, *nn.Param, error) {
		s := nn.NewScope(1)
		w := s.Param("w", nn.Zeros, 2)
		r, err := Start(o, Subject{ID: "toy", Config: config, Params: s.Params()})
		return r, w, err
	}
	r, w, err := start("one")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.TrainOn(context.Background(), func(int, int) Objective { return toy{w} }); err != nil {
		t.Fatal(err)
	}
	if w.Value.Data[1] < w.Value.Data[0]+1 || r.Tokens != 7*40 {
		t.Errorf("%v after %d tokens", w.Value.Data, r.Tokens)
	}
	if again, v, err := start("one"); err != nil || again.Step != 40 || v.Value.Data[1] != w.Value.Data[1] {
		t.Errorf("the state is not gone on from: %v", err)
	}
	if _, _, err := start("another"); err == nil {
		t.Error("the state of another configuration is accepted")
	}
}
