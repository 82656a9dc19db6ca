package components_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/web/mechanism"
)

// The fixtures are invented responses of a server. With them, tests of components need neither
// engine nor web.

const fixtureText = "The cat sat on the mat because it was uncommonly tired 🙂, and the dog saw it."

type fixture struct {
	query  url.Values
	text   string
	tokens []components.TokenChip
}

func newFixture(query url.Values) fixture {
	f := fixture{query: query, text: fixtureText}
	if query.Has("text") {
		f.text = query.Get("text")
	}
	f.tokens = fixtureTokens(f.text)
	return f
}

// fixtureTokens splits a text at its spaces. Long words have two pieces, and characters other than
// Latin letters are spelt in bytes.
func fixtureTokens(text string) []components.TokenChip {
	tokens := []components.TokenChip{{Piece: "[CLS]", Label: "[CLS]", Special: true}}
	add := func(label string, joined, spelled bool) {
		tokens = append(tokens, components.TokenChip{Piece: label, Label: label, Joined: joined, Byte: spelled,
			Hide: components.HideButton{Name: "hide", Value: "1.2", Label: "Hide " + label}})
	}
	for _, word := range strings.Fields(text) {
		switch {
		case word[0] >= 0x80:
			for i, b := range []byte(word) {
				add(fmt.Sprintf("⟨%02X⟩", b), i > 0, true)
			}
		case len(word) > 8:
			add(word[:6], false, false)
			add("##"+word[6:], true, false)
		default:
			add(word, false, false)
		}
	}
	return append(tokens, components.TokenChip{Piece: "[SEP]", Label: "[SEP]", Special: true})
}

func (f fixture) get(key, def string) string {
	if v := f.query.Get(key); v != "" {
		return v
	}
	return def
}

// names are the names of the mechanisms in fixtures.
var names = map[string]string{"dot-product": "Dot product", "random": "Random", "dense": "Dense",
	"fastformer": "Fastformer"}

// refusal returns the reason why a mechanism has no map.
func (f fixture) refusal(id string) string {
	switch {
	case names[id] == "":
		return "There is no mechanism " + strconv.Quote(id) + "."
	case id == "random" && len(f.tokens) > 64:
		return "This model was trained for 64 positions."
	case id == "fastformer" && f.get("mask", "none") == "causal":
		return "A causal mask is not defined for it."
	}
	return ""
}

func (f fixture) card(id string) components.Card {
	c := components.Card{ID: id, Name: names[id], Summary: "one line of truth", Formula: `A = \mathrm{softmax}(S)`,
		Error: f.refusal(id)}
	if c.Error != "" {
		c.Name, c.Advice = id, components.Link{Label: "Take the first 62 tokens", URL: "/?text=short"}
		return c
	}
	words := components.Axis{Role: "query", Title: "reads", Count: len(f.tokens), Words: true}
	c.Map = f.fixtureMap(id, "weights")
	c.Map.Form, c.Map.Rows = "heatmap", words
	c.Sum = components.Badge{State: components.Holds, Text: "rows Σ = 1, max deviation 1.8·10⁻⁷"}
	if id == "fastformer" {
		c.Sum = components.Badge{State: components.ByDesign, Text: "rows do not sum to 1, by design"}
		c.Strips = []components.Map{f.fixtureMap(id, "alpha"), f.fixtureMap(id, "beta")}
		c.MoreNames, c.More, c.MoreURL = []string{"alpha scores"}, []components.Map{f.fixtureMap(id, "alpha scores")},
			"/api/v1/drawing?map=alpha+scores"
	}
	c.Facts = []components.Fact{{Label: "entropy", Value: "2.31 bits"},
		{Label: "parameters", Value: messages.Grouped(1_204_816)}}
	c.Guesses = []components.Classification{{Task: "topic", Class: "animals", P: 0.91}}
	c.Exports = []components.Link{{Label: "PNG", URL: "/export/" + id + ".png", Download: id + ".png"},
		{Label: "JSON", URL: "/api/v1/attend?m=" + id}}
	c.Background.More = "/m/" + id
	return c
}

