package web

import (
	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// example is a curated text. What to look at stands in the catalogue of messages.
type example struct {
	id, text string
	layer    int // what it says is of this layer, for the mean of the heads to begin with; 0: of any
}

// wallExamples are those of the wall; the first is the default.
var wallExamples = []example{
	{"neighbours-and-meanings", address.DefaultText, 1},
	{"repeated-words", "The cat sat on the mat because the cat was very tired, and the dog sat on the floor.", 2},
	{"quoted-speech", `"Where have you been?" asked the old woman. "I have been to the river," said the boy, "and I am cold."`, 2},
	{"a-request", "i want to book a flight to paris but my credit card was declined", 1},
	{"one-deciding-word", "what is the capital gain on my insurance", 2},
	{"negation-and-feeling", "I expected to hate this film, but it was not boring at all; the ending was beautiful.", 2},
	{"there-and-back", "one two three four five six six five four three two one", 1},
	{"same-words-other-order", "The dog chased the man. The man chased the dog.", 1},
	{"a-word-and-its-antecedent", "The trophy did not fit in the suitcase because it was too big.", 2},
	{"long-distance-agreement", "The keys to the old wooden cabinet in the corner of the kitchen were on the table.", 2},
	{"a-list", "She packed a map, a knife, a rope, a lamp, a blanket and a bottle of water.", 1},
	{"a-masked-word", "The cat sat on the [MASK] and looked at the moon.", 2},
	{"two-sentences", "The old man was very tired. ||| He sat down on a chair.", 0},
	{"a-story-s-first-sentence", "The Time Traveller (for so it will be convenient to speak of him) was expounding a recondite matter to us.", 1},
	{"chinese", "小猫坐在垫子上，因为小猫很累。小狗也坐在地上。", 0},
	{"letters-that-the-vocabulary-lacks", "Ωmega 🙂 naïve שלום", 0},
}

// generationExamples are those of a page that shows a text being written.
var generationExamples = []example{
	{"a-sentence", address.DefaultSource, 2},
	{"numbers", "one two three four five six seven", 2},
	{"repeated-words", "the dog chased the man and the man chased the dog", 2},
	{"words-in-pieces", "a recondite matter", 2},
	{"chinese", "小猫坐在地上。", 0},
	{"a-long-text", "we saw the sea, and then it rained all day long, and so we went home again to read", 0},
	{"one-word-ten-times", "red red red red red red red red red red", 0},
}

// examples are links that keep everything but the text, and what shows what they speak of.
func (p *page) examples() []components.Example { return p.exampleLinks("wall", wallExamples) }

func (p *page) generationExamples() []components.Example {
	return p.exampleLinks("generation", generationExamples)
}

func (p *page) exampleLinks(of string, list []example) []components.Example {
	var links []components.Example
	for _, e := range list {
		there := p.state
		there.Text, there.Pin, there.Was, there.Step = e.text, address.Pin{}, nil, 0
		if e.layer > 0 {
			there.Layer, there.Head, there.Show = e.layer, exhibit.Mean, exhibit.Maps
		}
		id := "example." + of + "." + e.id
		links = append(links, components.Example{
			Title: p.t(id + ".title"), Text: e.text, Look: p.t(id + ".look"), URL: p.url(there), Current: e.text == p.typed,
		})
	}
	return links
}
