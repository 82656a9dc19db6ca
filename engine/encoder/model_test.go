package encoder_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

func config(mechanism string, norm encoder.Norm) encoder.Config {
	return encoder.Config{
		Mechanism: mechanism, Layers: 2, Width: 8, Heads: 2, Inner: 12, Length: 8, Vocab: 11, Norm: norm,
		Tasks: []encoder.Task{{Name: "topic", Classes: []string{"a", "b", "c"}}},
	}
}

func newModel(t *testing.T, c encoder.Config) *encoder.Model {
	t.Helper()
	m, err := encoder.New(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, p := range m.Params {
		for i := range p.Value.Data {
			p.Value.Data[i] += tensor.Elem(r.NormFloat64() * 0.2)
		}
	}
	return m
}

// loss uses every head of the model on two sequences of eight tokens.
func loss(m *encoder.Model, p *nn.Pass) *ad.Var {
	x := m.Encode(p, []int{1, 5, 7, 3, 8, 5, 8, 2, 1, 9, 0, 6, 10, 4, 3, 2}, 2)
	words := ad.CrossEntropy(m.Words(p, x, []int{1, 8}), []int{3, 10})
	topic := ad.CrossEntropy(m.Classify(p, x, 0), []int{2, 0})
	return ad.Add(words, topic)
}

// TestEveryMechanismInTheEncoder tests the first stack with every mechanism and both positions of
// the norm.
func TestEveryMechanismInTheEncoder(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, norm := range []encoder.Norm{encoder.PreNorm, encoder.PostNorm} {
			t.Run(e.ID+"/"+string(norm), func(t *testing.T) { checkGradients(t, newModel(t, config(e.ID, norm)), loss) })
		}
	}
}

// checkGradients compares the gradient of every parameter with the change of the loss.
func checkGradients(t *testing.T, m *encoder.Model, loss func(*encoder.Model, *nn.Pass) *ad.Var) {
	t.Helper()
	p := nn.NewPass(ad.NewTape())
	p.Tape.Backward(loss(m, p), tensor.From([]tensor.Elem{1}))
	for _, w := range m.Params {
		g := p.Grad(w)
		if w.Frozen {
			if g != nil {
				t.Errorf("%s is frozen, yet has a gradient", w.Name)
			}
			continue
		}
		if g == nil {
			t.Errorf("no gradient arrives at %s", w.Name)
			continue
		}
		checkDirection(t, m, w, g, loss)
	}
}

// checkDirection compares the gradient with the change of the loss along it. If the gradient
// vanishes, it uses a random direction: for example, biases of scores have no influence, because
// softmax ignores them.
func checkDirection(t *testing.T, m *encoder.Model, w *nn.Param, g *tensor.T,
	loss func(*encoder.Model, *nn.Pass) *ad.Var) {
	t.Helper()
	direction, want := g.Clone(), math.Sqrt(float64(tensor.Dot(g.Data, g.Data)))
	length := want
	if want < 1e-5 {
		r := rand.New(rand.NewPCG(8, 9))
		for i := range direction.Data {
			direction.Data[i] = tensor.Elem(r.NormFloat64())
		}
		length = math.Sqrt(float64(tensor.Dot(direction.Data, direction.Data)))
		want = float64(tensor.Dot(direction.Data, g.Data)) / length
	}
	at := func(step float64) float64 {
		old := w.Value.Clone()
		tensor.Axpy(w.Value.Data, tensor.Elem(step/length), direction.Data)
		l := float64(loss(m, nn.NewPass(ad.NewFrozen())).Value.Data[0])
		copy(w.Value.Data, old.Data)
		return l
	}
	difference := func(h float64) float64 { return (at(h) - at(-h)) / (2 * h) }
	wrong := func(numeric float64) bool {
		return math.Abs(numeric-want) > directionTolerance*(math.Abs(want)+directionFloor)
	}
	numeric := difference(directionStep)
	if wrong(numeric) { // remove the error of order step² (Richardson)
		numeric = (4*difference(directionStep/2) - numeric) / 3
	}
	if wrong(numeric) {
		t.Errorf("%s: along the direction the loss changes by %v, the gradient says %v", w.Name, numeric, want)
	}
}