// fixtureMap returns a strip over the tokens.
func (f fixture) fixtureMap(id, name string) components.Map {
	return components.Map{
		Mechanism: id, Name: name, Symbol: "A", Caption: "how much row i reads from column j", Form: "strip",
		Rows: components.Axis{Count: 1}, Cols: components.Axis{Role: "key", Title: "is read", Count: len(f.tokens),
			Words: true},
		Image: fixtureImage(id, name), Export: components.Link{Label: "PNG", URL: "/export/" + id + ".png?map=" +
			url.QueryEscape(name), Download: "x.png"},
		Legend: components.Legend{
			Title: "probability ÷ row maximum", Scale: f.get("cmap", "cividis"),
			Ticks:   []components.Tick{{Place: 0, Label: "0"}, {Place: 0.5, Label: "½"}, {Place: 1, Label: "row max"}},
			Nothing: []components.CellClass{{Kind: "cell-forbidden", Label: "masked out or outside the pattern"}},
		},
	}
}

func fixtureImage(id, name string) components.Image {
	u := "/export/" + id + ".png?map=" + url.QueryEscape(name)
	return components.Image{URL: u + "&theme=light", Dark: u + "&theme=dark", Width: 250, Height: 250, Alt: "Map of " + id}
}

func (f fixture) control(name, chosen string, values ...string) components.Select {
	s := components.Select{Name: name, Label: name, Help: "what it does"}
	for _, v := range values {
		s.Options = append(s.Options, components.SelectOption{Value: v, Label: v, Selected: v == f.get(name, chosen)})
	}
	return s
}

func (f fixture) controls(mechanisms []string) components.Controls {
	c := components.Controls{Action: "/", Submit: "Render", Text: components.Field{Name: "text",
		Value: f.text}, Selects: []components.Select{
		f.control("layer", "2", "1", "2"), f.control("head", "mean", "mean", "1", "2"),
		f.control("norm", "row", "row", "uniform"),
		f.control("cmap", "cividis", "cividis", "ink"), f.control("mask", "none", "none", "causal"),
		f.control("theme", "auto", "auto", "dark"),
	}}
	group := components.MenuGroup{Label: "Mechanisms"}
	for id, name := range names {
		group.Options = append(group.Options, components.SelectOption{Value: id, Label: name, Hint: "one line of truth",
			Selected: slices.Contains(mechanisms, id)})
	}
	c.Mechanisms = components.Menu{Name: "m", Label: "Mechanisms", Groups: []components.MenuGroup{group}}
	return c
}

func (f fixture) wall() components.Wall {
	w := components.Wall{Page: components.Page{Theme: f.get("theme", "auto"), Section: "wall", Version: "test",
		Permalink: "/?" + f.query.Encode()},
		Text: f.text, Tokens: f.tokens, DataURL: "/api/v1/drawing?" + f.query.Encode(), Verb: "reads"}
	mechanisms := strings.Split(f.get("m", "dot-product,random,dense,fastformer"), ",")
	if strings.TrimSpace(f.text) == "" {
		w.Problem = "The text has no words."
	} else {
		for _, id := range mechanisms {
			w.Cards = append(w.Cards, f.card(id))
		}
	}
	w.Examples = []components.Example{{Title: "Repeated words", Text: "the cat and the cat", Look: "Both cats light up.",
		URL: "/?text=the+cat"}, {Text: "小猫坐在垫子上。", Current: true}}
	w.Controls = f.controls(mechanisms)
	if pin := f.get("pin", ""); pin != "" {
		w.Controls.Hidden = []components.Field{{Name: "pin", Value: pin}}
		w.Pin = &components.Pin{Row: 1, Col: 2, RowText: f.tokens[1].Label, ColText: f.tokens[2].Label}
		for _, c := range w.Cards {
			w.Pin.Readings = append(w.Pin.Readings, components.Reading{Mechanism: c.ID, Name: c.Name, Value: "0.621",
				Exact: "0.6213437", Share: 1})
		}
	}
	return w
}

