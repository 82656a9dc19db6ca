package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
)

// A word of the token strip is hidden behind [MASK], or shown again, by a form that asks
// for hide=START.END, the bytes of the word in the text. The answer leads to the page
// with the new text, whose address knows what is hidden: was=WORD for each word, and was= for a [MASK] that somebody wrote.

// keyHide asks for a word to be hidden or shown; keyWas says what a [MASK] hides.
const (
	keyHide = "hide"
	keyWas  = "was"
)

const maskPiece = "[MASK]"

// isMask says whether a token hides a word.
func isMask(t tokenizer.Token) bool { return t.Piece == maskPiece }

// veil is one or more masks of a text and the word that they hide; an empty word is not
// known.
type veil struct {
	first, last int // tokens [first,last)
	word        string
}

// veils lists what hides the masks of a text, in order. It fails when was has not the
// words for just these masks.
func veils(tokens []tokenizer.Token, was []string) ([]veil, bool) {
	var list []veil
	for i := 0; i < len(tokens); i++ {
		if !isMask(tokens[i]) {
			continue
		}
		v := veil{first: i, last: i + 1}
		if was != nil {
			k := len(list)
			if k == len(was) {
				return nil, false
			}
			if v.word = was[k]; v.word != "" {
				v.last = i + len(tokenizer.Default().EncodeIDs(v.word))
			}
		}
		for j := v.first; j < v.last; j++ {
			if j == len(tokens) || !isMask(tokens[j]) || j > v.first && tokens[j].Start != tokens[j-1].End {
				return nil, false
			}
		}
		if v.last == v.first {
			return nil, false // a word without tokens
		}
		list = append(list, v)
		i = v.last - 1
	}
	return list, was == nil || len(list) == len(was)
}

// hidden are the pieces behind the masks of a text, by the number of their token, where
// the state knows them.
func hidden(s State) map[int]tokenizer.Token {
	if len(s.Was) == 0 || len(s.Text) > engine.MaxTextBytes {
		return nil
	}
	tokens, _ := engine.Tokens(tokenizer.Default(), s.Text)
	list, ok := veils(tokens, s.Was)
	if !ok {
		return nil
	}
	before, _ := engine.Tokens(tokenizer.Default(), unveil(s.Text, tokens, list))
	if len(before) != len(tokens) {
		return nil
	}
	found := map[int]tokenizer.Token{}
	for _, v := range list {
		for i := v.first; i < v.last && v.word != ""; i++ {
			found[i] = before[i]
		}
	}
	for i, t := range tokens {
		if _, veiled := found[i]; !veiled && t.ID != before[i].ID || veiled && isMask(before[i]) {
			return nil
		}
	}
	return found
}

// unveil puts back what veils hide.
func unveil(text string, tokens []tokenizer.Token, list []veil) string {
	var b strings.Builder
	at := 0
	for _, v := range list {
		if v.word == "" {
			continue
		}
		b.WriteString(text[at:tokens[v.first].Start])
		b.WriteString(v.word)
		at = tokens[v.last-1].End
	}
	b.WriteString(text[at:])
	return b.String()
}

// consistent is the state, without what masks hide if that does not fit its text: it may
// have been changed since.
func consistent(s State) State {
	if len(s.Was) > 0 && len(hidden(s)) == 0 {
		s.Was = nil
	}
	return s
}

// toggle hides a word of a state's text, or shows the one that masks hide; it fails where
// nobody knows that.
func toggle(s State, word tokenizer.Cell, tokens []tokenizer.Token) (State, bool) {
	list, ok := veils(tokens, s.Was)
	if !ok {
		return s, false
	}
	i := slices.IndexFunc(list, func(v veil) bool { return v.first >= word.First })
	if i < 0 {
		i = len(list)
	}
	if !isMask(tokens[word.First]) {
		list = slices.Insert(list, i, veil{word: s.Text[word.Start:word.End]})
		s.Text = tokenizer.Hide(s.Text, word)
	} else {
		j, shown := i, ""
		for ; j < len(list) && list[j].last <= word.Last; j++ {
			if list[j].word == "" {
				return s, false
			}
			shown += list[j].word
		}
		list = slices.Delete(list, i, j)
		s.Text = s.Text[:word.Start] + shown + s.Text[word.End:]
	}
	s.Was = nil
	for _, v := range list {
		s.Was = append(s.Was, v.word)
	}
	return consistent(s), true
}

// readToggle reads whether a word is to be hidden or shown, and in which state that ends.
func readToggle(v url.Values) (next State, asked bool, err error) {
	if !v.Has(keyHide) {
		return State{}, false, nil
	}
	s, _ := decodeState(v)
	if len(s.Text) > engine.MaxTextBytes {
		return s, true, checkText(s.Text)
	}
	for _, text := range []string{s.Text, strings.ReplaceAll(s.Text, "\r\n", "\n")} { // a form writes the ends of lines its own way
		s.Text = text
		tokens, _ := engine.Tokens(tokenizer.Default(), text)
		for _, word := range tokenizer.Default().Words(text, tokens) {
			if wordKey(word) != v.Get(keyHide) {
				continue
			}
			if next, ok := toggle(s, word, tokens); ok {
				return next, true, nil
			}
			return s, true, engine.Errorf(engine.Invalid, "What this [MASK] hides is not known; write a word in its place.")
		}
	}
	return s, true, engine.Errorf(engine.Invalid, "hide=%s is no word of the text; it names the first byte of one and the byte behind it, such as hide=4.7.", shown(v.Get(keyHide)))
}

// redirect leads to the page of another state.
func redirect(w http.ResponseWriter, to string) error {
	w.Header().Set("Location", to)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// strip is the token strip: what can be hidden or shown has a button, which belongs to
// the last token of its word.
func strip(s State, r *engine.Report) []components.Token {
	views := tokenViews(r.Tokens)
	known := hidden(s)
	for _, word := range tokenizer.Default().Words(s.Text, r.Tokens) {
		first, last := r.Tokens[word.First], &views[word.Last-1]
		if !isMask(first) {
			last.Hide = components.Toggle{Name: keyHide, Value: wordKey(word), Label: "Hide “" + visible(s.Text[word.Start:word.End]) + "” behind [MASK]"}
			continue
		}
		var was strings.Builder
		for i := word.First; i < word.Last; i++ {
			views[i].Hides = visible(known[i].Text)
			if known[i].Text == "" {
				views[i].Hides = ""
			}
			was.WriteString(known[i].Text)
		}
		if !slices.ContainsFunc(views[word.First:word.Last], func(t components.Token) bool { return t.Hides == "" }) {
			last.Hide = components.Toggle{Name: keyHide, Value: wordKey(word), Label: "Show “" + visible(was.String()) + "” again", Back: true}
		}
	}
	for i := range r.Segments {
		views[i].Segment = [...]string{"A", "B"}[r.Segments[i]]
		views[i].Begins = i == 0 || r.Segments[i] != r.Segments[i-1]
	}
	return views
}

// wordKey names a word of a text.
func wordKey(w tokenizer.Cell) string { return strconv.Itoa(w.Start) + "." + strconv.Itoa(w.End) }

// hint says what can be done with the strip, and what a pair is to the models.
func hint(r *engine.Report) []string {
	lines := []string{"Click a word to pin its row; the bar beside it (or M) hides it behind [MASK], for models to guess. A ||| B is a pair of texts."}
	if r.Segments != nil {
		lines = []string{"A and B are two texts, with a line drawn between them in the maps. Models that learned with pairs are told which token is of which; to all others it is one text with [SEP] in it."}
	}
	return lines
}
