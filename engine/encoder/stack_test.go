package encoder_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// stackConfig returns the configuration of a small model of a stack.
func stackConfig(t *testing.T, stack, mechanism string) encoder.Config {
	t.Helper()
	entry, ok := encoder.FindStack(stack)
	if !ok {
		t.Fatalf("no stack %q", stack)
	}
	c := encoder.Config{Stack: stack, Mechanism: mechanism, Layers: 2, Width: 8, Heads: 2, Inner: 12, Length: 8, Vocab: 11,
		Objective: entry.Objective}
	if stack == encoder.ALBERT.ID { // two numbers are always 1 and -1 after normalisation
		c.Embed = 4
	}
	entry.Defaults(&c)
	if c.Act == encoder.ReLU { // differences of the loss would cross its kinks
		c.Act = encoder.GELU
	}
	if c.Tasks == nil && c.Objective != encoder.NextWord {
		c.Tasks = []encoder.Task{{Name: "topic", Classes: []string{"a", "b"}}}
	}
	return c
}

// stackLoss uses every head of a model on two sequences with two segments, and adds the auxiliary
// losses.
func stackLoss(m *encoder.Model, p *nn.Pass) *ad.Var {
	in := encoder.Input{IDs: []int{1, 5, 7, 3, 8, 5, 8, 2, 1, 9, 0, 6, 10, 4, 3, 2}, Count: 2}
	if m.Config.Types > 0 {
		in.Types = []int{0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1}
	}
	x := m.Run(p, in)
	sum := ad.CrossEntropy(m.Words(p, x, []int{1, 8, 13}), []int{3, 10, 4})
	for t := range m.Config.Tasks {
		sum = ad.Add(sum, ad.CrossEntropy(m.Classify(p, x, t), []int{1, 0}))
	}
	for _, c := range p.AuxLosses() {
		sum = ad.Add(sum, c.Value)
	}
	return sum
}

// TestEveryStackWithSomeMechanisms: every parameter has the correct gradient.
func TestEveryStackWithSomeMechanisms(t *testing.T) {
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue // two stacks: see TestEveryMechanismInAnEncoderDecoder
		}
		for _, mechanism := range []string{"dot-product", "random", "linear", "linformer"} {
			entry, _ := attention.Find(mechanism)
			if e.Objective == encoder.NextWord && !entry.Masks.NoCausal.IsZero() {
				continue
			}
			t.Run(e.ID+"."+mechanism, func(t *testing.T) {
				c := stackConfig(t, e.ID, mechanism)
				if e.ID == encoder.Universal.ID { // so that large float32 steps do not change when words halt
					c.Options = map[string]string{"input": "embeddings"}
				}
				checkGradients(t, newModel(t, c), stackLoss)
			})
		}
	}
}

// TestStacksSealedAndOptions: packed weights change nothing, and options are checked.
func TestStacksSealedAndOptions(t *testing.T) {
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		c := stackConfig(t, e.ID, "dot-product")
		m := newModel(t, c)
		output := func() *tensor.T { return m.Encode(nn.NewPass(ad.NewFrozen()), []int{1, 4, 7, 2, 9}, 1).Value }
		want := output()
		nn.Seal(m.Params)
		for i, v := range output().Data {
			if math.Abs(float64(v-want.Data[i])) > 1e-5 {
				t.Fatalf("%s: element %d is %v, unsealed %v", e.ID, i, v, want.Data[i])
			}
		}
		for _, k := range append(slices.Clone(e.Options), attention.Option{Name: "unknown"}) {
			c.Options = map[string]string{k.Name: "no such value"}
			if _, err := encoder.New(c, 1); err == nil || !strings.Contains(err.Error(), k.Name) {
				t.Errorf("%s with nonsense for %s: %v", e.ID, k.Name, err)
			}
		}
	}
}

// TestStackEntriesAreComplete: all data for pages and the command line exist.
func TestStackEntriesAreComplete(t *testing.T) {
	for _, e := range encoder.Stacks {
		for what, s := range map[string]string{"id": e.ID, "name": e.Name.String(), "summary": e.Summary.String(),
			"formula": e.Formula, "cost": e.Cost, "title": e.Paper.Title, "objective": string(e.Objective)} {
			if s == "" {
				t.Errorf("%s has no %s", e.ID, what)
			}
		}
		stack, mechanism, err := encoder.Parse(e.ID)
		if err != nil || stack != e.ID {
			t.Errorf("%s is read as %q, %q, %v", e.ID, stack, mechanism, err)
		}
		c, err := encoder.Default(stack, mechanism, 20)
		if err != nil || c.ID() != e.ID {
			t.Errorf("the default of %s is called %s, %v", e.ID, c.ID(), err)
		}
		if e.New == nil {
			_, err = encoder.NewSeq2Seq(c, 1)
		} else {
			_, err = encoder.New(c, 1)
		}
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
		}
		if _, taken := attention.Find(e.ID); taken {
			t.Errorf("%s is also a mechanism", e.ID)
		}
	}
}

func TestParse(t *testing.T) {
	for id, want := range map[string]string{"dense": " dense", "bert": "bert dot-product",
		"albert.linformer": "albert linformer", "encoder.dense": "encoder dense"} {
		stack, mechanism, err := encoder.Parse(id)
		if err != nil || stack+" "+mechanism != want {
			t.Errorf("%s is read as %q %q, %v", id, stack, mechanism, err)
		}
		if got := (encoder.Config{Stack: stack, Mechanism: mechanism}).ID(); got != id {
			t.Errorf("%s becomes %s", id, got)
		}
	}
	for _, id := range []string{"", "telepathy", "bert.", "bert.telepathy", ".dense", "dense.bert", "dense.dense"} {
		if _, _, err := encoder.Parse(id); err == nil {
			t.Errorf("%q is accepted", id)
		}
	}
}

