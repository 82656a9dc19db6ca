package engine

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// MostPassages is the largest number of texts that one text is matched with.
const MostPassages = 100

// Ways to score two texts with a model.
const (
	MeanPooling  = "mean"  // the cosine of the means of all tokens
	FirstPooling = "cls"   // the cosine of the outputs at the first token
	CrossScore   = "cross" // a classifier's score of the pair
)

// Pooling is how a model makes one vector of a text.
type Pooling struct {
	Kind string // MeanPooling or FirstPooling
	Most int    // number of tokens of a text that are read; 0: as many as the model reads
	Said bool   // stated by the model's files; else the default for all models
}

// MatchRequest asks a model how similar a text and some passages are.
type MatchRequest struct {
	Mechanism string
	Query     string
	Passages  []string
	Chosen    int // passage whose score is explained, from 1; 0: the best
}

// Match is how similar a model finds a text and some passages.
type Match struct {
	Mechanism string
	Name      messages.Message
	Kind      string // MeanPooling, FirstPooling or CrossScore
	Pooling   Pooling
	Query     MatchText
	Passages  []MatchText // in the order of the request
	Ranking   []int       // of Passages, the best first
	Chosen    int         // index in Passages
	Pairs     *MatchPairs // explains the score of the chosen passage
}

// MatchText is a text as the model read it.
type MatchText struct {
	Text   string
	Tokens []tokenizer.Token // of both texts, if it is a pair
	Left   int               // tokens that were not read, because the model reads fewer
	Score  float64           // similarity to the query: the cosine, or the classifier's score
	Label  string            // of the class that is scored; empty: the score is a cosine
	P      float64           // probability of the class
	vector []float64
}

// MatchPairs explains a score.
type MatchPairs struct {
	// Cells [n,m] sum to the cosine of two means: xᵢ·yⱼ/(nm‖x̄‖‖ȳ‖), of token i of the query and j of the passage.
	Cells [][]float64
	// Zeroed is set if the first token's output is the vector. It holds value zeroing of that output in the last
	// layer: the share of each token, of the query and of the passage.
	Zeroed [2][]float64
}

// Sum returns the sum of all cells.
func (p *MatchPairs) Sum() (sum float64) {
	for _, row := range p.Cells {
		for _, v := range row {
			sum += v
		}
	}
	return sum
}

// Match scores passages with a model and explains the score of the chosen one.
func (e *Engine) Match(ctx context.Context, r MatchRequest) (*Match, error) {
	entry, _, ok := Find(r.Mechanism)
	if !ok {
		return nil, e.unknown(r.Mechanism)
	}
	if err := checkMatch(r); err != nil {
		return nil, err
	}
	var match *Match
	err := protect(func() error {
		m, err := e.model(r.Mechanism)
		if err != nil {
			return err
		}
		if m.seq2seq != nil {
			return fault.Errorf(fault.Unsupported, "match.two-stacks", "name", entry.Name)
		}
		a := &matcher{engine: e, ctx: ctx, model: m, match: &Match{Mechanism: r.Mechanism, Name: entry.Name,
			Pooling: m.pooling}}
		match = a.match
		return a.run(r)
	})
	return match, err
}

// MatchCost estimates the cost of Match, as Cost does. A text that is too long counts with the part that is read.
func (e *Engine) MatchCost(r MatchRequest) (all Cost) {
	entry, stack, ok := Find(r.Mechanism)
	info, err := e.Info(r.Mechanism)
	if !ok || err != nil || checkMatch(r) != nil {
		return Cost{}
	}
	for _, text := range append([]string{r.Query}, r.Passages...) {
		n := e.vocab.Count(text)
		if g := FindGuest(r.Mechanism); g != nil {
			if n, err = g.count(text); err != nil {
				return Cost{}
			}
		}
		n = min(n, info.Longest)
		one := costOfPass(entry, stack, info, n, Request{})
		all.Operations += one.Operations
		all.Bytes = max(all.Bytes, one.Bytes+int64(n)*passBytes)
	}
	return all
}

