package web

import (
	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// example is a curated text. What to look at stands in the catalogue of messages.
type example struct {
	id, text string
	shipped  bool // what it says was seen with the shipped weights
}

// wallExamples are those of the wall; the first is the default.
var wallExamples = []example{
	{"neighbours-and-meanings", address.DefaultText, true},
	{"repeated-words", "The cat sat on the mat because the cat was very tired, and the dog sat on the floor.", true},
	{"quoted-speech", `"Where have you been?" asked the old woman. "I have been to the river," said the boy, "and I am cold."`, true},
	{"a-request", "i want to book a flight to paris but my credit card was declined", true},
	{"one-deciding-word", "what is the capital gain on my insurance", true},
	{"negation-and-feeling", "I expected to hate this film, but it was not boring at all; the ending was beautiful.", true},
	{"there-and-back", "one two three four five six six five four three two one", false},
	{"same-words-other-order", "The dog chased the man. The man chased the dog.", false},
	{"a-word-and-its-antecedent", "The trophy did not fit in the suitcase because it was too big.", false},
	{"long-distance-agreement", "The keys to the old wooden cabinet in the corner of the kitchen were on the table.", false},
	{"a-list", "She packed a map, a knife, a rope, a lamp, a blanket and a bottle of water.", false},
	{"a-masked-word", "The cat sat on the [MASK] and looked at the moon.", false},
	{"two-sentences", "The old man was very tired. ||| He sat down on a chair.", false},
	{"a-story-s-first-sentence", "The Time Traveller (for so it will be convenient to speak of him) was expounding a recondite matter to us.", true},
	{"chinese", "小猫坐在垫子上，因为小猫很累。小狗也坐在地上。", false},
	{"letters-that-the-vocabulary-lacks", "Ωmega 🙂 naïve שלום", false},
}

// generationExamples are those of a page that shows a text being written.
var generationExamples = []example{
	{"a-sentence", address.DefaultSource, true},
	{"numbers", "one two three four five six seven", false},
	{"repeated-words", "the dog chased the man and the man chased the dog", true},
	{"words-in-pieces", "a recondite matter", true},
	{"chinese", "小猫坐在地上。", false},
	{"a-long-text", "we saw the sea, and then it rained all day long, and so we went home again to read", false},
	{"where-it-fails", "red red red red red red red red red red", true},
}

// examples are links that keep everything but the text.
func (p *page) examples() []components.Example { return p.exampleLinks("wall", wallExamples) }

func (p *page) generationExamples() []components.Example {
	return p.exampleLinks("generation", generationExamples)
}

func (p *page) exampleLinks(of string, list []example) []components.Example {
	var links []components.Example
	for _, e := range list {
		there := p.state
		there.Text, there.Pin, there.Was, there.Step = e.text, address.Pin{}, nil, 0
		id := "example." + of + "." + e.id
		look := messages.New(id + ".look")
		if e.shipped && p.s.own {
			look = messages.New("own.example", "look", look)
		}
		links = append(links, components.Example{
			Title: p.t(id + ".title"), Text: e.text, Look: p.say(look), URL: p.url(there), Current: e.text == p.typed,
		})
	}
	return links
}
