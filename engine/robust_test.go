package engine_test

import (
	"bytes"
	"context"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// TestPanicOfASource: whatever is asked of a source costs one mechanism's answer, also the
// question under which of its names a model is kept.
func TestPanicOfASource(t *testing.T) {
	from := source(t)
	e := engine.NewFrom(func(id string) ([]byte, bool) {
		if strings.HasPrefix(id, "encoder.") {
			panic("the secret")
		}
		return from(id)
	})
	rep := inspect(t, e, engine.Request{Text: "The cat.", Mechanisms: []string{"encoder.dense", "dense"}})
	if err := rep.Mechanisms[0].Err; err == nil || engine.KindOf(err) != engine.Internal {
		t.Errorf("encoder.dense: %v", err)
	}
	if err := rep.Mechanisms[1].Err; err != nil {
		t.Errorf("dense: %v", err)
	}
	if _, err := e.Info("encoder.dense"); engine.KindOf(err) != engine.Internal {
		t.Errorf("info: %v", err)
	}
}

// counting is a context that ends when it has been looked at so often.
type counting struct {
	context.Context
	left int
}

func (c *counting) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPassesEndWithTheirContext: a model that writes, or has layers, goes on to its next mixer
// only while somebody waits.
func TestPassesEndWithTheirContext(t *testing.T) {
	for id, e := range map[string]*engine.Engine{encoder.EncoderDecoder.ID: writer(t), "dense": engine.NewFrom(source(t))} {
		r := engine.Request{Text: "one two three", Mechanisms: []string{id}}
		all := &counting{t.Context(), math.MaxInt}
		if _, err := e.Inspect(all, r); err != nil {
			t.Fatal(err)
		}
		asked := math.MaxInt - all.left
		if wanted := map[string]int{encoder.EncoderDecoder.ID: 24, "dense": 4}[id]; asked < wanted {
			t.Errorf("%s looked %d times whether somebody waits, wanted at least %d", id, asked, wanted)
		}
		for left := range min(asked, 10) {
			ctx := &counting{t.Context(), left}
			if _, err := e.Inspect(ctx, r); engine.KindOf(err) != engine.Busy {
				t.Errorf("%s after %d looks: %v", id, left, err)
			}
			if ctx.left < -4 {
				t.Errorf("%s went on and looked %d times more", id, -ctx.left)
			}
		}
		if rep := inspect(t, e, r); rep.Mechanisms[0].Err != nil { // with the pass that was stopped
			t.Errorf("%s: %v", id, rep.Mechanisms[0].Err)
		}
	}
}

// TestModelsWithoutNumbers: weights that are not finite, or too large, are an error of that
// model.
func TestModelsWithoutNumbers(t *testing.T) {
	for name, spoil := range map[string]func([]float32){
		"NaN":      func(w []float32) { w[len(w)-1] = float32(math.NaN()) },
		"infinite": func(w []float32) { w[0] = float32(math.Inf(1)) },
		"huge": func(w []float32) {
			for i := range w {
				w[i] = math.MaxFloat32
			}
		},
	} {
		from := source(t)
		e := engine.NewFrom(func(id string) ([]byte, bool) {
			data, ok := from(id)
			if id == "dot-product" {
				data = spoilt(t, spoil)
			}
			return data, ok
		})
		rep := inspect(t, e, engine.Request{Text: "the cat [MASK].", Mechanisms: []string{"dot-product", "dense"}})
		if err := rep.Mechanisms[0].Err; engine.KindOf(err) != engine.Unsupported || !strings.Contains(err.Error(), "no numbers") || rep.Mechanisms[0].Layers != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := rep.Mechanisms[1].Err; err != nil {
			t.Errorf("%s, the other: %v", name, err)
		}
	}
}

// spoilt is the file of a model of dot-product with other values in every array of its last
// layer's feed-forward part.
func spoilt(t *testing.T, spoil func([]float32)) []byte {
	t.Helper()
	c := config("dot-product")
	m, err := encoder.New(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, p := range m.Params {
		if strings.Contains(p.Name, "W_O") {
			spoil(p.Value.Data)
			changed++
		}
	}
	if changed == 0 {
		t.Fatal("nothing is spoilt")
	}
	return written(t, c, m.Params)
}

func written(t *testing.T, c encoder.Config, params []*nn.Param) []byte {
	t.Helper()
	meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: c.Mechanism, Stack: c.Stack})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := checkpoint.Write(&b, checkpoint.Arrays(params), meta, checkpoint.All(checkpoint.Single)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// locked is a folder in which nothing can be read.
type locked struct{ fstest.MapFS }

func (l locked) Open(name string) (fs.File, error) {
	if name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.Open(name)
}

func (l locked) ReadFile(name string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func (l locked) Stat(name string) (fs.FileInfo, error) { return l.MapFS.Stat(name) }

// TestFilesThatCannotBeRead are not models that there are not.
func TestFilesThatCannotBeRead(t *testing.T) {
	folder := locked{fstest.MapFS{"dense.safetensors": {Data: []byte("x")}, "random.safetensors/x": {}}}
	e := engine.NewIn(folder)
	for id, says := range map[string]string{
		"dense":  "dense.safetensors cannot be opened: permission denied",
		"random": "random.safetensors cannot be opened: it is no file",
	} {
		if _, err := e.Info(id); engine.KindOf(err) != engine.Unsupported || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := e.Info("fastformer"); engine.KindOf(err) != engine.NotFound {
		t.Errorf("fastformer: %v", err)
	}
}

// TestCost: more words, more mechanisms and more measurements cost more; what nobody answers
// costs nothing; the report fits into what was said.
func TestCost(t *testing.T) {
	e := engine.New()
	short, long := "one two three", strings.Repeat("cat ", 40)
	last := engine.Cost{}
	for _, r := range []engine.Request{
		{Text: short, Mechanisms: []string{"dense"}},
		{Text: short, Mechanisms: []string{"dense", "bert"}},
		{Text: long, Mechanisms: []string{"dense", "bert"}},
		{Text: long, Mechanisms: []string{"dense", "bert"}, Influence: 1},
	} {
		cost := e.Cost(r)
		if cost.Operations <= last.Operations || cost.Bytes <= last.Bytes {
			t.Errorf("%+v costs %+v, less costs %+v", r, cost, last)
		}
		last = cost
	}
	for _, r := range []engine.Request{
		{Text: strings.Repeat("漢", 21000)}, {Text: short, Mechanisms: []string{"nonsense"}}, {Text: strings.Repeat("x", 70_000)},
	} {
		if cost := e.Cost(r); cost != (engine.Cost{}) {
			t.Errorf("%.20s… of %v costs %+v", r.Text, r.Mechanisms, cost)
		}
	}
	ids := append(engine.IDs(), engine.StackIDs()...)
	for _, id := range ids {
		r := engine.Request{Text: "one two three four five", Mechanisms: []string{id}}
		if got, most := held(inspect(t, e, r)), e.Cost(r).Bytes; got == 0 || got > 2*most {
			t.Errorf("%s holds %d bytes, said were %d", id, got, most)
		}
	}
}

// held are the bytes of a report's maps.
func held(r *engine.Report) (bytes int64) {
	for _, m := range r.Mechanisms {
		for _, part := range append(m.Parts, engine.Part{Layers: m.Layers}) {
			for _, l := range part.Layers {
				for _, x := range l.Maps {
					bytes += int64(x.Value.Len() * elemBytes)
				}
			}
		}
		for _, x := range m.Maps {
			bytes += int64(x.Value.Len() * elemBytes)
		}
	}
	return bytes
}

const elemBytes = 4
