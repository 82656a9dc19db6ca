package long

import (
	"attnatlas/engine"
	"attnatlas/engine/pyramid"
)

// Long is the response of /api/v1/long.
type Long struct {
	Version int         `json:"version" doc:"Version of this format"`
	Model   string      `json:"model" doc:"Id of the model"`
	Key     string      `json:"key" doc:"Name of the text for /api/v1/long-tile"`
	Tokens  []string    `json:"tokens" doc:"Labels of the tokens"`
	Layers  int         `json:"layers" doc:"Layers of the model"`
	Heads   int         `json:"heads" doc:"Heads of each layer"`
	Read    int         `json:"read" doc:"Layers that the model has computed; ask again until it equals layers"`
	Map     string      `json:"map" doc:"Name of the map"`
	Kind    string      `json:"kind,omitempty" enum:"activation,probability,weight,gate,category,count,length" doc:"Kind of the numbers of the map, once the text is read"`
	Most    float64     `json:"most,omitempty" doc:"Largest number of the map, once the text is read"`
	Layer   int         `json:"layer,omitempty" doc:"Layer of links and found, once the text is read"`
	Head    int         `json:"head,omitempty" doc:"Head of links and found, once the text is read"`
	Levels  int         `json:"levels,omitempty" doc:"Levels of the map; each pools 2 × 2 cells of the one before"`
	Links   []LongLink  `json:"links" doc:"Largest weights of tokens at least 32 apart, at most one per key"`
	Found   []LongFound `json:"found,omitempty" doc:"Places of the searched word"`
	Readers []LongLink  `json:"readers,omitempty" doc:"Heads with the largest weights of the pinned cell"`
}

// LongLink is a weight of a head.
type LongLink struct {
	Query  int     `json:"query" doc:"Token that attends, from 1"`
	Key    int     `json:"key" doc:"Token that is attended to, from 1"`
	Layer  int     `json:"layer" doc:"Layer of the weight, from 1"`
	Head   int     `json:"head" doc:"Head of the weight, from 1"`
	Weight float64 `json:"weight" doc:"Number of the map: an attention weight, 0…1, if kind is probability"`
}

// LongFound is a place of a searched word.
type LongFound struct {
	From int      `json:"from" doc:"First token, from 1"`
	To   int      `json:"to" doc:"Last token"`
	Link LongLink `json:"link" doc:"Largest weight from a token at least 32 away; 0 if there is none"`
}

// newLong returns the response for a text of which a model has read some layers.
func newLong(model, key string, of engine.LongText, read int) Long {
	a := Long{Version: 1, Model: model, Key: key, Map: of.View.Map, Layers: of.Layers, Heads: of.Heads, Read: read, Links: []LongLink{},
		Tokens: make([]string, len(of.Tokens))}
	for i, t := range of.Tokens {
		a.Tokens[i] = t.Label()
	}
	return a
}

// newLongLink returns a link with tokens from 1.
func newLongLink(l pyramid.Link) LongLink {
	return LongLink{Query: l.Query + 1, Key: l.Key + 1, Layer: l.Layer, Head: l.Head, Weight: l.Weight}
}

// newLongLinks returns several links.
func newLongLinks(all []pyramid.Link) []LongLink {
	links := make([]LongLink, len(all))
	for i, l := range all {
		links[i] = newLongLink(l)
	}
	return links
}
