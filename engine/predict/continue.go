package predict

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine/ad"
	"attnatlas/engine/fault"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Continue is a request to continue a text. The same values give the same words.
type Continue struct {
	Text string // the beginning; it may be empty if the model has a token that starts texts
	// Words is the largest number of words to write, 0…MostContinued. A separate token, such as a comma, counts as a
	// word. A long word counts again after every MostWordPieces tokens.
	Words int
	// Temperature divides the scores before a token is drawn: below 1 probable tokens become more probable, above 1
	// less probable. 0 always takes the most probable token.
	Temperature float64
	TopK        int     // draw among this many of the most probable tokens; 0: among all
	Seed        uint64  // of the draws
	Taken       []Taken // tokens that are not drawn but chosen, by rising Piece
	Layer       int     // layer whose attention weights are kept, from 1; 0: all layers
}

// Taken is a choice among the most probable tokens at one position, instead of a draw.
type Taken struct {
	Piece int // number of the written token, from 1
	Rank  int // 1 is the most probable; at most TopWords
}

// Limits of a Continue.
const (
	MostContinued   = 512
	MostWordPieces  = 8 // a model may write tokens without an end and without a space
	MostTemperature = 5
)

// Continuation is a text and its continuation by a model.
type Continuation struct {
	Tokens  []tokenizer.Token // of the text, without an end token
	Written []WrittenPiece
	Next    *WrittenPiece // candidates for the next token, without Piece; nil if Full
	Text    string        // the continuation as text; in lower case from the engine's own models
	Stopped bool          // the model ended the text itself
	Full    bool          // the model has read as many tokens as it was trained on
	Ends    []string      // the tokens that end a text, spelled as in Top
	// Begins is the start token of a decoder, which reads the text and writes another; empty: the model continues the
	// text.
	Begins string
}

// WrittenPiece is one token that a model wrote.
type WrittenPiece struct {
	Piece string
	Text  string  // what it adds to the text, with the space before it; it may be empty
	Word  int     // number of its written word, from 1
	P     float64 // its probability 0…1 among the whole vocabulary, at temperature 1
	Rank  int     // its rank in Top, from 1; 0: it is not there
	Taken bool    // it was chosen, not drawn
	Top   []Word  // the most probable tokens, by falling probability; at most TopWords
	// Weights are, by layer, the attention weights of the previous token when this one was predicted: [H,n] over the n
	// tokens up to it. Layers without such a map are left out.
	Weights []*tensor.T
	// Own are likewise the weights over the written tokens, if Weights are over a text that the decoder reads.
	Own []*tensor.T
}

// Writer has the methods that a tokenizer needs if its model continues texts.
type Writer interface {
	Decode(ids []int) string // without special tokens
	// Ends are ids that end a text. Specials are never written, except for those that are also in Ends.
	Ends() []int
	Specials() []int
}

// Check returns an error if a number of the request is invalid.
func (r Continue) Check() error {
	switch {
	case r.Words < 0 || r.Words > MostContinued:
		return fault.Errorf(fault.Invalid, "error.continue.words", "words", r.Words, "most", MostContinued)
	case !(r.Temperature >= 0 && r.Temperature <= MostTemperature):
		return fault.Errorf(fault.Invalid, "error.continue.temperature", "temperature", r.Temperature, "most",
			MostTemperature)
	case r.TopK < 0:
		return fault.Errorf(fault.Invalid, "error.continue.top", "top", r.TopK)
	}
	for i, t := range r.Taken {
		if t.Piece < 1 || t.Rank < 1 || t.Rank > TopWords || i > 0 && t.Piece <= r.Taken[i-1].Piece {
			return fault.Errorf(fault.Invalid, "error.continue.taken", "piece", t.Piece, "rank", t.Rank, "most",
				TopWords)
		}
	}
	return nil
}

// rank returns the rank of the token to take at a position, or 0 if it is drawn.
func (r Continue) rank(piece int) int {
	for _, t := range r.Taken {
		if t.Piece == piece {
			return t.Rank
		}
	}
	return 0
}

// Writing is a request with all that is needed to answer it.
type Writing struct {
	Continue
	Speller
	Writer
	Reader TokenReader
	Length int   // number of tokens at which the model stops
	IDs    []int // tokens that the model reads before it writes
	Forced int   // id of the first token to write; -1: any
	Pair   bool  // an encoder reads the text
}

