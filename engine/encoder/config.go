package encoder

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// Config is the configuration of a model. Fields that are missing in a file are zero. Zero is the value of the oldest
// models.
type Config struct {
	Mechanism string `json:"mechanism"` // id in attention.Catalog
	Layers    int    `json:"layers"`
	Width     int    `json:"width"`  // d
	Heads     int    `json:"heads"`  // H
	Inner     int    `json:"inner"`  // width inside the feed-forward sublayers
	Length    int    `json:"length"` // L: number of positions with embeddings
	Vocab     int    `json:"vocab"`
	Norm      Norm   `json:"norm"`
	// MixerOptions are the options of the mechanism, by the names of attention.Entry.Options.
	MixerOptions map[string]string `json:"knobs,omitempty"`
	// Tasks are the classifiers on [CLS], in order.
	Tasks []Task `json:"tasks"`

	Stack     string            `json:"stack,omitempty"`     // id in Stacks; empty: encoder
	Options   map[string]string `json:"options,omitempty"`   // options of the stack, by the names of StackEntry.Options
	Objective Objective         `json:"objective,omitempty"` // empty: masked words
	Embed     int               `json:"embed,omitempty"`     // E, the width of the embeddings; 0: d
	Types     int               `json:"types,omitempty"`     // segments with embeddings; 0: none
	Positions Positions         `json:"positions,omitempty"` // empty: learned
	Act       Activation        `json:"act,omitempty"`       // empty: gelu
	Eps       float64           `json:"eps,omitempty"`       // of every LayerNorm; 0: 10⁻⁵
	Pooling   Pooling           `json:"pooling,omitempty"`   // empty: first

	// HeadWidth and KVHeads are sizes for models from other programs, whose heads can be wider than Width / Heads.
	HeadWidth, KVHeads int `json:"-"`

	shapes  map[string][]int // shapes that the parameters must have; nil: any
	blank   bool             // parameters stay 0
	bare    bool             // parameters have shapes but no numbers
	bounded bool             // the model reads at most Length tokens
}

// Compared returns the numbers of features of the queries and of the keys of a layer.
func (c Config) Compared() (queries, keys int) {
	if c.HeadWidth == 0 {
		return c.Width, c.Width
	}
	return c.Heads * c.HeadWidth, c.KVHeads * c.HeadWidth
}

// Task is a classification of the whole text.
type Task struct {
	Name    string   `json:"name"`
	Classes []string `json:"classes"`
	// Pair reports whether the text is a pair of texts, marked by their segments.
	Pair bool `json:"pair,omitempty"`
	// Tokens reports whether every token has classes, instead of the text. Apart reports whether each class is a
	// separate question, so that probabilities do not sum to 1.
	Tokens, Apart bool `json:"-"`
}

// The classifications of sentence pairs "[CLS] A [SEP] B [SEP]".
var (
	// NextSentence asks whether B followed A (Devlin et al. 2018, sec. 3.1).
	NextSentence = Task{Name: "next sentence", Classes: []string{"follows", "from elsewhere"}, Pair: true}
	// SentenceOrder asks whether A came before B (Lan et al. 2019, sec. 3.1).
	SentenceOrder = Task{Name: "sentence order", Classes: []string{"in order", "swapped"}, Pair: true}
)

// Activation is the function inside the feed-forward sublayers and the head.
type Activation string

const (
	GELU     Activation = "gelu"      // x·Φ(x) (Hendrycks and Gimpel 2016)
	GELUTanh Activation = "gelu-tanh" // their approximation by tanh
	ReLU     Activation = "relu"
)

var activations = map[Activation]func(*ad.Var) *ad.Var{"": ad.GELU, GELU: ad.GELU, GELUTanh: ad.GELUTanh, ReLU: ad.ReLU}

// Pooling is how a text becomes the vector that the classifiers read.
type Pooling string

const (
	First     Pooling = "first"     // tanh(W·x + b) of the first position, [CLS]
	Attention Pooling = "attention" // all words, weighted: nn.AttentionPooling
)

// Positions is the kind of position embeddings.
type Positions string

const (
	Learned          Positions = "learned"           // a trained row for each position
	Sinusoidal       Positions = "sinusoidal"        // Sinusoids, and words times √d (Vaswani et al. 2017, sec. 3.4)
	SinusoidalHalves Positions = "sinusoidal-halves" // SinusoidHalves, likewise
	NoPositions      Positions = "none"              // none, or added by the stack itself
)

// Known returns the kind of position embeddings, with the default filled in.
func (c Config) Known() Positions {
	switch {
	case c.Stack == EncoderDecoder.ID:
		return Sinusoidal
	case c.Positions == "":
		return Learned
	}
	return c.Positions
}

const normEps = 1e-5

func (c Config) activation() func(*ad.Var) *ad.Var { return activations[c.Act] }

func (c Config) eps() float64 {
	if c.Eps == 0 {
		return normEps
	}
	return c.Eps
}

// embed returns E, the width of the embeddings.
func (c Config) embed() int {
	if c.Embed == 0 {
		return c.Width
	}
	return c.Embed
}

// output returns the width of the stack's output.
func (c Config) output() int {
	if e, ok := FindStack(c.Stack); ok && e.Doubles {
		return 2 * c.Width
	}
	return c.Width
}

