package tokenizer

// Span is a range of tokens: from First up to, but not including, Last.
type Span struct{ First, Last int }

// Align returns, for each token of from, the tokens of to that share characters with it. Both are
// tokenizations of the same text. [CLS] and [SEP] match their counterparts. A token without a match
// has the zero Span.
func Align(from, to []Token) []Span {
	spans := make([]Span, len(from))
	begin := 0
	for i, t := range from {
		for begin < len(to) && to[begin].End <= t.Start && !touches(t, to[begin]) {
			begin++
		}
		spans[i].First = begin
		for spans[i].First < len(to) && to[spans[i].First].Start <= t.End && !touches(t, to[spans[i].First]) {
			spans[i].First++
		}
		spans[i].Last = spans[i].First
		for spans[i].Last < len(to) && touches(t, to[spans[i].Last]) {
			spans[i].Last++
		}
		if spans[i].First == spans[i].Last {
			spans[i] = Span{}
		}
	}
	return spans
}

// touches reports whether two tokens share characters, or are the same boundary.
func touches(a, b Token) bool {
	if a.IsBoundary() || b.IsBoundary() {
		return a.ID == b.ID && a.Start == b.Start
	}
	return a.Start < b.End && b.Start < a.End
}
