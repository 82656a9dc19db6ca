package engine

import (
	"context"
	"slices"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
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
	Rank  int // 1 is the most probable; at most predict.TopWords
}

// Limits of Continue.
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
	Text  string         // what it adds to the text, with the space before it; it may be empty
	Word  int            // number of its written word, from 1
	P     float64        // its probability 0…1 among the whole vocabulary, at temperature 1
	Rank  int            // its rank in Top, from 1; 0: it is not there
	Taken bool           // it was chosen, not drawn
	Top   []predict.Word // the most probable tokens, by falling probability; at most predict.TopWords
	// Weights are, by layer, the attention weights of the previous token when this one was predicted: [H,n] over the n
	// tokens up to it. Layers without such a map are left out.
	Weights []*tensor.T
	// Own are likewise the weights over the written tokens, if Weights are over a text that the decoder reads.
	Own []*tensor.T
}

// Writer has the methods that Words also needs if a model continues texts.
type Writer interface {
	Decode(ids []int) string // without special tokens
	// Ends are ids that end a text. Specials are never written, except for those that are also in Ends.
	Ends() []int
	Specials() []int
}

// ownWriter is a Writer for the engine's own vocabulary.
type ownWriter struct{ *tokenizer.Vocabulary }

func (w ownWriter) Ends() []int     { return []int{w.SEP()} }
func (w ownWriter) Specials() []int { return []int{w.PAD(), w.UNK(), w.CLS(), w.MASK()} }

