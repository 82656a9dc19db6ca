package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

const length = 24

// config returns the configuration of a small model of a mechanism.
func config(id string) encoder.Config {
	return encoder.Config{
		Mechanism: id, Layers: 2, Width: 16, Heads: 4, Inner: 16, Length: length, Vocab: tokenizer.Default().Size(),
		Norm: encoder.PreNorm, Tasks: []encoder.Task{{Name: "topic", Classes: []string{"a", "b", "c"}}},
	}
}

// file returns the checkpoint of an untrained model.
func file(t *testing.T, c encoder.Config) []byte {
	t.Helper()
	var params []*nn.Param
	if c.Stack == encoder.EncoderDecoder.ID {
		m, err := encoder.NewSeq2Seq(c, 1)
		if err != nil {
			t.Fatal(err)
		}
		params = m.Params
	} else {
		m, err := encoder.New(c, 1)
		if err != nil {
			t.Fatal(err)
		}
		params = m.Params
	}
	meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: c.Mechanism, Layers: c.Layers, Heads: c.Heads,
		Length: c.Length, Score: scores(c)})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := checkpoint.Write(&b, checkpoint.Arrays(params), meta, checkpoint.All(checkpoint.Single)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// source returns small untrained models of every mechanism except those in without.
func source(t *testing.T, without ...string) engine.CheckpointFinder {
	t.Helper()
	files := map[string][]byte{}
	for _, id := range engine.IDs() {
		files[id] = file(t, config(id))
	}
	for _, id := range without {
		delete(files, id)
	}
	return func(id string) ([]byte, bool) { data, ok := files[id]; return data, ok }
}

func inspect(t *testing.T, e *engine.Engine, r engine.Request) *engine.Report {
	t.Helper()
	rep, err := e.Inspect(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestInspectShowsEveryViewOfEveryMechanism(t *testing.T) {
	e := engine.NewFrom(source(t))
	rep := inspect(t, e, engine.Request{Text: "The cat sat on the mat.", Mechanisms: engine.IDs()})
	n := len(rep.Tokens)
	if n != 9 {
		t.Fatalf("%d tokens: %+v", n, rep.Tokens)
	}
	for _, m := range rep.Mechanisms {
		if m.Err != nil || len(m.Layers) != 2 || m.Heads != 4 || m.Model == nil {
			t.Fatalf("%s: %+v", m.ID, m)
		}
		for _, l := range m.Layers {
			for i, v := range m.Entry.Views {
				shown, ok := l.Find(v.Map)
				if !ok {
					t.Fatalf("%s, layer %d: no map %s", m.ID, l.Number, v.Map)
				}
				if err := fits(shown, n, 4, i == 0); err != nil {
					t.Errorf("%s %s: %v: axes %v, shape %v", m.ID, v.Map, err, shown.Roles(), shown.Value.Shape)
				}
			}
		}
		sum := 0.0
		for i, c := range m.Guesses[0].Classes {
			sum += c.P
			if i > 0 && c.P > m.Guesses[0].Classes[i-1].P {
				t.Errorf("%s: classes are not sorted: %+v", m.ID, m.Guesses)
			}
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("%s: class probabilities sum to %v", m.ID, sum)
		}
	}
}

// fits checks that the axes of a map have the lengths that their roles require. The main map of a mechanism must be a
// map of pairs.
func fits(m trace.Map, n, heads int, main bool) error {
	length := map[trace.Role]int{trace.Head: heads, trace.Query: n, trace.Key: n, trace.Token: n}
	roles := m.Roles()
	for i, role := range roles {
		if want, ok := length[role]; ok && m.Value.Dim(i) != want || role == trace.Batch {
			return fmt.Errorf("%v has %d entries, not %d", role, m.Value.Dim(i), want)
		}
	}
	if last := len(roles) - 1; main && (last < 1 || roles[last-1] != trace.Query || roles[last] != trace.Key) {
		return errors.New("the main map does not end with query and key")
	}
	return nil
}

func TestDefaultMechanisms(t *testing.T) {
	rep := inspect(t, engine.NewFrom(source(t)), engine.Request{Text: "a"})
	var ids []string
	for _, m := range rep.Mechanisms {
		ids = append(ids, m.ID)
	}
	if got := strings.Join(ids, " "); got != "dot-product random dense fastformer" {
		t.Error(got)
	}
}

// TestOneFailureLeavesTheOthers: for every reason why one mechanism cannot answer, another one still answers.
func TestOneFailureLeavesTheOthers(t *testing.T) {
	e := engine.NewFrom(source(t, "dense"))
	rep := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{"telepathy", "dense", "fastformer", "random"},
		Mask: nn.Causal})
	for i, want := range []struct {
		kind fault.Kind
		says string
	}{
		{fault.NotFound, `No mechanism named “telepathy”`},
		{fault.NotFound, `No trained model of “dense”`},
		{fault.Unsupported, "A causal mask is not defined for Fastformer"},
	} {
		err := rep.Mechanisms[i].Err
		if err == nil || fault.KindOf(err) != want.kind || !strings.Contains(err.Error(), want.says) ||
			rep.Mechanisms[i].Layers != nil {
			t.Errorf("%s: %v (%v)", rep.Mechanisms[i].ID, err, fault.KindOf(err))
		}
	}
	if last := rep.Mechanisms[3]; last.Err != nil || len(last.Layers) != 2 {
		t.Errorf("random: %+v", last)
	}
}

func TestLengthLimit(t *testing.T) {
	e := engine.NewFrom(source(t))
	for n, ok := range map[int]bool{length - 1: true, length: true, length + 1: false} {
		rep := inspect(t, e, engine.Request{Text: strings.Repeat("cat ", n-2), Mechanisms: []string{"dense"}})
		err := rep.Mechanisms[0].Err
		if len(rep.Tokens) != n || (err == nil) != ok {
			t.Errorf("%d tokens: %v", len(rep.Tokens), err)
		}
		if !ok && (fault.KindOf(err) != fault.Unsupported ||
			!strings.Contains(err.Error(), "25 tokens, but this model was trained for 24 positions")) {
			t.Errorf("%d tokens: %v", n, err)
		}
	}
}

func TestTextsThatHaveNothingToShow(t *testing.T) {
	e := engine.NewFrom(source(t))
	for _, text := range []string{"", " \n\t ", strings.Repeat("a", engine.MaxTextBytes+1)} {
		_, err := e.Inspect(context.Background(), engine.Request{Text: text})
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("%.10q…: %v", text, err)
		}
	}
	for _, text := range []string{"\x00", "\xff\xfe", "a\x00b", "مرحبا", "👩‍👩‍👧", "<script>"} {
		rep := inspect(t, e, engine.Request{Text: text, Mechanisms: []string{"dot-product"}})
		if err := rep.Mechanisms[0].Err; err != nil && fault.KindOf(err) != fault.Unsupported {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestStoppedRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := engine.NewFrom(source(t)).Inspect(ctx, engine.Request{Text: "cat"})
	if fault.KindOf(err) != fault.Busy || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestDamagedModelIsOurError(t *testing.T) {
	e := engine.NewFrom(func(string) ([]byte, bool) { return []byte("rubbish"), true })
	rep := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{"dense"}})
	if err := rep.Mechanisms[0].Err; fault.KindOf(err) != fault.Internal || err == nil {
		t.Error(err)
	}
}

// TestPanicWhileAModelIsOpened: a panic costs only that model's answer, each time that it is requested.
func TestPanicWhileAModelIsOpened(t *testing.T) {
	from := source(t)
	e := engine.NewFrom(func(id string) ([]byte, bool) {
		if id == "dense" {
			panic("the disk is gone")
		}
		return from(id)
	})
	for range 2 {
		rep := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{"dense", "random"}})
		failed, other := rep.Mechanisms[0], rep.Mechanisms[1]
		if fault.KindOf(failed.Err) != fault.Internal || failed.Err == nil ||
			!strings.Contains(failed.Err.Error(), "the disk is gone") || failed.Layers != nil {
			t.Errorf("dense: %v", failed.Err)
		}
		if other.Err != nil || len(other.Layers) != 2 {
			t.Errorf("random: %v", other.Err)
		}
		if _, err := e.Info("dense"); fault.KindOf(err) != fault.Internal || err == nil {
			t.Errorf("what is known of dense: %v", err)
		}
	}
}