// TokenReader reads tokens and scores the candidates for the next one [1,V].
type TokenReader interface {
	Read(p *nn.Pass, ids ...int) *ad.Var
	Len() int
}

// Write continues the text token by token. renew empties the pass before each token.
func (c *Continuation) Write(p *nn.Pass, w Writing, renew func(*nn.Pass)) {
	for _, id := range w.Ends() {
		c.Ends = append(c.Ends, w.Piece(id))
	}
	var ids []int
	last := w.IDs[len(w.IDs)-1:]
	said := w.Decode(last)
	for next, words, pieces := w.IDs, 0, 0; ; pieces++ {
		renew(p)
		p.Run = &trace.Run{Only: []string{"weights"}}
		scores := w.Reader.Read(p, next...).Value.Sub(0)
		id, one := w.choose(scores, len(ids)+1)
		one.Weights = w.layer(lastRows(p.Run))
		if w.Pair {
			one.Own, one.Weights = decoderRows(p.Run)
			one.Own, one.Weights = w.layer(one.Own), w.layer(one.Weights)
		}
		text := w.Decode(slices.Concat(last, ids, []int{id}))
		one.Text = added(said, text)
		fresh := len(ids) == 0 || pieces == MostWordPieces || begins(said, one.Text)
		ended := slices.Contains(w.Ends(), id)
		if ended || fresh && words == w.Words {
			one.Piece, one.Text, one.P, one.Rank, one.Taken = "", "", 0, 0, false
			c.Next, c.Stopped = &one, ended
			break
		}
		if fresh {
			words, pieces = words+1, 0
		}
		one.Word, said = words, text
		ids, next = append(ids, id), []int{id}
		c.Written = append(c.Written, one)
		if c.Full = w.Reader.Len()+1 >= w.Length; c.Full {
			break
		}
	}
	c.Text = w.Decode(ids)
}

// added returns what a longer text adds to a shorter one: the part after their common beginning.
func added(before, after string) string {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	for n > 0 && n < len(after) && !utf8.RuneStart(after[n]) {
		n--
	}
	return after[n:]
}

// begins reports whether the added text begins a word: it does not join two letters, digits or accents. A Han
// character is a word.
func begins(text, added string) bool {
	first, _ := utf8.DecodeRuneInString(added)
	last, _ := utf8.DecodeLastRuneInString(text)
	letter := func(r rune) bool {
		return r == utf8.RuneError || unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark)
	}
	return added != "" && (unicode.Is(unicode.Han, first) || !letter(first) || !letter(last))
}

// choose returns the token at a position, from 1, given the scores [V]: the requested one, or a drawn one. The only
// special tokens that can be written are those that end the text.
func (w Writing) choose(scores *tensor.T, piece int) (id int, one WrittenPiece) {
	probability, chances := Probabilities(scores), scores.Clone().Data
	shown := slices.Clone(probability)
	for _, special := range w.Specials() {
		if !slices.Contains(w.Ends(), special) {
			chances[special], shown[special] = nn.Masked, 0
		}
	}
	likeliest := Likeliest(shown, TopWords)
	one.Top = mostProbable(w.Speller, shown)
	if piece == 1 && w.Forced >= 0 {
		id = w.Forced
	} else if rank := w.rank(piece); rank > 0 && rank <= len(likeliest) {
		id, one.Taken = likeliest[rank-1], true
	} else {
		id = sample(chances, sampling{Temperature: w.Temperature, TopK: w.TopK, Seed: w.Seed},
			w.Reader.Len())
	}
	one.Piece, one.P, one.Rank = w.Piece(id), float64(probability[id]), slices.Index(likeliest, id)+1
	return id, one
}

// layer returns the rows of the requested layer, or of all layers.
func (w Writing) layer(rows []*tensor.T) []*tensor.T {
	if w.Layer > 0 && w.Layer <= len(rows) {
		return rows[w.Layer-1 : w.Layer]
	}
	return rows
}

// decoderRows returns the last rows of a decoder's layers: over what it wrote, and over the text that it reads.
func decoderRows(run *trace.Run) (own, cross []*tensor.T) {
	for _, part := range run.Parts {
		own = append(own, lastRows(&trace.Run{Steps: part.Steps})...)
		for _, reading := range part.Parts {
			cross = append(cross, lastRows(reading)...)
		}
	}
	return own, cross
}

// lastRows returns, for each layer with an attention map, the rows [H,n] of the last position.
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