// Mixer returns the configuration of the mixers.
func (c Config) Mixer() attention.Config {
	return attention.Config{Width: c.Width, Heads: c.Heads, Length: c.Length, Options: c.MixerOptions}
}

// farthest is the number of tokens that a model can read if its formulas allow any number. Models
// that were made for more tokens read more.
const farthest = 512

// Longest returns the number of tokens that a model reads. It is Length if the model writes, or has parameters for
// each position. Otherwise it is larger, and positions from Length on did not occur in training.
func (c Config) Longest() int {
	return c.atLeast(farthest)
}

// farthestLong is like farthest, for texts whose maps are viewed in parts.
const farthestLong = 4096

// Farthest is like Longest, for texts whose maps are viewed in parts.
func (c Config) Farthest() int { return c.atLeast(farthestLong) }

// atLeast returns Length, or most if that is more and the formulas of the model allow any number of tokens.
func (c Config) atLeast(most int) int {
	mixer, ok := attention.Find(c.Mechanism)
	if !ok || c.bounded || c.Stack == EncoderDecoder.ID || !mixer.Endless(c.Mixer()) {
		return c.Length
	}
	return max(c.Length, most)
}

// option returns the value of an option of the stack.
func (c Config) option(options []attention.Option, name string) string {
	return attention.Chosen(options, c.Options, name)
}

// number returns the value of an option that is a whole number.
func (c Config) number(options []attention.Option, name string) int {
	n, err := strconv.Atoi(c.option(options, name))
	if err != nil {
		panic(fmt.Sprintf("encoder: option %s is not a number: %v", name, err)) // Allow has checked it
	}
	return n
}

// Fits returns nil if the parameters of a model have exactly these names and shapes, else the reason. It allocates no
// parameters, however large the configuration is.
func (c Config) Fits(shapes map[string][]int) (err error) {
	if err := c.Affordable(); err != nil {
		return err
	}
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case nn.Misfit:
			err = misfit(cause)
		default:
			err = messages.Errorf("model.build", "why", fmt.Sprint(cause))
		}
	}()
	c.shapes, c.blank = shapes, true
	var params []*nn.Param
	if c.Stack == EncoderDecoder.ID {
		m, err := NewSeq2Seq(c, 0)
		if err != nil {
			return err
		}
		params = m.Params
	} else {
		m, err := New(c, 0)
		if err != nil {
			return err
		}
		params = m.Params
	}
	if len(params) == len(shapes) {
		return c.answerable()
	}
	known := map[string]bool{}
	for _, p := range params {
		known[p.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		if !known[name] {
			return messages.Errorf("model.arrays", "arrays", len(shapes)-len(params), "array", quote(name))
		}
	}
	return nil
}

// misfit returns the error of a parameter in a file that differs from the configuration.
func misfit(m nn.Misfit) error {
	if m.There == nil {
		return messages.Errorf("checkpoint.missing", "array", quote(m.Name))
	}
	return messages.Errorf("checkpoint.shape", "array", quote(m.Name), "shape", fmt.Sprint(m.There), "needed",
		fmt.Sprint(m.Needed))
}

// quote writes a value of a configuration into a message.
func quote[S ~string](value S) string { return messages.Quote(string(value)) }

// scope returns the root scope of a model's parameters.
func (c Config) scope(seed uint64) *nn.Scope {
	s := nn.NewScope(seed)
	s.Expect(c.shapes)
	if c.blank {
		s.Blank()
	}
	if c.bare {
		s.Shapes()
	}
	return s
}

// Blank returns a configuration whose models have parameters of 0, until weights are read into them.
func (c Config) Blank() Config { c.blank = true; return c }

// Shapes returns a configuration whose models have shapes and no numbers: their parameters can be counted, but they
// cannot run.
func (c Config) Shapes() Config { c.bare = true; return c }

// check rejects values that no model can have.
func (c Config) check(e *StackEntry) error {
	if c.Norm != PreNorm && c.Norm != PostNorm {
		return messages.Errorf("model.norm", "given", quote(c.Norm), "pre", quote(PreNorm), "post", quote(PostNorm))
	}
	if c.Layers < 1 || c.Inner < 1 || c.Vocab < 1 {
		return messages.Errorf("model.positive", "layers", c.Layers, "inner", c.Inner, "vocab", c.Vocab)
	}
	if c.Embed < 0 || c.Types < 0 || c.Eps < 0 {
		return messages.Errorf("model.negative", "embed", c.Embed, "types", c.Types, "eps", fmt.Sprint(c.Eps))
	}
	if c.embed() != c.Width && !e.Widens {
		return messages.Errorf("model.embed", "stack", e.ID, "width", c.Width, "embed", c.Embed)
	}
	if _, ok := activations[c.Act]; !ok {
		return messages.Errorf("model.activation", "given", quote(c.Act), "known",
			messages.List{quote(GELU), quote(GELUTanh), quote(ReLU)})
	}
	switch c.Pooling {
	case "", First, Attention:
	default:
		return messages.Errorf("model.pooling", "given", quote(c.Pooling), "first", quote(First), "attention",
			quote(Attention))
	}
	switch c.Objective {
	case "", MaskedWords, NextWord, TargetWords:
	default:
		return messages.Errorf("model.objective", "given", quote(c.Objective), "masked", quote(MaskedWords), "next",
			quote(NextWord))
	}
	return attention.Allow(e.Options, c.Options)
}