// mechanismFixture returns a mechanism's page with a text in every place that can have one.
func mechanismFixture(text string) mechanism.PageView {
	f := newFixture(url.Values{"text": {text}, "m": {"fastformer"}})
	m := mechanism.PageView{
		Wall: f.wall(), ID: "fastformer", Name: text, Summary: text,
		Formulas: []string{`A = \frac{Q}{2} \quad \text{` + text + `}`}, Story: []string{text, "y = q"},
		MapsTitle: text, LayersTitle: text, Composition: components.Composition{Mixer: components.Link{Label: text,
			URL: "/m/dense"}, Depth: text, Learned: text},
		Depth: mechanism.Depth{Title: text, Text: text, Play: text, Back: components.Link{Label: text, URL: "/"},
			Next: components.Link{Label: text, URL: "/"}},
		Background: components.Background{Cost: "O(N)",
			Counts: []components.Count{{Label: "parameters", Formula: "4d²", Value: "1234", Help: text},
				{Label: "operations", Value: "5", Help: text}},
			Sizes: []components.Fact{{Label: "k", Value: "8", Help: text}}, Limits: []string{text},
			Paper: components.Citation{Authors: text, Title: text, Venue: text, Equations: text, URL: "https://arxiv.org/abs/1",
				URLLabel: text, BibTeX: text}},
		Setting: text, EmptyRow: text, CutText: text,
		Definitions: []mechanism.Definition{{Choice: "mix = a", Source: text, Formula: "A", Text: text}},
		Options: mechanism.Options{List: []mechanism.ModelOption{{Name: "k", Symbol: "k", Values: "1 to 2", Default: "1",
			Help: text}}, Command: text, Whose: text}, Differences: mechanism.Differences{Of: text, List: []string{text}},
		Downloads: []components.Link{{Label: text, URL: "/export/fastformer.png"}},
		Next:      components.Link{Label: text, URL: "/m/linformer"}, Back: components.Link{Label: text, URL: "/"},
	}
	for i := range m.Cards {
		m.Cards[i].Background.More = "" // the page shows it in full
	}
	m.Layers = []mechanism.LayerRow{{Label: text,
		Thumbs: []mechanism.Thumb{{Label: text, URL: "/m/fastformer?layer=1", Image: fixtureImage("fastformer", "weights"),
			Current: true}}}}
	return m
}

// generationFixture returns the page of a model that writes a text.
func generationFixture(text string) mechanism.PageView {
	m := mechanismFixture(text)
	f := newFixture(url.Values{"text": {text}})
	words := []components.WordProb{{Label: text, P: "0.621", Exact: "0.6213", Share: 0.6213, Right: true},
		{Label: "the", P: "0.1", Exact: "0.1", Share: 0.1}}
	cross := f.fixtureMap("encoder-decoder", "cross")
	cross.Form, cross.Rows, cross.Marked = "heatmap", components.Axis{Role: "query", Title: "writes", Count: 2,
		Labels: []string{text, "[SEP]"}}, 2
	m.Cards = nil
	m.Generation = &mechanism.Generation{
		Padding: []string{text}, Source: f.tokens, Step: 2, Text: text,
		Verdict: components.Badge{State: components.Fails, Text: text},
		Maps:    []mechanism.TitledMap{{Title: text, Map: cross}},
		Steps: []mechanism.GenerationStep{
			{Number: 1, Label: text, URL: "/m/x?step=1", Wrong: text, Read: []string{"[CLS]"}, P: "0.621", Words: words},
			{Number: 2, Label: "[SEP]", End: true, URL: "/m/x?step=2", Current: true, Read: []string{"[CLS]", text}, P: "0.621",
				Words: words},
		},
		Layers: []mechanism.PartLayers{{Name: "cross", Title: text, Rows: m.Layers}},
	}
	return m
}