// checkMatch returns an error if texts are invalid for every model.
func checkMatch(r MatchRequest) error {
	bytes := len(r.Query)
	for _, p := range r.Passages {
		bytes += len(p)
	}
	switch n := len(r.Passages); {
	case bytes > MaxTextBytes:
		return fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", bytes, "most", MaxTextBytes)
	case n == 0 || strings.TrimSpace(r.Query) == "":
		return fault.Errorf(fault.Invalid, "match.texts")
	case n > MostPassages:
		return fault.Errorf(fault.Invalid, "match.many", "passages", n, "most", MostPassages)
	case r.Chosen > n:
		return fault.Errorf(fault.NotFound, "match.no-passage", "number", r.Chosen, "passages", n)
	}
	return nil
}

// matcher is a running Match.
type matcher struct {
	engine *Engine
	ctx    context.Context
	model  *model
	match  *Match
}

func (a *matcher) run(r MatchRequest) error {
	m := a.match
	if cause := a.model.unpooled; cause != nil {
		return &fault.Error{Kind: fault.Unsupported, Msg: messages.New("match.pooling", "name", m.Name, "cause",
			messages.Of(cause)), Err: cause}
	}
	m.Pooling.Kind = cmp.Or(m.Pooling.Kind, MeanPooling)
	m.Kind = m.Pooling.Kind
	task := slices.IndexFunc(a.model.Config.Tasks,
		func(t encoder.Task) bool { return !t.Tokens && !t.Pair && a.model.words != nil })
	if task >= 0 && !m.Pooling.Said {
		m.Kind = CrossScore
	}
	var err error
	var own []float64 // outputs of the query [n·d]
	if m.Kind == CrossScore {
		m.Query, err = a.tokens(r.Query)
	} else {
		m.Query, own, err = a.read(r.Query)
	}
	if err != nil {
		return err
	}
	for _, text := range r.Passages {
		var one MatchText
		if m.Kind == CrossScore {
			one, err = a.cross(r.Query, text, task)
		} else if one, _, err = a.read(text); err == nil {
			one.Score = cosine(m.Query.vector, one.vector)
		}
		if err != nil {
			return err
		}
		m.Passages = append(m.Passages, one)
		m.Ranking = append(m.Ranking, len(m.Ranking))
	}
	slices.SortStableFunc(m.Ranking, func(i, j int) int { return cmp.Compare(m.Passages[j].Score, m.Passages[i].Score) })
	if m.Chosen = m.Ranking[0]; r.Chosen > 0 {
		m.Chosen = r.Chosen - 1
	}
	return a.explain(own)
}

// read runs the model on a text and returns its vector and the outputs of its tokens [n·d].
func (a *matcher) read(text string) (t MatchText, outputs []float64, err error) {
	if t, err = a.tokens(text); err != nil {
		return t, nil, err
	}
	x, err := a.outputs(t, func(_ *nn.Pass, x *tensor.T) *tensor.T { return x })
	if err != nil {
		return t, nil, err
	}
	n, d := len(t.Tokens), x.Dim(-1)
	outputs, t.vector = make([]float64, n*d), make([]float64, d)
	for i, v := range x.Data {
		outputs[i] = float64(v)
		if a.match.Kind == MeanPooling {
			t.vector[i%d] += float64(v) / float64(n)
		} else if i < d {
			t.vector[i] = float64(v)
		}
	}
	return t, outputs, nil
}

// tokens tokenizes one text and leaves out the tokens that the model does not read.
func (a *matcher) tokens(text string) (MatchText, error) {
	whole := &Report{Text: text}
	whole.Tokens = a.engine.vocab.Encode(text)
	if a.model.words != nil {
		var err error
		if whole, err = a.model.reportOf(strings.ReplaceAll(text, tokenizer.PairMark, " ")); err != nil {
			return MatchText{}, err
		}
	}
	t, all := MatchText{Text: text, Tokens: whole.Tokens}, whole.Tokens
	most := a.model.Config.Longest()
	if a.match.Pooling.Most > 0 {
		most = min(most, a.match.Pooling.Most)
	}
	tail := 0
	for tail < len(all) && all[len(all)-1-tail].IsBoundary() {
		tail++
	}
	if len(all)-tail == 0 {
		return t, fault.Errorf(fault.Invalid, "match.texts")
	}
	if t.Left = max(len(all)-most, 0); t.Left > 0 {
		t.Tokens = slices.Concat(all[:max(most-tail, 1)], all[len(all)-tail:])
	}
	return t, nil
}

