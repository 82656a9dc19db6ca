package engine

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Continue says how a model of next words continues a text. The same values give the same words.
type Continue struct {
	Text  string // the beginning; it may be empty
	Words int    // to write at most, 1…MostContinued; what stands apart, such as a comma, counts as a word
	// Temperature divides the scores before a word is drawn: below 1 likely words become likelier,
	// above 1 they become rarer. 0 always takes the likeliest word.
	Temperature float64
	TopK        int    // draw among so many of the likeliest pieces; 0: among all
	Seed        uint64 // of the draws
}

// Limits of Continue.
const (
	MostContinued   = 512
	MostTemperature = 5
)

// Continuation is a text and what a model wrote behind it.
type Continuation struct {
	Tokens  []tokenizer.Token // of the text, from [CLS] on, without the last [SEP]
	Written []WrittenPiece
	Text    string // what was written, as text in lower case
	Stopped bool   // the model ended the text itself, with [SEP]
	Full    bool   // the model has read as many tokens as it was trained on
}

// WrittenPiece is one word piece that a model wrote.
type WrittenPiece struct {
	Piece string
	P     float64        // its probability 0…1 among the whole vocabulary, at temperature 1
	Top   []predict.Word // the likeliest pieces, by falling probability; at most predict.TopWords
	// Weights are, by layer, whom the token before read when the piece was guessed: [H,n] over
	// the n tokens up to it. Layers without such a map are left out.
	Weights []*tensor.T
}

// check says what is wrong with a request.
func (r Continue) check() error {
	switch {
	case len(r.Text) > MaxTextBytes:
		return fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", len(r.Text), "most", MaxTextBytes)
	case r.Words < 1 || r.Words > MostContinued:
		return fault.Errorf(fault.Invalid, "error.continue.words", "words", r.Words, "most", MostContinued)
	case !(r.Temperature >= 0 && r.Temperature <= MostTemperature):
		return fault.Errorf(fault.Invalid, "error.continue.temperature", "temperature", r.Temperature, "most", MostTemperature)
	case r.TopK < 0:
		return fault.Errorf(fault.Invalid, "error.continue.top", "top", r.TopK)
	}
	return nil
}

// Continue has the model of an id continue a text. The error is NotFound where there is no such
// model, Unsupported where it guesses no next words or the text is too long for it, and Invalid
// where the request is malformed.
func (e *Engine) Continue(ctx context.Context, id string, r Continue) (*Continuation, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	m, err := e.model(id)
	if err != nil {
		return nil, err
	}
	if m.Model == nil {
		return nil, fault.Errorf(fault.Unsupported, "error.continue.objective", "model", messages.Quote(id))
	}
	reader, err := encoder.NewContinuer(m.Model)
	if err != nil {
		return nil, fault.Errorf(fault.Unsupported, "error.continue.objective", "model", messages.Quote(id))
	}
	tokens, _ := e.vocab.EncodePair(r.Text)
	tokens = tokens[:len(tokens)-1]
	c := &Continuation{Tokens: tokens}
	if length := m.Config.Length; len(tokens) >= length {
		return nil, fault.Errorf(fault.Unsupported, "error.continue.long", "tokens", len(tokens), "most", length-1)
	}
	err = e.pass(ctx, func(p *nn.Pass) { c.write(ctx, e, p, reader, writing{r, m.Config.Length}) })
	return c, err
}

// writing is a request and the number of tokens at which its model ends.
type writing struct {
	Continue
	length int
}

// write continues the text piece by piece.
func (c *Continuation) write(ctx context.Context, e *Engine, p *nn.Pass, reader *encoder.Continuer, r writing) {
	var ids []int
	next, words := tokenizer.IDs(c.Tokens), 0
	for {
		p.Reset()
		stoppable(ctx, p)
		p.Run = &trace.Run{Only: []string{"weights"}}
		scores := reader.Read(p, next...).Value.Sub(0)
		id := e.draw(scores, r.Continue, reader.Len())
		if c.Stopped = id == e.vocab.SEP(); c.Stopped {
			break
		}
		if !e.vocab.IsContinuation(id) || len(ids) == 0 {
			words++
		}
		if words > r.Words {
			break
		}
		probability := predict.Probabilities(scores)
		ids, next = append(ids, id), []int{id}
		c.Written = append(c.Written, WrittenPiece{
			Piece: e.vocab.Piece(id), P: float64(probability[id]), Top: predict.Top(e.vocab, probability), Weights: lastRows(p.Run),
		})
		if c.Full = reader.Len()+1 == r.length; c.Full {
			break
		}
	}
	c.Text = e.vocab.Decode(ids)
}

// draw takes the id that is written at a position, by the scores [V]. Of the special pieces only
// [SEP] can be drawn. What is drawn depends on the scores, the request and the position alone.
func (e *Engine) draw(scores *tensor.T, r Continue, position int) int {
	chances := scores.Clone().Data
	for id := range chances {
		if e.vocab.IsSpecial(id) && id != e.vocab.SEP() {
			chances[id] = nn.Masked
		}
	}
	count := len(chances)
	if r.TopK > 0 {
		count = min(count, r.TopK)
	}
	if r.Temperature == 0 {
		count = 1
	}
	if count < len(chances)/16 { // sorting all is quicker for many
		return drawFrom(chances, predict.Likeliest(chances, count), r, position)
	}
	return drawFrom(chances, byScore(chances)[:count], r, position)
}

// byScore are all ids by falling scores.
func byScore(scores []tensor.Elem) []int {
	ids := make([]int, len(scores))
	for i := range ids {
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return ids
}

// drawFrom draws one of some ids, the first of which has the highest score.
func drawFrom(scores []tensor.Elem, ids []int, r Continue, position int) int {
	if len(ids) == 1 {
		return ids[0]
	}
	sum, chances := 0.0, make([]float64, len(ids))
	for i, id := range ids {
		chances[i] = math.Exp(float64(scores[id]-scores[ids[0]]) / r.Temperature)
		sum += chances[i]
	}
	x := sum * rand.New(rand.NewPCG(r.Seed, uint64(position))).Float64()
	for i, chance := range chances {
		if x -= chance; x < 0 {
			return ids[i]
		}
	}
	return ids[0]
}

// lastRows are the rows [H,n] of the last position in the maps of the layers that say who reads
// whom.
func lastRows(run *trace.Run) (rows []*tensor.T) {
	for _, m := range run.Steps {
		if roles := m.Roles(); m.Name != "weights" || len(roles) != 3 || roles[0] != trace.Head || roles[2] != trace.Key {
			continue
		}
		heads, queries, keys := m.Value.Dim(0), m.Value.Dim(1), m.Value.Dim(2)
		row := tensor.New(heads, keys)
		for h := range heads {
			copy(row.Data[h*keys:][:keys], m.Value.Data[(h*queries+queries-1)*keys:])
		}
		rows = append(rows, row)
	}
	for _, part := range run.Parts {
		rows = append(rows, lastRows(part)...)
	}
	return rows
}
