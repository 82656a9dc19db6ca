package engine

import (
	"cmp"
	"slices"
	"sync"

	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/predict"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tokenizer"
)

// Guest is a model of another program, such as a model of the transformers library. It has its own tokenizer.
type Guest struct {
	ID     string // in addresses; no mechanism or architecture has it
	Name   string
	Commit string // commit of its repository; empty: not known
	// Training names the training of which the guest is a checkpoint, after Step steps. Empty: it is no checkpoint.
	Training string
	Step     int
	// Losses returns the losses of the training up to Step, if its files have them. Nil: they are not known.
	Losses func() (Losses, error)
	// Describe describes the model without opening it, or returns why it would not open. It is called once.
	Describe func() (ModelInfo, error)
	// Mechanism returns, without opening the guest, the mechanism of a single attention layer. Nil or empty: the guest
	// is a whole model of the transformers library.
	Mechanism func() string
	// Causal reports, without opening it, whether the model attends only backwards and so continues texts. Nil: no.
	Causal func() bool
	// Pair likewise reports whether the model reads one text and writes another.
	Pair func() bool
	// Layers likewise returns what each layer attends to. Nil: it is not known.
	Layers func() []LayerReach
	// Open is called when the model is first requested, and again after an error.
	Open func() (Visit, error)

	mu        sync.Mutex
	opened    *model
	describes sync.Once
	info      ModelInfo
	closed    error
}

// Losses are the losses of a training.
type Losses = checkpoint.Losses

// LossPoint is the loss after a training step.
type LossPoint = checkpoint.LossPoint

// LayerReach is what a layer of a guest attends to, and whether it knows the positions of tokens.
type LayerReach struct {
	Window     int  // number of tokens attended to, the own one included, or on each side; 0: all
	BothSides  bool // the window is on each side
	Positioned bool
}

// Reach returns what a layer of a guest, counted from 1, attends to. It returns false if that is not known.
func Reach(id string, layer int) (LayerReach, bool) {
	g := FindGuest(id)
	if g == nil || g.Layers == nil {
		return LayerReach{}, false
	}
	all := g.Layers()
	if layer < 1 || layer > len(all) {
		return LayerReach{}, false
	}
	return all[layer-1], true
}

// Visit is an opened guest.
type Visit struct {
	Model   *encoder.Model
	Seq2Seq *encoder.Seq2Seq // instead of Model: it reads one text and writes another
	Target  predict.Target   // how the written text begins and ends
	Words   Words
	// Pooling says how the guest's files make one vector of a text, or Unpooled why that is not computed.
	Pooling  similarity.Pooling
	Unpooled error
	Hash     string // of its weight files; empty: not known
}

// Words is the tokenizer of a guest.
type Words interface {
	// Tokens tokenizes a text, or a pair of texts with PairMark between them. For a pair it returns the segment of
	// each token. Special tokens have the ids of the Atlas' own tokens of the same kind; IDs returns the model's ids.
	Tokens(text string) (tokens []tokenizer.Token, segments []int, err error)
	IDs(tokens []tokenizer.Token) []int
	Piece(id int) string // the vocabulary's spelling
}

// guests are the guests of the program.
var guests struct {
	mu   sync.RWMutex
	list []*Guest
}

// Invite adds guests to those that Find knows.
func Invite(list ...*Guest) {
	guests.mu.Lock()
	defer guests.mu.Unlock()
	guests.list = append(guests.list, list...)
}

// Guests lists the guests in the order in which they were invited.
func Guests() []*Guest {
	guests.mu.RLock()
	defer guests.mu.RUnlock()
	return slices.Clone(guests.list)
}

// FindGuest returns the guest with an id, or nil.
func FindGuest(id string) *Guest {
	guests.mu.RLock()
	defer guests.mu.RUnlock()
	if i := slices.IndexFunc(guests.list, func(g *Guest) bool { return g.ID == id }); i >= 0 {
		return guests.list[i]
	}
	return nil
}

// Entry describes a guest as the catalogue describes mechanisms: it has the maps of dot product, or of its own
// mechanism where it is a layer. Formulas, biases and numbers of parameters are the bundled model's, so a guest has
// none.
func (g *Guest) Entry() *attention.Entry {
	e, texts := attention.DotProduct, "guest."
	if of, ok := g.Layer(); ok {
		e, texts = *of, "guest.layer."
		e.NoRollout = messages.New("guest.layer.no-rollout")
	}
	e.Summary = messages.New(texts+"summary", "name", g.Name, "mechanism", e.Name)
	e.ID, e.Name, e.Story, e.Differences = g.ID, messages.Text(g.Name), messages.New(texts+"story"), messages.Message{}
	e.Formula, e.ParamsFormula, e.FLOPsFormula, e.Forms = "", "", "", nil
	e.NoJacobian = true
	return &e
}