// outputs runs the model on a text and returns a copy of what read takes from its output.
func (a *matcher) outputs(t MatchText, read func(*nn.Pass, *tensor.T) *tensor.T) (x *tensor.T, err error) {
	in := encoder.Input{Count: 1, IDs: a.model.ids(t.Tokens)}
	err = a.engine.pass(a.ctx, func(p *nn.Pass) {
		begin(p, nn.NoMask, nil)
		x = read(p, a.model.Run(p, in).Value).Clone()
	})
	return x, err
}

// cross scores a pair with a classifier.
func (a *matcher) cross(query, passage string, task int) (MatchText, error) {
	of := a.model.Config.Tasks[task]
	text := strings.ReplaceAll(query, tokenizer.PairMark, " ") + tokenizer.PairMark + strings.ReplaceAll(passage,
		tokenizer.PairMark, " ")
	whole, err := a.model.reportOf(text)
	if err != nil {
		return MatchText{}, err
	}
	t := MatchText{Text: passage, Tokens: whole.Tokens}
	if n, most := len(whole.Tokens), a.model.Config.Longest(); n > most {
		return t, tooLong(a.model.Config, most, n)
	}
	in := encoder.Input{Count: 1, IDs: a.model.ids(whole.Tokens)}
	if a.model.Config.Types > 1 {
		in.Types = whole.Segments
	}
	err = a.engine.pass(a.ctx, func(p *nn.Pass) {
		begin(p, nn.NoMask, nil)
		scores := a.model.Classify(p, a.model.Run(p, in), task).Value
		g, last := guess(of, scores.Data), of.Classes[len(of.Classes)-1] // usually the class "similar"
		t.Label = last
		t.Score = float64(scores.Data[len(of.Classes)-1])
		for _, c := range g.Classes {
			if c.Name == last {
				t.P = c.P
			}
		}
	})
	return t, err
}

// explain explains the score of the chosen passage, given the outputs of the query.
func (a *matcher) explain(own []float64) error {
	m := a.match
	if m.Kind == CrossScore {
		return nil
	}
	m.Pairs = &MatchPairs{}
	chosen := m.Passages[m.Chosen]
	if m.Kind == FirstPooling {
		for i, t := range []MatchText{m.Query, chosen} {
			zeroed, err := a.zeroed(t)
			if err != nil {
				return err
			}
			m.Pairs.Zeroed[i] = zeroed
		}
		return nil
	}
	_, theirs, err := a.read(chosen.Text)
	if err != nil {
		return err
	}
	n, k, d := len(m.Query.Tokens), len(chosen.Tokens), len(chosen.vector)
	scale := float64(n) * float64(k) * norm(m.Query.vector) * norm(chosen.vector)
	m.Pairs.Cells = make([][]float64, n)
	for i := range n {
		m.Pairs.Cells[i] = make([]float64, k)
		for j := range k {
			m.Pairs.Cells[i][j] = dot(own[i*d:][:d], theirs[j*d:][:d]) / scale
		}
	}
	return nil
}

// zeroed returns value zeroing of the first token's output in the last layer: one share for each token.
func (a *matcher) zeroed(t MatchText) ([]float64, error) {
	if t.Left > 0 {
		return nil, nil // the method measures whole texts
	}
	layers := max(a.model.info.Layers, 1)
	rep, err := a.engine.Inspect(a.ctx, Request{
		Text: strings.ReplaceAll(t.Text, tokenizer.PairMark, " "), Mechanisms: []string{a.match.Mechanism},
		Method: method.Measurement{Name: method.ValueZeroing, Layer: layers},
	})
	if err == nil {
		err = rep.Mechanisms[0].Err
	}
	if err != nil {
		return nil, err
	}
	for _, layer := range rep.Mechanisms[0].Layers {
		shown, ok := layer.Find(method.ValueZeroing)
		if !ok || layer.Number != layers {
			continue
		}
		row := make([]float64, shown.Value.Dim(-1))
		for j := range row {
			row[j] = float64(shown.Value.At(0, j))
		}
		return row, nil
	}
	return nil, nil
}

func dot(x, y []float64) (sum float64) {
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }

// cosine returns the cosine of the angle between two vectors.
func cosine(x, y []float64) float64 { return dot(x, y) / (norm(x) * norm(y)) }
