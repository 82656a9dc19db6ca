package tokenizers

import (
	"strings"
	"unicode/utf8"

	"attnatlas/engine/messages"
)

// addedToken is a string that is found in the original or in the normalized text, before the text
// is split into words.
type addedToken struct {
	content    string
	id         int32
	singleWord bool // only without adjacent word characters
	left       bool // includes the white space before it
	right      bool // includes the white space after it
	normalized bool // is found in the normalized text, in normalized form
	special    bool // Decode leaves it out
	decoded    string
}

// addedTokens are the added tokens of a tokenizer.
type addedTokens struct {
	byID  map[int32]addedToken
	ids   map[string]int32
	found [2]finder // tokens in the original text, tokens in the normalized text
}

// finder finds strings, and the longest of several at the same place.
type finder struct {
	*trie
	first [256]bool // bytes with which strings begin
}

// readAddedTokens reads the field "added_tokens".
func readAddedTokens(o *object) []addedToken {
	var all []addedToken
	for _, t := range o.list("added_tokens") {
		all = append(all, readAddedToken(t))
		t.value("id") // follows from the vocabulary and the order, as in the library
		t.done()
	}
	return all
}

// readAddedToken reads one added token.
func readAddedToken(t *object) addedToken {
	a := addedToken{content: t.text("content", ""), special: t.boolean("special", false)}
	a.singleWord, a.left, a.right = t.boolean("single_word", false), t.boolean("lstrip", false), t.boolean("rstrip", false)
	a.normalized = t.boolean("normalized", !a.special)
	return a
}

// newAddedTokens assigns ids to the tokens: their ids in the vocabulary, or the next ids after
// size.
func newAddedTokens(list []addedToken, v *vocabulary, size int, n normalizer) (*addedTokens, error) {
	a := &addedTokens{byID: map[int32]addedToken{}, ids: map[string]int32{}}
	a.found = [2]finder{{trie: newTrie(0)}, {trie: newTrie(0)}}
	next := int32(size)
	for _, t := range list {
		var ok bool
		if t.id, ok = a.ids[t.content]; !ok {
			t.id, ok = v.ids[t.content]
		}
		if !ok {
			t.id = next
		}
		if t.content != "" {
			next = max(next, t.id+1)
			a.ids[t.content], a.byID[t.id] = t.id, t // the last of several counts
		}
	}
	for _, special := range []bool{true, false} { // if strings are equal, the first one is found
		for _, t := range list {
			if t.special == special && t.content != "" {
				if err := a.find(t, n); err != nil {
					return nil, err
				}
			}
		}
	}
	return a, nil
}

// find adds a token to its finder.
func (a *addedTokens) find(t addedToken, n normalizer) error {
	in, content := &a.found[0], newText(t.content)
	if t.normalized {
		in = &a.found[1]
		var err error
		if content, err = n.normalize(content); err != nil {
			return err
		}
	}
	t.id = a.ids[t.content]
	known := a.byID[t.id]
	known.decoded = content.s
	a.byID[t.id] = known
	if content.s == "" {
		return nil
	}
	if node, ok := in.walk(content.s); ok && in.ids[node] >= 0 {
		return nil
	}
	in.first[content.s[0]] = true
	if !in.add(content.s, t.id) {
		return messages.Errorf("tokenizers.vocabulary", "most", mostNodes)
	}
	return nil
}

// addedPart is a part of a text: an added token, or with id -1 a part to search further.
type addedPart struct {
	text
	id int32
}

// split splits a text at the tokens of a finder.
func (a *addedTokens) split(out []addedPart, t text, in *finder) []addedPart {
	at := 0 // end of the last token
	for i := 0; i < len(t.s); {
		id, size := int32(-1), 0
		if in.first[t.s[i]] {
			id, size = in.longest(0, t.s[i:])
		}
		if id < 0 {
			i++
			continue
		}
		start, end, ok := a.byID[id].extent(t.s, at, i, i+size)
		if i += size; !ok {
			continue
		}
		out = appendPart(out, t.slice(at, start), -1)
		out = appendPart(out, t.slice(start, end), id)
		at = end
	}
	return appendPart(out, t.slice(at, len(t.s)), -1)
}

// appendPart appends a non-empty part.
func appendPart(out []addedPart, t text, id int32) []addedPart {
	if t.s == "" {
		return out
	}
	return append(out, addedPart{t, id})
}

// extent returns the range of a token that was found at [start, end), with its white space. The
// previous token ends at last. ok is false if the token must be a single word and is not.
func (t addedToken) extent(s string, last, start, end int) (from, to int, ok bool) {
	if t.singleWord {
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if start > 0 && word.is(before) || end < len(s) && word.is(after) {
			return 0, 0, false
		}
	}
	if t.left {
		start = max(last, len(strings.TrimRightFunc(s[:start], space.is)))
	}
	if t.right {
		end = len(s) - len(strings.TrimLeftFunc(s[end:], space.is))
	}
	return start, end, true
}