// Layer returns the mechanism of a guest that is an attention layer without a model around it.
func (g *Guest) Layer() (*attention.Entry, bool) {
	if g.Mechanism == nil {
		return nil, false
	}
	return attention.Find(g.Mechanism())
}

// Stack returns the architecture of a guest that reads one text and writes another, and nil for other guests.
func (g *Guest) Stack() *encoder.StackEntry {
	if g.Pair != nil && g.Pair() {
		return &encoder.EncoderDecoder
	}
	return nil
}

// Info describes a guest without reading its weights, or returns the reason why it does not open.
func (g *Guest) Info() (*ModelInfo, error) {
	g.describes.Do(func() {
		g.info, g.closed = g.Describe()
		g.info.Mechanism, g.info.Commit = cmp.Or(g.info.Mechanism, attention.DotProduct.ID), g.Commit
	})
	if g.closed != nil {
		return nil, g.refuse(g.closed)
	}
	return &g.info, nil
}

// refuse returns the error of a guest that does not open.
func (g *Guest) refuse(cause error) error {
	return &fault.Error{Kind: fault.Unsupported, Msg: messages.New("guest.closed", "name", g.Name, "cause",
		messages.Of(cause)), Err: cause}
}

// model opens the guest, once.
func (g *Guest) model() (*model, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		return g.opened, nil
	}
	defer g.replace()
	v, err := g.Open()
	if err != nil {
		return nil, g.refuse(err)
	}
	m := &model{Model: v.Model, seq2seq: v.Seq2Seq, target: v.Target, words: v.Words, pooling: v.Pooling,
		unpooled: v.Unpooled}
	c := m.config()
	m.info = modelfile.Complete(&c, checkpoint.Info{Commit: g.Commit, Hash: v.Hash, Score: map[string]float64{}})
	for _, p := range m.params() {
		m.info.Params += p.Value.Len()
	}
	g.opened = m
	return m, nil
}

// reportOf returns a report with the tokens of a guest.
func (m *model) reportOf(text string) (*Report, error) {
	r := &Report{Text: text}
	var err error
	if r.Tokens, r.Segments, err = m.words.Tokens(text); err != nil {
		return nil, &fault.Error{Kind: fault.Invalid, Msg: messages.New("guest.tokens", "cause", messages.Of(err)), Err: err}
	}
	return r, nil
}

// count opens the guest and returns how many tokens a text has for it.
func (g *Guest) count(text string) (int, error) {
	m, err := g.model()
	if err != nil {
		return 0, err
	}
	r, err := m.reportOf(text)
	if err != nil {
		return 0, err
	}
	return len(r.Tokens), nil
}

// mostMaps is the largest number of bytes for the maps of a guest.
const mostMaps = 256 << 20

// affordable refuses a text whose maps would take too much memory.
func (m *model) affordable(n int) error {
	c := m.config()
	entry, _ := attention.Find(c.Mechanism) // the model was built from it
	layers, views, rows := c.Layers, len(entry.Views), c.Layers*c.Heads*n
	if m.seq2seq != nil {
		more := 2 * m.seq2seq.DecoderLayers()
		layers, rows = layers+more, rows+more*m.seq2seq.DecoderHeads()*n
	}
	if bytes := 4 * views * rows * n; m.words != nil && bytes > mostMaps {
		return fault.Errorf(fault.Unsupported, "guest.long", "tokens", n, "layers", layers, "heads", c.Heads, "megabytes",
			bytes>>20, "most", mostMaps>>20)
	}
	return nil
}

// ids returns the ids of tokens in the model's vocabulary.
func (m *model) ids(tokens []tokenizer.Token) []int {
	if m.words == nil {
		return tokenizer.IDs(tokens)
	}
	return m.words.IDs(tokens)
}

// speller returns the Speller of a model's vocabulary.
func (e *Engine) speller(m *model) predict.Speller {
	if m.words == nil {
		return e.vocab
	}
	return m.words
}

// textOf returns the text with the tokens that a mechanism reads: those of the report, or of a guest.
func (e *Engine) textOf(id string, text *Report) (*Report, error) {
	g := FindGuest(id)
	if g == nil {
		return text, nil
	}
	m, err := g.model()
	if err != nil {
		return nil, err
	}
	return m.reportOf(text.Text)
}

// mustHost returns an error for guests, which do not support everything.
func mustHost(id string) error {
	if g := FindGuest(id); g != nil {
		return fault.Errorf(fault.Unsupported, "guest.unsupported", "name", g.Name)
	}
	return nil
}

// host gives a report the tokens of a guest that is requested alone.
func (e *Engine) host(rep *Report, ids []string) {
	if len(ids) != 1 {
		return
	}
	if own, err := e.textOf(ids[0], rep); err == nil {
		rep.Tokens, rep.Segments = own.Tokens, own.Segments
	}
}