// TestConcurrentRequestsAgree sends the same request to one engine many times at once.
func TestConcurrentRequestsAgree(t *testing.T) {
	e := engine.NewFrom(source(t))
	want := inspect(t, e, engine.Request{Text: "the old woman", Mechanisms: engine.IDs()})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got, err := e.Inspect(context.Background(), engine.Request{Text: "the old woman", Mechanisms: engine.IDs()})
			if err != nil {
				t.Error(err)
				return
			}
			for i, m := range got.Mechanisms {
				for l, layer := range m.Layers {
					for k, shown := range layer.Maps {
						for at, v := range shown.Value.Data {
							if v != want.Mechanisms[i].Layers[l].Maps[k].Value.Data[at] {
								t.Errorf("%s %s differs", m.ID, shown.Name)
								return
							}
						}
					}
				}
			}
		})
	}
	all.Wait()
}

// TestSameWordsOtherOrder: the weights of learned random do not depend on the text, those of dot product do.
func TestSameWordsOtherOrder(t *testing.T) {
	e := engine.NewFrom(source(t))
	change := func(id string) float64 {
		weights := func(text string) trace.Map {
			m, _ := inspect(t, e, engine.Request{Text: text, Mechanisms: []string{id}}).Mechanisms[0].Layers[1].Find("weights")
			return m
		}
		a, b := weights("the dog chased the man"), weights("the man chased the dog")
		d := 0.0
		for i, v := range a.Value.Data {
			d = max(d, math.Abs(float64(v-b.Value.Data[i])))
		}
		return d
	}
	for id, reads := range map[string]bool{"random": false, "fixed-random": false, "dot-product": true, "dense": true} {
		if d := change(id); (d > 0) != reads {
			t.Errorf("%s: the largest change is %v", id, d)
		}
	}
}

