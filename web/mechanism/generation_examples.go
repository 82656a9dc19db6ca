package mechanism

import (
	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

// example is a curated text. Its explanation is in the message catalogue.
type example struct {
	id, text string
	layer    int // layer of the explanation, for the most distinctive heads; 0: any
}

// generationExamples are the examples of a page with an encoder–decoder.
var generationExamples = []example{
	{"a-sentence", address.DefaultSource, 2},
	{"numbers", "one two three four five six seven", 2},
	{"repeated-words", "the dog chased the man and the man chased the dog", 2},
	{"words-in-pieces", "a recondite matter", 2},
	{"chinese", "小猫坐在地上。", 0},
	{"a-long-text", "we saw the sea, and then it rained all day long, and so we went home again to read", 0},
	{"one-word-ten-times", "red red red red red red red red red red", 0},
}

// generationExamples returns links to the examples, in the layer of their explanation.
func (p *page) generationExamples() []components.Example {
	var links []components.Example
	for _, e := range generationExamples {
		there := p.State
		there.Text, there.Pin, there.Was, there.Step = e.text, address.Pin{}, nil, 0
		if e.layer > 0 {
			there.Layer, there.Head, there.Heads, there.Show = e.layer, exhibit.Auto, nil, exhibit.Maps
		}
		id := "example.generation." + e.id
		links = append(links, components.Example{
			Title: p.T(id + ".title"), Text: e.text, Look: p.T(id + ".look"), URL: p.URL(there), Current: e.text == p.Typed,
		})
	}
	return links
}
