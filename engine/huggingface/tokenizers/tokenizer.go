package tokenizers

import (
	"slices"

	"attnatlas/engine/messages"
)

// Token is a token of an encoded text.
type Token struct {
	ID int
	// Text is the entry of the vocabulary. For an added token and for an unknown piece of Unigram it is
	// the original text.
	Text string
	// Start and End are the token's bytes [Start, End) in the text. Neighbours can overlap, because a
	// token that is part of a character gets the whole character. Tokens added around the text have 0,
	// 0.
	Start, End int
	// Type is the token type id, which distinguishes the second text from the first.
	Type int
	// Sequence is 0 for tokens of the first text, 1 for tokens of the second, and −1 for added tokens.
	Sequence int
	// Special reports whether the token was added around the text. A special token in the text itself
	// does not count.
	Special bool
}

// Tokenizer is an opened tokenizer. It is safe for concurrent use.
type Tokenizer struct {
	normalizer    normalizer
	preTokenizer  preTokenizer
	model         model
	postProcessor postProcessor
	decoder       decoder
	added         *addedTokens
	truncation    *truncation
	padding       *padding
	roles         map[string]string
}

// LongestText is the most bytes of a text.
const LongestText = 4 << 20

// Encode returns the tokens of a text, including added tokens. It ignores truncation and padding in
// tokenizer.json, because the model has its own length.
func (t *Tokenizer) Encode(text string) ([]Token, error) {
	tokens, err := t.encode(text, 0)
	if err != nil {
		return nil, err
	}
	return t.postProcessor.process([][]Token{tokens}, []string{text}), nil
}

// EncodePair encodes two texts as one sequence.
func (t *Tokenizer) EncodePair(first, second string) ([]Token, error) {
	a, err := t.encode(first, 0)
	if err != nil {
		return nil, err
	}
	b, err := t.encode(second, 1)
	if err != nil {
		return nil, err
	}
	return t.postProcessor.process([][]Token{a, b}, []string{first, second}), nil
}

// EncodeDeclared encodes a text with the truncation and the padding of tokenizer.json.
func (t *Tokenizer) EncodeDeclared(text string) ([]Token, error) {
	tokens, err := t.encode(text, 0)
	if err != nil {
		return nil, err
	}
	tokens = t.truncation.truncate(tokens, t.postProcessor.added())
	return t.padding.pad(t.postProcessor.process([][]Token{tokens}, []string{text})), nil
}

// encode returns the tokens of a text without added tokens.
func (t *Tokenizer) encode(input string, sequence int) ([]Token, error) {
	if len(input) > LongestText {
		return nil, messages.Errorf("tokenizers.text", "bytes", len(input), "most", LongestText)
	}
	parts, err := t.parts(newText(input))
	if err != nil {
		return nil, err
	}
	e := encoding{t: t, tokens: make([]Token, 0, len(input)/4+1), sequence: sequence}
	for _, part := range parts {
		if part.id >= 0 {
			e.append(part.text, piece{part.id, 0, int32(len(part.s)), part.s})
		} else if err := e.encode(part.text); err != nil {
			return nil, err
		}
	}
	return e.tokens, nil
}

// parts splits a text at its added tokens, and normalizes the text between those that are not
// normalized.
func (t *Tokenizer) parts(input text) ([]addedPart, error) {
	var out []addedPart
	for _, part := range t.added.split(nil, input, &t.added.found[0]) {
		if part.id >= 0 {
			out = append(out, part)
			continue
		}
		normal, err := t.normalizer.normalize(part.text)
		if err != nil {
			return nil, err
		}
		out = t.added.split(out, normal, &t.added.found[1])
	}
	return out, nil
}

// encoding is a text in the course of encoding.
type encoding struct {
	t        *Tokenizer
	tokens   []Token
	sequence int
	words    []text  // of a part of the text
	pieces   []piece // of a word
	scratch  scratch
}

// encode appends the tokens of a normalized part of the text.
func (e *encoding) encode(part text) (err error) {
	e.words = e.t.preTokenizer.split(e.words[:0], []text{part})
	for _, w := range e.words {
		if w.s == "" {
			continue
		}
		if e.pieces, err = e.t.model.tokenize(&e.scratch, e.pieces[:0], w.s); err != nil {
			return err
		}
		for _, p := range e.pieces {
			e.append(w, p)
		}
	}
	return nil
}

// append appends a token of a word.
func (e *encoding) append(word text, p piece) {
	s := word.span(int(p.start), int(p.end))
	if p.text == "" {
		p.text = e.t.model.vocab().entries[p.id]
	}
	t := Token{ID: int(p.id), Text: p.text, Start: int(s.start), End: int(s.end), Sequence: e.sequence}
	e.tokens = append(e.tokens, t)
}

// Size returns the largest id plus 1.
func (t *Tokenizer) Size() int {
	size := len(t.model.vocab().entries)
	for id := range t.added.byID {
		size = max(size, int(id)+1)
	}
	return size
}

// ID returns the id of an entry of the vocabulary or of an added token.
func (t *Tokenizer) ID(entry string) (id int, ok bool) {
	n, ok := t.added.ids[entry]
	if !ok {
		n, ok = t.model.vocab().ids[entry]
	}
	return int(n), ok
}

// Entry returns the added token (normalized if the file says so) or the vocabulary's entry with an
// id. It is empty if there is none.
func (t *Tokenizer) Entry(id int) string {
	if a, ok := t.added.byID[int32(id)]; ok {
		return a.decoded
	}
	if entries := t.model.vocab().entries; id >= 0 && id < len(entries) {
		return entries[id]
	}
	return ""
}

// usualRoles are the usual tokens for roles that no file assigns.
var usualRoles = map[string][]string{
	"bos_token": {"<s>", "<|endoftext|>"}, "eos_token": {"</s>", "<|endoftext|>"}, "unk_token": {"[UNK]", "<unk>"},
	"sep_token": {"[SEP]", "</s>"}, "pad_token": {"[PAD]", "<pad>"}, "cls_token": {"[CLS]", "<s>"},
	"mask_token": {"[MASK]", "<mask>"},
}

// Role returns the id of the token with a role, such as "mask_token", "cls_token" or "pad_token".
// tokenizer_config.json or special_tokens_map.json assigns roles; otherwise the usual added token
// counts.
func (t *Tokenizer) Role(name string) (id int, ok bool) {
	if entry, named := t.roles[name]; named {
		return t.ID(entry)
	}
	for _, entry := range usualRoles[name] {
		if id, ok := t.added.ids[entry]; ok {
			return int(id), true
		}
	}
	return 0, false
}

// Specials returns the ids of the special tokens, ascending.
func (t *Tokenizer) Specials() (ids []int) {
	for id, a := range t.added.byID {
		if a.special {
			ids = append(ids, int(id))
		}
	}
	slices.Sort(ids)
	return ids
}