func TestLayersAreShownApart(t *testing.T) {
	m := newModel(t, config("dot-product", encoder.PreNorm))
	p := nn.NewPass(ad.NewFrozen())
	p.Run = &trace.Run{}
	m.Encode(p, []int{1, 4, 7, 2}, 1)
	if len(p.Run.Parts) != 2 {
		t.Fatalf("%d layers are shown, not 2", len(p.Run.Parts))
	}
	first, _ := p.Run.Parts[0].Find("weights")
	second, ok := p.Run.Parts[1].Find("weights")
	if !ok || first.Value == nil {
		t.Fatal("a layer does not show its weights")
	}
	if first.Value.SameShape(second.Value) && first.Value.Data[1] == second.Value.Data[1] {
		t.Error("both layers show the same weights")
	}
}

func TestBadConfigurationsAreRefused(t *testing.T) {
	good := config("dense", encoder.PreNorm)
	for name, change := range map[string]func(*encoder.Config){
		"mechanism": func(c *encoder.Config) { c.Mechanism = "telepathy" },
		"norm":      func(c *encoder.Config) { c.Norm = "sideways" },
		"layers":    func(c *encoder.Config) { c.Layers = 0 },
		"heads":     func(c *encoder.Config) { c.Heads = 3 },
		"vocab":     func(c *encoder.Config) { c.Vocab = 0 },
	} {
		c := good
		change(&c)
		if _, err := encoder.New(c, 1); err == nil {
			t.Errorf("a bad %s is accepted", name)
		}
	}
	if _, err := encoder.New(good, 1); err != nil {
		t.Error(err)
	}
}

// TestSharedPartsStartEqual: models with different mechanisms differ only in their mixers, so that
// their comparison is fair from the first step.
func TestSharedPartsStartEqual(t *testing.T) {
	a, _ := encoder.New(config("dot-product", encoder.PreNorm), 9)
	b, _ := encoder.New(config("random", encoder.PreNorm), 9)
	other := map[string]*nn.Param{}
	for _, p := range b.Params {
		other[p.Name] = p
	}
	shared := 0
	for _, p := range a.Params {
		q, ok := other[p.Name]
		if !ok {
			continue
		}
		shared++
		for i, v := range p.Value.Data {
			if v != q.Value.Data[i] {
				t.Fatalf("%s starts differently", p.Name)
			}
		}
	}
	if shared < 20 {
		t.Errorf("only %d parameters are shared", shared)
	}
}

// TestSealedModelComputesTheSame: packed weights change only the speed.
func TestSealedModelComputesTheSame(t *testing.T) {
	for _, e := range attention.Catalog {
		m := newModel(t, config(e.ID, encoder.PreNorm))
		output := func() *tensor.T {
			return m.Encode(nn.NewPass(ad.NewFrozen()), []int{1, 4, 7, 2, 9}, 1).Value
		}
		want := output()
		nn.Seal(m.Params)
		for i, v := range output().Data {
			if math.Abs(float64(v-want.Data[i])) > 1e-5 {
				t.Fatalf("%s: element %d is %v, unsealed %v", e.ID, i, v, want.Data[i])
			}
		}
	}
}

// TestKnobsReachTheMixer: every mixer gets the options of Config and rejects unknown ones.
func TestKnobsReachTheMixer(t *testing.T) {
	for _, e := range attention.Catalog {
		c := config(e.ID, encoder.PreNorm)
		for _, k := range append(e.Options, attention.Option{Name: "unknown"}) {
			c.MixerOptions = map[string]string{k.Name: "no such value"}
			if _, err := encoder.New(c, 1); err == nil || !strings.Contains(err.Error(), k.Name) {
				t.Errorf("%s with nonsense for %s: %v", e.ID, k.Name, err)
			}
			for _, v := range k.Values {
				c.MixerOptions = map[string]string{k.Name: v}
				if _, err := encoder.New(c, 1); err != nil {
					t.Errorf("%s with %s = %s: %v", e.ID, k.Name, v, err)
				}
			}
		}
	}
}

// TestLayersShareParameters: with layer-wise sharing, a second layer adds only the parameters
// around its mixer.
func TestLayersShareParameters(t *testing.T) {
	c := config("fastformer", encoder.PreNorm)
	own := nn.Count(newModel(t, c).Params)
	c.MixerOptions = map[string]string{"sharing": "layer-wise"}
	shared := nn.Count(newModel(t, c).Params)
	entry, _ := attention.Find("fastformer")
	if mixer := entry.Params(attention.Config{Width: c.Width, Heads: c.Heads, Length: c.Length}); own-shared != mixer {
		t.Errorf("sharing saves %d parameters, a mixer has %d", own-shared, mixer)
	}
}
