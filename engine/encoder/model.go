package encoder

import (
	"fmt"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// Config gives the sizes of a model.
type Config struct {
	Mechanism string `json:"mechanism"` // id in attention.Catalog
	Layers    int    `json:"layers"`
	Width     int    `json:"width"`  // d
	Heads     int    `json:"heads"`  // H
	Inner     int    `json:"inner"`  // width inside the feed-forward sublayers
	Length    int    `json:"length"` // L: positions it has embeddings for
	Vocab     int    `json:"vocab"`
	Norm      Norm   `json:"norm"`
	// Knobs are the mechanism's choices, by the names of attention.Entry.Knobs.
	Knobs map[string]string `json:"knobs,omitempty"`
	// Tasks are the classifiers on [CLS], in order.
	Tasks []Task `json:"tasks"`
}

// Task is a classification of the whole text.
type Task struct {
	Name    string   `json:"name"`
	Classes []string `json:"classes"`
}

// Builder makes the mixer of one layer.
type Builder func(*nn.Scope, attention.Config) (attention.Mixer, error)

// Model is an encoder with a masked-word head, whose output weights are the
// word embeddings, and classifiers that read the first position.
type Model struct {
	Config    Config
	Params    []*nn.Param
	words     nn.Embedding // [V,d]
	positions nn.Embedding // [L,d]
	layers    []*layer
	norm      nn.LayerNorm // after the stack (pre-norm) or after the embeddings (post-norm)
	guess     nn.Linear    // [d,d] of the masked-word head
	guessNorm nn.LayerNorm
	bias      *nn.Param // [V]
	pool      nn.Linear // [d,d] of the classifiers
	classify  []nn.Linear
}

// New builds a model with the mechanism that the configuration names. Its
// first values follow from the seed alone.
func New(c Config, seed uint64) (*Model, error) {
	entry, ok := attention.Find(c.Mechanism)
	if !ok {
		return nil, fmt.Errorf("encoder: no mechanism is called %q", c.Mechanism)
	}
	return NewWith(c, seed, entry.New)
}

// NewWith builds a model around any mixer.
func NewWith(c Config, seed uint64, build Builder) (*Model, error) {
	if c.Norm != PreNorm && c.Norm != PostNorm {
		return nil, fmt.Errorf("encoder: norm %q is neither %q nor %q", c.Norm, PreNorm, PostNorm)
	}
	if c.Layers < 1 || c.Inner < 1 || c.Vocab < 1 {
		return nil, fmt.Errorf("encoder: layers %d, inner width %d and vocabulary %d must be positive", c.Layers, c.Inner, c.Vocab)
	}
	s := nn.NewScope(seed)
	m := &Model{Config: c, words: nn.NewEmbedding(s, "words", c.Vocab, c.Width), positions: nn.NewEmbedding(s, "positions", c.Length, c.Width)}
	for i := range c.Layers {
		l, err := newLayer(s.In(layerName(i)), c, build)
		if err != nil {
			return nil, err
		}
		m.layers = append(m.layers, l)
	}
	m.norm = nn.NewLayerNorm(s.In("norm"), c.Width, normEps)
	head := s.In("masked word")
	m.guess, m.guessNorm = nn.NewLinear(head, "guess", c.Width, c.Width), nn.NewLayerNorm(head.In("norm"), c.Width, normEps)
	m.bias = head.Param("b", nn.Zeros, c.Vocab)
	m.pool = nn.NewLinear(s.In("pooler"), "pool", c.Width, c.Width)
	for _, t := range c.Tasks {
		m.classify = append(m.classify, nn.NewLinear(s.In(t.Name), "class", c.Width, len(t.Classes)))
	}
	m.Params = s.Params()
	return m, nil
}

func layerName(i int) string { return fmt.Sprintf("layer %d", i+1) }

// Encode runs the stack on a batch of sequences of equal length, one after
// the other in ids [B·N] → [B,N,d]. What the layers show is listed under "layer 1", ….
func (m *Model) Encode(p *nn.Pass, ids []int, batch int) *ad.Var {
	x := m.embed(p, ids, batch) // [N,d]
	for i, l := range m.layers {
		x = l.apply(p.In(layerName(i)), x) // [N,d]
	}
	if m.Config.Norm == PreNorm {
		x = m.norm.Apply(p, x)
	}
	return p.Step("output", `H`, trace.Activation, x, trace.Token, trace.Channel)
}

// embed is what the first layer gets: words and positions [B,N,d].
func (m *Model) embed(p *nn.Pass, ids []int, batch int) *ad.Var {
	n := len(ids) / batch
	if n*batch != len(ids) || n > m.Config.Length {
		panic(fmt.Sprintf("encoder: %d ids are not %d sequences of at most %d positions", len(ids), batch, m.Config.Length))
	}
	x := ad.Reshape(ad.Rows(p.Use(m.words.Table), ids), batch, n, m.Config.Width) // [N,d]
	x = ad.AddRows(x, ad.Crop(p.Use(m.positions.Table), -2, n))                   // [N,d]
	if m.Config.Norm == PostNorm {
		x = m.norm.Apply(p, x)
	}
	return x
}

// Words scores the vocabulary at the chosen positions of an encoded batch:
// x [B,N,d], indices into its B·N positions → logits [M,V].
func (m *Model) Words(p *nn.Pass, x *ad.Var, at []int) *ad.Var {
	h := ad.Rows(x, at)                                      // [M,d]
	h = m.guessNorm.Apply(p, ad.GELU(m.guess.Apply(p, h)))   // [M,d]
	return ad.Linear(h, p.Use(m.words.Table), p.Use(m.bias)) // [M,V]
}

// Classify scores the classes of task t for every sequence: x [B,N,d] → [B,C].
// It reads the first position, [CLS], through a tanh layer (Devlin et al. 2018).
func (m *Model) Classify(p *nn.Pass, x *ad.Var, t int) *ad.Var {
	first := make([]int, x.Dim(0))
	for b := range first {
		first[b] = b * x.Dim(1)
	}
	h := ad.Tanh(m.pool.Apply(p, ad.Rows(x, first))) // [B,d]
	return m.classify[t].Apply(p, h)                 // [B,C]
}
