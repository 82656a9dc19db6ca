package web

import (
	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/scene"
)

// example is a curated text. What to look at stands in the catalogue of messages.
type example struct {
	id, text string
	layer    int // what it says is of this layer, for the sharpest heads to begin with; 0: of any
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

// examples are those of the gallery, each a complete state.
func (p *page) examples() []components.Example {
	if p.at != nil {
		return p.textExamples()
	}
	var links []components.Example
	for _, sc := range scene.Examples() {
		links = append(links, components.Example{
			Title: p.t("example." + sc.ID + ".title"), Text: sc.Text, URL: address.Wall(p.exampleState(sc)), Current: sc.ID == p.state.Example,
		})
	}
	return links
}

// textExamples are the texts of the gallery, on the page of one mechanism.
func (p *page) textExamples() []components.Example {
	var links []components.Example
	for _, sc := range scene.Examples() {
		there := p.state
		there.Text, there.Pin, there.Was, there.Step = sc.Text, address.Pin{}, nil, 0
		links = append(links, components.Example{Title: p.t("example." + sc.ID + ".title"), Text: sc.Text, URL: p.url(there), Current: sc.Text == p.typed})
	}
	return links
}

// generationExamples are texts to be written, with the layer that their sentences speak of.
func (p *page) generationExamples() []components.Example {
	var links []components.Example
	for _, e := range generationExamples {
		there := p.state
		there.Text, there.Pin, there.Was, there.Step = e.text, address.Pin{}, nil, 0
		if e.layer > 0 {
			there.Layer, there.Head, there.Heads, there.Show = e.layer, exhibit.Auto, nil, exhibit.Maps
		}
		id := "example.generation." + e.id
		links = append(links, components.Example{
			Title: p.t(id + ".title"), Text: e.text, Look: p.t(id + ".look"), URL: p.url(there), Current: e.text == p.typed,
		})
	}
	return links
}