// TestGPT2ReadsBackwards: later words change nothing, whatever the mask of the pass. A mechanism
// without a causal mask is rejected with its own reason.
func TestGPT2ReadsBackwards(t *testing.T) {
	m := newModel(t, stackConfig(t, "gpt2", "dot-product"))
	row := func(ids ...int) []tensor.Elem {
		return m.Encode(nn.NewPass(ad.NewFrozen()), ids, 1).Value.Data[:3*8]
	}
	if !slices.Equal(row(1, 2, 3, 4, 5), row(1, 2, 3, 9, 10)) {
		t.Error("the first three words change with the fourth")
	}
	if slices.Equal(row(1, 2, 3, 4, 5), row(2, 2, 3, 4, 5)) {
		t.Error("nothing reads the first word")
	}
	for _, e := range attention.Catalog {
		_, err := encoder.New(stackConfig(t, "gpt2", e.ID), 1)
		if why := e.Masks.NoCausal; why.IsZero() && err != nil || !why.IsZero() &&
			(err == nil || !strings.Contains(err.Error(), why.String())) {
			t.Errorf("%s: %v", e.ID, err)
		}
	}
}

// TestALBERTIsCopiedLayers: shared layers compute the same as a model whose layers have copies of
// the shared weights.
func TestALBERTIsCopiedLayers(t *testing.T) {
	for _, shape := range []struct {
		layers        int
		groups, inner string
		copies        []string // name of the layer that each layer copies
	}{
		{3, "1", "1", []string{"group 1/layer 1", "group 1/layer 1", "group 1/layer 1"}},
		{4, "2", "1", []string{"group 1/layer 1", "group 1/layer 1", "group 2/layer 1", "group 2/layer 1"}},
		{3, "2", "1", []string{"group 1/layer 1", "group 1/layer 1", "group 2/layer 1"}},
		{2, "1", "2", []string{"group 1/layer 1", "group 1/layer 2", "group 1/layer 1", "group 1/layer 2"}},
	} {
		c := stackConfig(t, "albert", "dot-product")
		c.Layers, c.Options = shape.layers, map[string]string{"groups": shape.groups, "inner": shape.inner}
		shared := newModel(t, c)
		c.Layers = len(shape.copies)
		c.Options = map[string]string{"groups": strconv.Itoa(c.Layers)}
		apart := newModel(t, c)
		values := map[string]*tensor.T{}
		for _, p := range shared.Params {
			values[p.Name] = p.Value
		}
		for _, p := range apart.Params {
			name := p.Name
			for i, from := range shape.copies {
				name = strings.Replace(name, fmt.Sprintf("group %d/layer 1/", i+1), from+"!", 1)
			}
			copy(p.Value.Data, values[strings.Replace(name, "!", "/", 1)].Data)
		}
		ids := []int{1, 4, 7, 2, 9}
		got, want := outputs(shared, ids), outputs(apart, ids)
		if len(got) != len(shape.copies) || len(want) != len(got) {
			t.Fatalf("%+v: %d layers are shown, apart %d", shape, len(got), len(want))
		}
		for l := range got {
			if !slices.Equal(got[l], want[l]) {
				t.Errorf("%+v: layer %d is not %s", shape, l+1, shape.copies[l])
			}
		}
		if nn.Count(shared.Params) >= nn.Count(apart.Params) {
			t.Errorf("%+v: sharing saves nothing", shape)
		}
	}
}

// outputs returns the outputs of a model's layers.
func outputs(m *encoder.Model, ids []int) [][]tensor.Elem {
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{}
	m.Encode(p, ids, 1)
	var list [][]tensor.Elem
	for _, part := range p.Run.Parts {
		shown, _ := part.Find("layer output")
		list = append(list, shown.Value.Data)
	}
	return list
}

// TestSegmentsAreRead: the second segment has other embeddings than the first.
func TestSegmentsAreRead(t *testing.T) {
	m := newModel(t, stackConfig(t, "bert", "dot-product"))
	run := func(types []int) []tensor.Elem {
		return m.Run(nn.NewPass(ad.NewFrozen()), encoder.Input{IDs: []int{1, 2, 3}, Types: types, Count: 1}).Value.Data
	}
	if !slices.Equal(run(nil), run([]int{0, 0, 0})) || slices.Equal(run(nil), run([]int{0, 0, 1})) {
		t.Error("segments are not what tells the runs apart")
	}
}

func TestBadStacksAreRefused(t *testing.T) {
	for name, change := range map[string]func(*encoder.Config){
		"architecture": func(c *encoder.Config) { c.Stack = "haystack" },
		"activation":   func(c *encoder.Config) { c.Act = "tan" },
		"positions":    func(c *encoder.Config) { c.Positions = "somewhere" },
		"objective":    func(c *encoder.Config) { c.Objective = "world peace" },
		"embedding":    func(c *encoder.Config) { c.Embed = 4 },
		"segments":     func(c *encoder.Config) { c.Types = -1 },
		"“unheard”":    func(c *encoder.Config) { c.Options = map[string]string{"unheard": "1"} },
		"no mechanism": func(c *encoder.Config) { c.Mechanism = "telepathy" },
	} {
		c := stackConfig(t, "bert", "dot-product")
		change(&c)
		if _, err := encoder.New(c, 1); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := stackConfig(t, "albert", "dot-product")
	c.Options = map[string]string{"groups": "3"}
	if _, err := encoder.New(c, 1); err == nil || !strings.Contains(err.Error(), "cannot be divided into 3 groups") {
		t.Error(err)
	}
}