// scores returns the scores of a model that has learned all its tasks.
func scores(c encoder.Config) map[string]float64 {
	all := map[string]float64{"words": 0.25}
	for _, task := range c.Tasks {
		all[task.Name] = 0.75
	}
	return all
}

// TestGuessesOfWhatWasLearned: an untrained classifier makes no prediction.
func TestGuessesOfWhatWasLearned(t *testing.T) {
	from := source(t)
	e := engine.NewFrom(func(id string) ([]byte, bool) {
		data, ok := from(id)
		return bytes.Replace(data, []byte(`\"topic\":0.75`), []byte(`\"tonic\":0.75`), 1), ok // of the same length
	})
	request := engine.Request{Text: "the cat", Mechanisms: []string{"dense"}}
	taught := inspect(t, engine.NewFrom(from), request).Mechanisms[0]
	if !slices.ContainsFunc(taught.Guesses, func(g predict.Guess) bool { return g.Task == "topic" }) {
		t.Errorf("what was taught is not guessed: %+v", taught.Guesses)
	}
	m := inspect(t, e, request).Mechanisms[0]
	if m.Err != nil || len(m.Layers) == 0 || slices.ContainsFunc(m.Guesses,
		func(g predict.Guess) bool { return g.Task == "topic" }) {
		t.Errorf("a topic is guessed that nobody has taught, or nothing is computed: %+v, %v", m.Guesses, m.Err)
	}
}
