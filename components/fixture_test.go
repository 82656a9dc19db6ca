package components

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
)

// The fixtures are made up: they look like a server's answer and are none. They exist so
// that components can be tested without engine and without web.

const fixtureText = "The cat sat on the mat because it was uncommonly tired 🙂, and the dog saw it."

type fixture struct {
	query  url.Values
	text   string
	tokens []Token
}

func newFixture(query url.Values) fixture {
	f := fixture{query: query, text: fixtureText}
	if query.Has("text") {
		f.text = query.Get("text")
	}
	f.tokens = fixtureTokens(f.text)
	return f
}

// fixtureTokens cuts a text at its spaces; long words have two pieces, what is not a letter
// of Latin is spelled in bytes.
func fixtureTokens(text string) []Token {
	tokens := []Token{{Piece: "[CLS]", Label: "[CLS]", Special: true}}
	add := func(label string, joined, spelled bool) {
		tokens = append(tokens, Token{Piece: label, Label: label, Joined: joined, Byte: spelled, Hide: HideButton{Name: "hide", Value: "1.2", Label: "Hide " + label}})
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
	return append(tokens, Token{Piece: "[SEP]", Label: "[SEP]", Special: true})
}

func (f fixture) get(key, def string) string {
	if v := f.query.Get(key); v != "" {
		return v
	}
	return def
}

// names are those of the mechanisms that a fixture knows.
var names = map[string]string{"dot-product": "Dot product", "random": "Random", "dense": "Dense", "fastformer": "Fastformer"}

// refusal is why a mechanism has no map.
func (f fixture) refusal(id string) string {
	switch {
	case names[id] == "":
		return "There is no mechanism " + strconv.Quote(id) + "."
	case id == "random" && len(f.tokens) > 64:
		return "Trained for 64 positions."
	case id == "fastformer" && f.get("mask", "none") == "causal":
		return "A causal mask is not defined for it."
	}
	return ""
}

func (f fixture) card(id string) Card {
	c := Card{ID: id, Name: names[id], Summary: "one line of truth", Formula: `A = \mathrm{softmax}(S)`, Error: f.refusal(id)}
	if c.Error != "" {
		c.Name, c.Advice = id, Link{Label: "Take the first 62 tokens", URL: "/?text=short"}
		return c
	}
	words := Axis{Role: "query", Title: "reads", Count: len(f.tokens), Words: true}
	c.Map = f.fixtureMap(id, "weights")
	c.Map.Form, c.Map.Rows = "heatmap", words
	c.Sum = Badge{Holds, "rows Σ = 1, max deviation 1.8·10⁻⁷"}
	if id == "fastformer" {
		c.Sum = Badge{ByDesign, "not row-stochastic by design"}
		c.Strips = []Map{f.fixtureMap(id, "alpha"), f.fixtureMap(id, "beta")}
		c.MoreNames, c.More, c.MoreURL = []string{"alpha scores"}, []Map{f.fixtureMap(id, "alpha scores")}, "/api/v1/drawing?map=alpha+scores"
	}
	c.Facts = []Fact{{Label: "entropy", Value: "2.31 bits"}, {Label: "parameters", Value: messages.Grouped(1_204_816)}}
	c.Guesses = []Guess{{Task: "topic", Class: "animals", P: 0.91}}
	c.Exports = []Link{{Label: "PNG", URL: "/export/" + id + ".png", Download: id + ".png"}, {Label: "JSON", URL: "/api/v1/attend?m=" + id}}
	c.Background.More = "/m/" + id
	return c
}

// fixtureMap is a strip over the words.
func (f fixture) fixtureMap(id, name string) Map {
	return Map{
		Mechanism: id, Name: name, Symbol: "A", Caption: "how much row i reads from column j", Form: "strip",
		Rows: Axis{Count: 1}, Cols: Axis{Role: "key", Title: "is read", Count: len(f.tokens), Words: true},
		Image: fixtureImage(id, name), Export: Link{Label: "PNG", URL: "/export/" + id + ".png?map=" + url.QueryEscape(name), Download: "x.png"},
		Legend: Legend{
			Title: "probability ÷ largest in its row", Scale: f.get("cmap", "cividis"), Ticks: []Tick{{0, "0"}, {0.5, "½"}, {1, "row max"}},
			Nothing: []CellClass{{"cell-forbidden", "forbidden or out of reach"}},
		},
	}
}

func fixtureImage(id, name string) Image {
	u := "/export/" + id + ".png?map=" + url.QueryEscape(name)
	return Image{URL: u + "&theme=light", Dark: u + "&theme=dark", Width: 250, Height: 250, Alt: "Map of " + id}
}

func (f fixture) control(name, chosen string, values ...string) Select {
	s := Select{Name: name, Label: name, Help: "what it does"}
	for _, v := range values {
		s.Options = append(s.Options, Option{Value: v, Label: v, Selected: v == f.get(name, chosen)})
	}
	return s
}

func (f fixture) controls(mechanisms []string) Controls {
	c := Controls{Action: "/", Submit: "Render", Text: Field{"text", f.text}, Selects: []Select{
		f.control("layer", "2", "1", "2"), f.control("head", "mean", "mean", "1", "2"), f.control("norm", "row", "row", "uniform"),
		f.control("cmap", "cividis", "cividis", "ink"), f.control("mask", "none", "none", "causal"), f.control("theme", "auto", "auto", "dark"),
	}}
	group := MenuGroup{Label: "Mechanisms"}
	for id, name := range names {
		group.Options = append(group.Options, Option{Value: id, Label: name, Hint: "one line of truth", Selected: slices.Contains(mechanisms, id)})
	}
	c.Mechanisms = Menu{Name: "m", Label: "Mechanisms", Groups: []MenuGroup{group}}
	return c
}

func (f fixture) wall() Wall {
	w := Wall{Page: Page{Theme: f.get("theme", "auto"), Section: "wall", Version: "test", Permalink: "/?" + f.query.Encode()},
		Text: f.text, Tokens: f.tokens, DataURL: "/api/v1/drawing?" + f.query.Encode(), Verb: "reads"}
	mechanisms := strings.Split(f.get("m", "dot-product,random,dense,fastformer"), ",")
	if strings.TrimSpace(f.text) == "" {
		w.Problem = "There are no words in the text."
	} else {
		for _, id := range mechanisms {
			w.Cards = append(w.Cards, f.card(id))
		}
	}
	w.Examples = []Example{{Title: "Repeated words", Text: "the cat and the cat", Look: "Both cats light up.", URL: "/?text=the+cat"}, {Text: "小猫坐在垫子上。", Current: true}}
	w.Controls = f.controls(mechanisms)
	if pin := f.get("pin", ""); pin != "" {
		w.Controls.Hidden = []Field{{"pin", pin}}
		w.Pin = &Pin{Row: 1, Col: 2, RowText: f.tokens[1].Label, ColText: f.tokens[2].Label}
		for _, c := range w.Cards {
			w.Pin.Readings = append(w.Pin.Readings, Reading{Mechanism: c.ID, Name: c.Name, Value: "0.621", Exact: "0.6213437", Share: 1})
		}
	}
	return w
}

// mechanismFixture has a text wherever a page of a mechanism has one.
func mechanismFixture(text string) Mechanism {
	f := newFixture(url.Values{"text": {text}, "m": {"fastformer"}})
	m := Mechanism{
		Wall: f.wall(), ID: "fastformer", Name: text, Summary: text, Formulas: []string{`A = \frac{Q}{2} \quad \text{` + text + `}`}, Story: []string{text, "y = q"},
		MapsTitle: text, LayersTitle: text, Composition: Composition{Mixer: Link{Label: text, URL: "/m/dense"}, Depth: text, Learned: text},
		Depth: Depth{Title: text, Text: text, Play: text, Back: Link{Label: text, URL: "/"}, Next: Link{Label: text, URL: "/"}},
		Background: Background{Cost: "O(N)", Counts: []Count{{"parameters", "4d²", "1234", text}, {"operations", "", "5", text}},
			Sizes: []Fact{{"k", "8", text}}, Limits: []string{text}, Paper: Paper{Authors: text, Title: text, Venue: text, Equations: text, URL: "https://arxiv.org/abs/1", URLLabel: text, BibTeX: text}},
		Setting: text, EmptyRow: text, CutText: text, Definitions: []Definition{{"mix = a", text, "A", text}}, Options: Options{[]ModelOption{{"k", "k", "1 to 2", "1", text}}, text, text}, Differences: Differences{text, []string{text}},
		Downloads: []Link{{Label: text, URL: "/export/fastformer.png"}}, Next: Link{Label: text, URL: "/m/linformer"}, Back: Link{Label: text, URL: "/"},
	}
	for i := range m.Cards {
		m.Cards[i].Background.More = "" // the page has it at large
	}
	m.Layers = []LayerRow{{Label: text, Thumbs: []Thumb{{Label: text, URL: "/m/fastformer?layer=1", Image: fixtureImage("fastformer", "weights"), Current: true}}}}
	return m
}

// generationFixture is the page of a model that writes a text.
func generationFixture(text string) Mechanism {
	m := mechanismFixture(text)
	f := newFixture(url.Values{"text": {text}})
	words := []WordProb{{Label: text, P: "0.621", Exact: "0.6213", Share: 0.6213, Right: true}, {Label: "the", P: "0.1", Exact: "0.1", Share: 0.1}}
	cross := f.fixtureMap("encoder-decoder", "cross")
	cross.Form, cross.Rows, cross.Marked = "heatmap", Axis{Role: "query", Title: "writes", Count: 2, Labels: []string{text, "[SEP]"}}, 2
	m.Cards = nil
	m.Generation = &Generation{
		Padding: []string{text}, Source: f.tokens, Step: 2, Text: text, Verdict: Badge{Fails, text}, Maps: []TitledMap{{text, cross}},
		Steps: []GenerationStep{
			{Number: 1, Label: text, URL: "/m/x?step=1", Wrong: text, Read: []string{"[CLS]"}, P: "0.621", Words: words},
			{Number: 2, Label: "[SEP]", End: true, URL: "/m/x?step=2", Current: true, Read: []string{"[CLS]", text}, P: "0.621", Words: words},
		},
		Layers: []PartLayers{{Name: "cross", Title: text, Rows: m.Layers}},
	}
	return m
}
