// Package similarity scores how similar a model finds two texts, and explains the score.
package similarity

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
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

// Question asks a model how similar a text and some passages are.
type Question struct {
	Mechanism string
	Query     string
	Passages  []string
	Chosen    int // passage whose score is explained, from 1; 0: the best
}

// Scores say how similar a model finds a text and some passages.
type Scores struct {
	Mechanism string
	Name      messages.Message
	Kind      string // MeanPooling, FirstPooling or CrossScore
	Pooling   Pooling
	Query     Text
	Passages  []Text // in the order of the request
	Ranking   []int  // of Passages, the best first
	Chosen    int    // index in Passages
	Pairs     *Pairs // explains the score of the chosen passage
}

// Text is a text as the model read it.
type Text struct {
	Text   string
	Tokens []tokenizer.Token // of both texts, if it is a pair
	Left   int               // tokens that were not read, because the model reads fewer
	Score  float64           // similarity to the query: the cosine, or the classifier's score
	Label  string            // of the class that is scored; empty: the score is a cosine
	P      float64           // probability of the class
	vector []float64
}

// Pairs explains a score.
type Pairs struct {
	// Cells [n,m] sum to the cosine of two means: xᵢ·yⱼ/(nm‖x̄‖‖ȳ‖), of token i of the query and j of the passage.
	Cells [][]float64
	// Zeroed is set if the first token's output is the vector. It holds value zeroing of that output in the last
	// layer: the share of each token, of the query and of the passage.
	Zeroed [2][]float64
}

// Sum returns the sum of all cells.
func (p *Pairs) Sum() (sum float64) {
	for _, row := range p.Cells {
		for _, v := range row {
			sum += v
		}
	}
	return sum
}

// Check returns an error if texts are invalid for every model.
func (r Question) Check() error {
	switch n := len(r.Passages); {
	case n == 0 || strings.TrimSpace(r.Query) == "":
		return fault.Errorf(fault.Invalid, "match.texts")
	case n > MostPassages:
		return fault.Errorf(fault.Invalid, "match.many", "passages", n, "most", MostPassages)
	case r.Chosen > n:
		return fault.Errorf(fault.NotFound, "match.no-passage", "number", r.Chosen, "passages", n)
	}
	return nil
}

// Reader is a model that reads texts.
type Reader struct {
	*encoder.Model
	Name     messages.Message
	Pooling  Pooling
	Unpooled error // why texts cannot be matched; nil: they can
	// Tokens tokenizes a text.
	Tokens func(text string) ([]tokenizer.Token, error)
	// Pair tokenizes a pair of texts, and returns its segments. It is nil if the model’s classifiers do not score pairs.
	Pair func(query, passage string) ([]tokenizer.Token, []int, error)
	IDs  func([]tokenizer.Token) []int
	// Pass runs a pass when its turn comes.
	Pass func(do func(*nn.Pass)) error
	// Zeroed returns value zeroing of the first token’s output in the last layer: one share for each token.
	Zeroed func(text string) ([]float64, error)
}

// matcher is a running Match.
type matcher struct {
	model *Reader
	match *Scores
}

// Match scores passages with a model and explains the score of the chosen one.
func Match(r Question, with *Reader) (*Scores, error) {
	a := &matcher{model: with, match: &Scores{Mechanism: r.Mechanism, Name: with.Name, Pooling: with.Pooling}}
	return a.match, a.run(r)
}

func (a *matcher) run(r Question) error {
	m := a.match
	if cause := a.model.Unpooled; cause != nil {
		return &fault.Error{Kind: fault.Unsupported, Msg: messages.New("match.pooling", "name", m.Name, "cause",
			messages.Of(cause)), Err: cause}
	}
	m.Pooling.Kind = cmp.Or(m.Pooling.Kind, MeanPooling)
	m.Kind = m.Pooling.Kind
	task := slices.IndexFunc(a.model.Config.Tasks,
		func(t encoder.Task) bool { return !t.Tokens && !t.Pair && a.model.Pair != nil })
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
		var one Text
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
func (a *matcher) read(text string) (t Text, outputs []float64, err error) {
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
func (a *matcher) tokens(text string) (Text, error) {
	all, err := a.model.Tokens(text)
	if err != nil {
		return Text{}, err
	}
	t := Text{Text: text, Tokens: all}
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
func (a *matcher) outputs(t Text, read func(*nn.Pass, *tensor.T) *tensor.T) (x *tensor.T, err error) {
	in := encoder.Input{Count: 1, IDs: a.model.IDs(t.Tokens)}
	err = a.model.Pass(func(p *nn.Pass) {
		x = read(p, a.model.Run(p, in).Value).Clone()
	})
	return x, err
}

// cross scores a pair with a classifier.
func (a *matcher) cross(query, passage string, task int) (Text, error) {
	of := a.model.Config.Tasks[task]
	tokens, segments, err := a.model.Pair(query, passage)
	if err != nil {
		return Text{}, err
	}
	t := Text{Text: passage, Tokens: tokens}
	in := encoder.Input{Count: 1, IDs: a.model.IDs(tokens)}
	if a.model.Config.Types > 1 {
		in.Types = segments
	}
	err = a.model.Pass(func(p *nn.Pass) {
		scores := a.model.Classify(p, a.model.Run(p, in), task).Value
		g, last := predict.Classes(of, scores.Data), of.Classes[len(of.Classes)-1] // usually the class "similar"
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
	m.Pairs = &Pairs{}
	chosen := m.Passages[m.Chosen]
	if m.Kind == FirstPooling {
		for i, t := range []Text{m.Query, chosen} {
			if t.Left > 0 {
				continue // the method measures whole texts
			}
			var err error
			if m.Pairs.Zeroed[i], err = a.model.Zeroed(t.Text); err != nil {
				return err
			}
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

func dot(x, y []float64) (sum float64) {
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }

// cosine returns the cosine of the angle between two vectors.
func cosine(x, y []float64) float64 { return dot(x, y) / (norm(x) * norm(y)) }
