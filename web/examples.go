package web

import "attnatlas/components"

// examples are the curated texts of the menu; the first is the default.
var examples = []components.Example{
	{Title: "What does “it” mean?", Text: DefaultText, Look: "Two words could be meant; every head decides for itself. Random cannot: it does not read words."},
	{Title: "Repeated words", Text: "one two three one two three one two three", Look: "Only mechanisms that compare words see the repetition; position patterns do not change with the words."},
	{Title: "Negation", Text: "I am not happy with this film, but the music was good.", Look: "Fastformer's α and β: which words count for the whole sentence."},
	{Title: "A request", Text: "book me a flight from boston to denver on friday morning", Look: "The words that decide the topic stand out in α."},
	{Title: "Same words, other order", Text: "the dog bit the man and the man bit the dog", Look: "Compare the rows of the two halves."},
	{Title: "Chinese", Text: "今天天气很好，我们去公园散步吧。", Look: "One Han character is one piece."},
	{Title: "Letters that the vocabulary lacks", Text: "Ωmega 🙂 naïve שלום", Look: "A character without a piece becomes its UTF-8 bytes; nothing is unknown."},
	{Title: "A masked word", Text: "The cat sat on the [MASK] and looked at the moon.", Look: "From where does the gap read?"},
}

// exampleLinks are the examples as links that keep everything but the text.
func exampleLinks(s State) []components.Example {
	links := make([]components.Example, len(examples))
	for i, e := range examples {
		e.Current = e.Text == s.Text
		there := s
		there.Text, there.Pin = e.Text, Pin{}
		e.URL = pageURL(there)
		links[i] = e
	}
	return links
}