// check returns an error if a request is invalid.
func (r Continue) check() error {
	switch {
	case len(r.Text) > MaxTextBytes:
		return fault.Errorf(fault.Invalid, "error.too-many-bytes", "bytes", len(r.Text), "most", MaxTextBytes)
	case r.Words < 0 || r.Words > MostContinued:
		return fault.Errorf(fault.Invalid, "error.continue.words", "words", r.Words, "most", MostContinued)
	case !(r.Temperature >= 0 && r.Temperature <= MostTemperature):
		return fault.Errorf(fault.Invalid, "error.continue.temperature", "temperature", r.Temperature, "most",
			MostTemperature)
	case r.TopK < 0:
		return fault.Errorf(fault.Invalid, "error.continue.top", "top", r.TopK)
	}
	for i, t := range r.Taken {
		if t.Piece < 1 || t.Rank < 1 || t.Rank > predict.TopWords || i > 0 && t.Piece <= r.Taken[i-1].Piece {
			return fault.Errorf(fault.Invalid, "error.continue.taken", "piece", t.Piece, "rank", t.Rank, "most",
				predict.TopWords)
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

// writing is a request with all that is needed to answer it.
type writing struct {
	Continue
	length int // number of tokens at which the model stops
	speller
	reader tokenReader
	ids    []int // tokens that the model reads before it writes
	forced int   // id of the first token to write; -1: any
	pair   bool  // an encoder reads the text
}

// tokenReader reads tokens and scores the candidates for the next one.
type tokenReader interface {
	Read(p *nn.Pass, ids ...int) *ad.Var
	Len() int
}

// speller spells and joins the tokens of a model.
type speller interface {
	predict.Speller
	Writer
}

// spelling combines a Speller and a Writer of one model.
type spelling struct {
	predict.Speller
	Writer
}

// Continue lets the model of an id continue a text. The error is NotFound if there is no such model, Unsupported if
// it does not predict next tokens or the text is too long for it, and Invalid if the request is malformed.
func (e *Engine) Continue(ctx context.Context, id string, r Continue) (*Continuation, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	w, c, err := e.writing(id, r)
	if err == nil {
		err = e.pass(ctx, func(p *nn.Pass) { c.write(ctx, p, w) })
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Continues reports whether the model of an id continues texts, as far as is known without opening it.
func (e *Engine) Continues(id string) bool {
	if g := FindGuest(id); g != nil {
		return g.Causal != nil && g.Causal() || g.Stack() != nil
	}
	_, stack, ok := Find(id)
	_, err := e.Info(id)
	return ok && err == nil && stack != nil && stack.Objective == encoder.NextWord
}

// writing opens a model and encodes the text to continue.
func (e *Engine) writing(id string, r Continue) (w writing, c *Continuation, err error) {
	var m *model
	if g := FindGuest(id); g != nil {
		m, err = g.model()
	} else {
		m, err = e.model(id)
	}
	if err != nil {
		return w, nil, err
	}
	unable := fault.Errorf(fault.Unsupported, "error.continue.objective", "model", messages.Quote(id))
	if m.seq2seq != nil && m.words != nil {
		return e.translating(m, r)
	}
	if m.Model == nil || !m.Guesses() {
		return w, nil, unable
	}
	reader, err := encoder.NewContinuer(m.Model)
	if err != nil {
		return w, nil, unable
	}
	w = writing{Continue: r, length: m.Config.Length, reader: reader, speller: ownWriter{e.vocab}, forced: -1}
	c = &Continuation{}
	defer func() {
		if err == nil {
			for _, id := range w.Ends() {
				c.Ends = append(c.Ends, w.Piece(id))
			}
		}
	}()
	if m.words == nil {
		c.Tokens, _ = e.vocab.EncodePair(r.Text)
	} else {
		writer, ok := m.words.(Writer)
		if !ok {
			return w, nil, unable
		}
		w.speller = spelling{m.words, writer}
		text, err := m.reportOf(r.Text)
		if err != nil {
			return w, nil, err
		}
		c.Tokens = text.Tokens
	}
	if n := len(c.Tokens) - 1; n > 0 && c.Tokens[n].ID == e.vocab.SEP() { // it would end the text
		c.Tokens = c.Tokens[:n]
	}
	w.ids = m.ids(c.Tokens)
	switch n := len(c.Tokens); {
	case n == 0:
		return w, nil, fault.Errorf(fault.Invalid, "error.no-words")
	case n >= w.length:
		return w, nil, fault.Errorf(fault.Unsupported, "error.continue.long", "tokens", n, "most", w.length-1)
	}
	return w, c, m.affordable(len(c.Tokens))
}

// decoding is a Writer for a guest's decoder, with the special tokens of its configuration.
type decoding struct {
	Target
	Writer
}

// Ends implements Writer.
func (d decoding) Ends() []int { return d.Target.Ends() }

// Specials implements Writer.
func (d decoding) Specials() []int { return d.Target.Specials() }

// translating opens an encoder–decoder that reads a text and writes another.
func (e *Engine) translating(m *model, r Continue) (w writing, c *Continuation, err error) {
	text, err := m.reportOf(r.Text)
	if err != nil {
		return w, nil, err
	}
	if err := e.generates(m, text, Request{}); err != nil {
		return w, nil, err
	}
	n, length := len(text.Tokens), m.config().Length
	switch {
	case n == 0:
		return w, nil, fault.Errorf(fault.Invalid, "error.no-words")
	case n > length:
		return w, nil, fault.Errorf(fault.Unsupported, "error.continue.long", "tokens", n, "most", length)
	}
	own, _ := m.words.(Writer)
	w = writing{Continue: r, length: length, speller: spelling{m.words, decoding{m.target, own}}, forced: m.target.Forced,
		pair: true, ids: []int{m.target.Start}, reader: encoder.NewTargetContinuer(m.seq2seq,
			encoder.Pair{Count: 1, Source: m.ids(text.Tokens)})}
	c = &Continuation{Tokens: text.Tokens, Begins: w.Piece(m.target.Start)}
	for _, id := range w.Ends() {
		c.Ends = append(c.Ends, w.Piece(id))
	}
	return w, c, m.affordable(n)
}

// write continues the text token by token.
func (c *Continuation) write(ctx context.Context, p *nn.Pass, w writing) {
	var ids []int
	last := w.ids[len(w.ids)-1:]
	said := w.Decode(last)
	for next, words, pieces := w.ids, 0, 0; ; pieces++ {
		p.Reset()
		stoppable(ctx, p)
		p.Run = &trace.Run{Only: []string{"weights"}}
		scores := w.reader.Read(p, next...).Value.Sub(0)
		id, one := w.choose(scores, len(ids)+1)
		one.Weights = w.layer(lastRows(p.Run))
		if w.pair {
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
		if c.Full = w.reader.Len()+1 >= w.length; c.Full {
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
func (w writing) choose(scores *tensor.T, piece int) (id int, one WrittenPiece) {
	probability, chances := predict.Probabilities(scores), scores.Clone().Data
	shown := slices.Clone(probability)
	for _, special := range w.Specials() {
		if !slices.Contains(w.Ends(), special) {
			chances[special], shown[special] = nn.Masked, 0
		}
	}
	likeliest := predict.Likeliest(shown, predict.TopWords)
	one.Top = predict.Top(w.speller, shown)
	if piece == 1 && w.forced >= 0 {
		id = w.forced
	} else if rank := w.rank(piece); rank > 0 && rank <= len(likeliest) {
		id, one.Taken = likeliest[rank-1], true
	} else {
		id = predict.Sample(chances, predict.Sampling{Temperature: w.Temperature, TopK: w.TopK, Seed: w.Seed},
			w.reader.Len())
	}
	one.Piece, one.P, one.Rank = w.Piece(id), float64(probability[id]), slices.Index(likeliest, id)+1
	return id, one
}

// layer returns the rows of the requested layer, or of all layers.
func (w writing) layer(rows []*tensor.T) []*tensor.T {
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

// ContinueCost returns an upper estimate for Continue, without running anything. Refused requests cost nothing.
func (e *Engine) ContinueCost(id string, r Continue) Cost {
	info, err := e.Info(id)
	if r.check() != nil || err != nil {
		return Cost{}
	}
	n, vocabulary := e.vocab.Count(r.Text), e.vocab.Size()
	var pair *encoder.Seq2Seq
	if g := FindGuest(id); g != nil {
		m, err := g.model()
		if err != nil {
			return Cost{}
		}
		if n, err = g.count(r.Text); err != nil {
			return Cost{}
		}
		vocabulary, pair = m.config().Vocab, m.seq2seq
	}
	if n > info.Length {
		return Cost{}
	}
	entry, _, _ := Find(id)
	d, mixer := float64(info.Width), MixerOf(info)
	one, layers, begun, source := e.costOf(id, n, Request{Text: r.Text}), info.Layers, n, 0
	inLayer, heads := encoder.RestFLOPs*d*d, info.Heads
	if pair != nil { // the decoder begins a text of its own and also reads the source
		one, layers, begun, source = costOfPass(entry, nil, info, n, Request{}), pair.DecoderLayers(), 0, n
		vocabulary, heads = pair.Vocabulary(), pair.DecoderHeads()
		mixer.Heads = heads
		cross := float64(entry.FLOPs(mixer, source))
		one.Operations += float64(layers) * cross // keys and values of the source
		inLayer += cross / float64(max(source, 1))
	}
	all, most := min(info.Length, begun+2*(r.Words+1)), min(info.Length,
		begun+MostWordPieces*(r.Words+1)) // tokens, usually and at most
	inLayer += float64(entry.FLOPs(mixer, all)) / float64(all)
	const size = int64(unsafe.Sizeof(tensor.Elem(0)))
	kept := int64(most-begun) * int64(heads*(most+source)) * size
	if r.Layer == 0 {
		kept *= int64(layers)
	}
	cache := int64(2*(most+source)*layers*info.Width) * size
	return Cost{
		Operations: one.Operations + float64(all-begun)*(float64(layers)*inLayer+2*d*float64(vocabulary)),
		Bytes:      one.Bytes + int64(n)*passBytes + kept + cache + int64(vocabulary)*32,
	}
}
