package tokenizers

import "slices"

// truncation shortens a text to a number of tokens, including added tokens.
type truncation struct {
	most int
	left bool // keeps the end
}

// padding appends tokens up to a number of tokens.
type padding struct {
	to, multiple int // 0: none
	left         bool
	token        Token
}

// mostPadding limits to and multiple.
const mostPadding = 1 << 20

var (
	directions = map[string]bool{"Right": false, "Left": true}
	strategies = map[string]bool{"LongestFirst": true, "OnlyFirst": true, "OnlySecond": false}
)

// newTruncation reads the field "truncation".
func newTruncation(o *object) *truncation {
	if o == nil {
		return nil
	}
	t := &truncation{most: o.count("max_length", 0, mostEntries<<8), left: choice(o, "direction", "Right", directions)}
	o.value("stride") // for splitting a text into several
	if !choice(o, "strategy", "LongestFirst", strategies) {
		t = nil
	}
	o.done()
	return t
}

// newPadding reads the field "padding".
func newPadding(o *object) *padding {
	if o == nil {
		return nil
	}
	p := &padding{
		multiple: o.count("pad_to_multiple_of", 0, mostPadding), left: choice(o, "direction", "Right", directions),
		token: Token{ID: o.count("pad_id", 0, mostEntries), Text: o.text("pad_token", "[PAD]"), Sequence: -1, Special: true},
	}
	p.token.Type = o.count("pad_type_id", 0, mostEntries)
	if string(o.value("strategy")) != `"BatchLongest"` {
		if fixed := o.child("strategy"); fixed != nil {
			p.to = fixed.count("Fixed", 0, mostPadding)
			fixed.done()
		}
	}
	o.done()
	return p
}

// truncate shortens a text to which added tokens will be added.
func (t *truncation) truncate(tokens []Token, added int) []Token {
	if t == nil {
		return tokens
	}
	n := min(len(tokens), max(t.most-added, 0))
	if t.left {
		return tokens[len(tokens)-n:]
	}
	return tokens[:n]
}

// pad appends tokens, or inserts them before the first.
func (p *padding) pad(tokens []Token) []Token {
	if p == nil {
		return tokens
	}
	n := p.to
	if n == 0 {
		n = len(tokens)
	}
	if p.multiple > 0 {
		n = (n + p.multiple - 1) / p.multiple * p.multiple
	}
	pads := slices.Repeat([]Token{p.token}, max(n-len(tokens), 0))
	if p.left {
		return append(pads, tokens...)
	}
	return append(tokens, pads...)
}
