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
// with the new text, whose address knows what is hidden: was=WORD for each [MASK].

// keyHide asks for a word to be hidden or shown; keyWas says what a [MASK] hides.
const (
	keyHide = "hide"
	keyWas  = "was"
)

const maskPiece = "[MASK]"

// isMask says whether a token hides a word.
func isMask(t tokenizer.Token) bool { return t.Piece == maskPiece }

// hidden are the pieces behind the masks of a text, by the number of their token, where
// the state knows them.
func hidden(s State) map[int]tokenizer.Token {
	if len(s.Was) == 0 {
		return nil
	}
	tokens, _ := engine.Tokens(tokenizer.Default(), s.Text)
	text, known := unhide(s.Text, tokens, s.Was)
	before, _ := engine.Tokens(tokenizer.Default(), text)
	if !known || len(before) != len(tokens) {
		return nil
	}
	found, k := map[int]tokenizer.Token{}, 0
	for i, t := range tokens {
		if !isMask(t) {
			if t.ID != before[i].ID {
				return nil
			}
			continue
		}
		if s.Was[k] != "" {
			if before[i].Text != s.Was[k] {
				return nil
			}
			found[i] = before[i]
		}
		k++
	}
	return found
}

// unhide puts back what masks hide. It fails when there is not one entry for each mask.
func unhide(text string, tokens []tokenizer.Token, was []string) (string, bool) {
	var b strings.Builder
	at, k := 0, 0
	for _, t := range tokens {
		if !isMask(t) {
			continue
		}
		if k == len(was) {
			return "", false
		}
		b.WriteString(text[at:t.Start])
		if was[k] != "" {
			b.WriteString(was[k])
		} else {
			b.WriteString(maskPiece)
		}
		at, k = t.End, k+1
	}
	b.WriteString(text[at:])
	return b.String(), k == len(was)
}

// consistent is the state, without what masks hide if that does not fit its text: it may
// have been changed since.
func consistent(s State) State {
	if len(s.Was) > 0 && len(hidden(s)) == 0 {
		s.Was = nil
	}
	return s
}

// toggle hides a word of a state's text, or shows the one that masks hide.
func toggle(s State, word tokenizer.Cell, tokens []tokenizer.Token) (State, bool) {
	was := s.Was
	if was == nil {
		was = make([]string, masksBefore(tokens, len(tokens)))
	}
	first := masksBefore(tokens, word.First)
	was = slices.Clone(was)
	if !isMask(tokens[word.First]) {
		for i := word.First; i < word.Last; i++ {
			was = slices.Insert(was, first+i-word.First, tokens[i].Text)
		}
		s.Text, s.Was = tokenizer.Hide(s.Text, word), was
		return s, true
	}
	last := first + word.Last - word.First
	if slices.Contains(was[first:last], "") {
		return s, false
	}
	s.Text = s.Text[:word.Start] + strings.Join(was[first:last], "") + s.Text[word.End:]
	s.Was = slices.Delete(was, first, last)
	if len(s.Was) == 0 || !slices.ContainsFunc(s.Was, func(w string) bool { return w != "" }) {
		s.Was = nil
	}
	return s, true
}

// masksBefore counts the masks among the first n tokens.
func masksBefore(tokens []tokenizer.Token, n int) int {
	count := 0
	for _, t := range tokens[:n] {
		if isMask(t) {
			count++
		}
	}
	return count
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
	lines := []string{"Click a word to pin its row; the bar beside it (or M) hides the word behind [MASK], and the models guess it. A ||| B is a pair of texts."}
	if r.Segments != nil {
		lines = []string{"A and B are two texts, with a line drawn between them in the maps. Models that learned with pairs are told which token is of which; to all others it is one text with [SEP] in it."}
	}
	return lines
}
