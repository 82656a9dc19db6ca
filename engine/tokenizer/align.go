package tokenizer

// Span is the tokens from First up to, but without, Last.
type Span struct{ First, Last int }

// Align gives, for each of the tokens of a text, which tokens of the same text cut otherwise share characters with it.
// [CLS] and [SEP] share theirs with their like. A token without a partner has the zero Span.
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

// touches says that two tokens share characters, or stand for the same beginning or end.
func touches(a, b Token) bool {
	if a.IsBoundary() || b.IsBoundary() {
		return a.ID == b.ID && a.Start == b.Start
	}
	return a.Start < b.End && b.Start < a.End
}
