package components

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// The fixtures are made up: they look like an engine's answer and are none.
// They exist so that components can be tested, and looked at, without engine.

const fixtureText = "The cat sat on the mat because it was tired, and the dog saw it."

type fixture struct {
	query      url.Values
	text       string
	tokens     []Token
	mechanisms []string
}

func newFixture(query url.Values) fixture {
	f := fixture{query: query, text: fixtureText, mechanisms: []string{"dot-product", "random", "dense", "fastformer"}}
	if query.Has("text") {
		f.text = query.Get("text")
	}
	if query.Has("m") {
		f.mechanisms = strings.Split(strings.Join(query["m"], ","), ",")
	}
	f.tokens = fixtureTokens(f.text)
	return f
}

func fixtureTokens(text string) []Token {
	tokens := []Token{{Piece: "[CLS]", Label: "[CLS]", Special: true}}
	at := 0
	add := func(piece string, joined bool) {
		t := Token{Piece: piece, Label: piece, Start: at, End: at + len(piece), Joined: joined}
		if r := []rune(piece); len(r) == 1 && r[0] > 0x1F000 {
			for i, b := range []byte(piece) {
				tokens = append(tokens, Token{Piece: fmt.Sprintf("<%02X>", b), Label: fmt.Sprintf("⟨%02X⟩", b), Start: at + i, End: at + i + 1, Byte: true, Joined: i > 0})
			}
		} else {
			if joined {
				t.Label = "##" + piece
			}
			tokens = append(tokens, t)
		}
		at += len(piece)
	}
	for _, word := range strings.Fields(text) {
		switch {
		case strings.ContainsRune(word, '小') || []rune(word)[0] > 0x1F000:
			for _, r := range word {
				add(string(r), false)
			}
		case len(word) > 8 && word[0] < 128:
			add(word[:6], false)
			add(word[6:], true)
		default:
			core := strings.TrimRight(word, ".,;!?")
			if core != "" {
				add(core, false)
			}
			if core != word {
				add(word[len(core):], false)
			}
		}
		at++
	}
	return append(tokens, Token{Piece: "[SEP]", Label: "[SEP]", Special: true, Start: len(text), End: len(text)})
}

func (f fixture) get(key, def string) string {
	if v := f.query.Get(key); v != "" {
		return v
	}
	return def
}

// weights makes up a matrix in the manner of a mechanism.
func (f fixture) weights(id string) trace.Map {
	n := len(f.tokens)
	v := tensor.New(n, n)
	layer, _ := strconv.Atoi(f.get("layer", "2"))
	head, _ := strconv.Atoi(f.get("head", "1"))
	causal := f.get("mask", "none") == "causal" && id != "fastformer"
	for i := range n {
		row := v.Data[i*n : (i+1)*n]
		sum := 0.0
		for j := range row {
			s := f.score(id, i, j, layer, head)
			if causal && j > i {
				row[j] = 0
				continue
			}
			row[j] = tensor.Elem(math.Exp(s))
			sum += float64(row[j])
		}
		for j := range row {
			row[j] /= tensor.Elem(sum)
		}
	}
	m := trace.Map{Name: "weights", Kind: trace.Probability, Value: v, Axes: []trace.Axis{{Role: trace.Query}, {Role: trace.Key}}}
	if causal {
		m.Reach = func(q, k int) bool { return k <= q }
	}
	if id == "fastformer" {
		m.Name, m.Kind = "contribution", trace.Weight
	}
	return m
}

func (f fixture) score(id string, i, j, layer, head int) float64 {
	noise := math.Sin(float64(i*31+j*17+layer*7+head*3)) * 1.2
	switch id {
	case "random":
		return noise + 3*math.Exp(-math.Abs(float64(j-i+head)))
	case "dense":
		return math.Sin(float64(len(f.tokens[i].Label)+j)*0.9)*2 + 0.3*noise
	case "fastformer":
		return 1.6*math.Sin(float64(len(f.tokens[j].Label)*5+layer)) + 0.2*noise
	}
	same := 0.0
	if f.tokens[i].Label == f.tokens[j].Label {
		same = 3
	}
	return same + noise + 2.5*math.Exp(-math.Abs(float64(j-i+1)))
}

func (f fixture) strip(seed int) trace.Map {
	n := len(f.tokens)
	v := tensor.New(n)
	sum := 0.0
	for i := range n {
		v.Data[i] = tensor.Elem(math.Exp(2 * math.Sin(float64(len(f.tokens[i].Label)*seed))))
		sum += float64(v.Data[i])
	}
	for i := range n {
		v.Data[i] /= tensor.Elem(sum)
	}
	name := map[int]string{3: "alpha", 5: "beta"}[seed]
	return trace.Map{Name: name, Kind: trace.Probability, Value: v, Axes: []trace.Axis{{Role: trace.Token}}}
}

func (f fixture) palette() figure.Palette {
	return named(figure.Palettes(), f.get("cmap", "cividis"))
}
func (f fixture) norm() figure.Norm { return named(figure.Norms(), f.get("norm", "row")) }

// named is the first of all that has the name, or the zero value.
func named[T fmt.Stringer](all []T, name string) (t T) {
	for _, one := range all {
		if one.String() == name {
			return one
		}
	}
	return t
}

func (f fixture) legend(m trace.Map) Legend {
	l := Legend{Norm: f.norm().String(), Title: "each row’s largest weight = full colour", Scale: f.palette().String(),
		Ticks: []string{"0", "¼", "½", "¾", "row max"}, SharedMax: 1}
	if f.norm() == figure.Uniform {
		l.Scale, l.Ticks, l.Title = "diverging", []string{"1/16", "1/4", "uniform", "4×", "16×"}, "times the uniform weight 1/n"
	}
	if m.Reach != nil {
		l.Nothing = append(l.Nothing, Nothing{Forbidden, "forbidden by mask"})
	}
	return l
}

func fixtureImage(f fixture, id, name string, rows int) Image {
	q := url.Values{}
	for k, v := range f.query {
		q[k] = v
	}
	q.Set("map", name)
	u := "/export/" + id + ".png?" + q.Encode()
	return Image{URL: u + "&theme=light", Dark: u + "&theme=dark", Width: 250, Height: rows, Alt: "Map of " + id}
}

func options(chosen string, labels ...string) []Option {
	var all []Option
	for _, l := range labels {
		value, label, found := strings.Cut(l, "=")
		if !found {
			label = value
		}
		all = append(all, Option{Value: value, Label: label, Selected: value == chosen})
	}
	return all
}

func (f fixture) card(id string) Card {
	c := Card{ID: id, Name: id, Exports: []Link{{Label: "PNG", URL: "/export/" + id + ".png", Download: id + ".png"}, {Label: "JSON", URL: "/api/v1/attend?m=" + id}}}
	switch id {
	case "dot-product":
		c.Name, c.Summary, c.Formula = "Dot product", "compares every word with every word", "A = softmax(QKᵀ / √dₕ)"
	case "random":
		c.Name, c.Summary, c.Formula = "Random", "a learned matrix that ignores your words", "A = softmax(R),  R ∈ ℝᴸˣᴸ learned"
		if len(f.tokens) > 64 {
			c.Error = fmt.Sprintf("Random was trained for 64 positions; %d tokens were asked.", len(f.tokens))
			c.Advice = Link{Label: "Take the first 62 tokens", URL: "/?text=short"}
		}
	case "dense":
		c.Name, c.Summary, c.Formula = "Dense", "each word decides alone where to look", "A = softmax(ReLU(XW₁ + b₁)W₂ + b₂)"
	case "fastformer":
		c.Name, c.Summary, c.Formula = "Fastformer", "two summaries of the whole text instead of pairs", "α = softmax(Q w_q), q̄ = Σ αᵢqᵢ;  β = softmax((q̄⊙K) w_k)"
		if f.get("mask", "none") == "causal" {
			c.Error = "Fastformer’s global query is a sum over the whole text, so a causal mask is not defined for it."
		}
	default:
		c.Error = "There is no mechanism " + strconv.Quote(id) + "."
	}
	if c.Error != "" {
		return c
	}
	m := f.weights(id)
	n := len(f.tokens)
	c.Map = MapView{Name: m.Name, Symbol: "A", Caption: "how much row i reads from column j", Kind: m.Kind.String(), Rows: n, Cols: n,
		Image: fixtureImage(f, id, m.Name, 250), Legend: f.legend(m)}
	c.Sum = Badge{Holds, "rows Σ = 1, max deviation 1.8·10⁻⁷"}
	if id == "fastformer" {
		c.Map.Symbol, c.Map.Caption = "‖Cᵢⱼ‖", "what token j contributes to row i"
		c.Sum = Badge{ByDesign, "not row-stochastic by design: a norm, not a probability"}
		for seed, symbol := range map[int]string{3: "α", 5: "β"} {
			s := f.strip(seed)
			c.Strips = append(c.Strips, Strip{Name: s.Name, Symbol: symbol, Kind: "probability", Caption: "how much each token counts", Image: fixtureImage(f, id, s.Name, 16), Legend: f.legend(s)})
		}
		slices.SortFunc(c.Strips, func(a, b Strip) int { return strings.Compare(a.Name, b.Name) })
	}
	c.Facts = []Fact{{Label: "entropy", Value: "2.31 bits"}, {Label: "mean distance", Value: "4.2"}, {Label: "time", Value: "0.82 ms"}, {Label: "parameters", Value: Grouped(1_204_816)}}
	c.Guesses = []Guess{{Task: "topic", Class: "animals", P: 0.91}, {Task: "feeling", Class: "calm", P: 0.64}}
	return c
}

func (f fixture) wall() Wall {
	w := Wall{Page: Page{Theme: f.get("theme", "auto"), Section: "wall", Version: "test", Permalink: "/?" + f.query.Encode()},
		Text: f.text, Tokens: f.tokens, Elapsed: 18400 * time.Microsecond, DataURL: "/api/v1/attend?" + f.query.Encode()}
	if strings.TrimSpace(f.text) == "" {
		w.Problem = "Please type a text: there is nothing to look at yet."
	} else {
		for _, id := range f.mechanisms {
			w.Cards = append(w.Cards, f.card(id))
		}
	}
	w.Examples = []Example{
		{Title: "Repeated words", Text: "The cat sat on the mat because the cat was very tired, and the dog sat on the floor.", Look: "Dot product lights the columns of both cats; Random cannot.", URL: "/?text=The+cat+sat+on+the+mat+because+the+cat+was+very+tired"},
		{Title: "Negation and sentiment", Text: "I expected to hate this film, but it was not boring at all; the ending was beautiful.", Look: "Fastformer’s α on hate, boring, beautiful.", URL: "/?text=I+expected+to+hate+this+film,+but+it+was+not+boring+at+all"},
		{Title: "Chinese", Text: "小猫坐在垫子上，因为小猫很累。", Look: "Repeated 小猫.", URL: "/?text=小猫坐在垫子上", Current: false},
	}
	w.Controls = Controls{Action: "/", Text: Field{"text", f.text},
		Layer:      Select{Name: "layer", Label: "Layer", Options: options(f.get("layer", "2"), "1", "2")},
		Head:       Select{Name: "head", Label: "Head", Options: options(f.get("head", "mean"), "mean", "1", "2", "3", "4")},
		Norm:       Select{Name: "norm", Label: "Colour", Help: "What full colour means", Options: options(f.get("norm", "row"), "absolute=absolute 0…1", "shared=shared", "map=per map", "row=per row", "log=logarithmic", "uniform=× uniform")},
		Scale:      Select{Name: "cmap", Label: "Scale", Options: options(f.get("cmap", "cividis"), "cividis", "viridis", "magma", "greys", "ink")},
		Mask:       Select{Name: "mask", Label: "Mask", Options: options(f.get("mask", "none"), "none", "causal")},
		Theme:      Select{Name: "theme", Label: "Theme", Options: options(f.get("theme", "auto"), "auto", "light", "dark")},
		Mechanisms: Menu{Name: "m", Label: "Mechanisms", Groups: []MenuGroup{{Label: "Mechanisms", Options: options("", "dot-product=Dot product", "random=Random", "dense=Dense", "fastformer=Fastformer")}}},
	}
	for i, o := range w.Controls.Mechanisms.Groups[0].Options {
		w.Controls.Mechanisms.Groups[0].Options[i].Selected = slices.Contains(f.mechanisms, o.Value)
		w.Controls.Mechanisms.Groups[0].Options[i].Hint = "one line of truth"
	}
	var row, col int
	if _, err := fmt.Sscanf(f.get("pin", ""), "%d.%d", &row, &col); err == nil && row <= len(f.tokens) && col <= len(f.tokens) {
		w.Controls.Hidden = []Field{{"pin", f.get("pin", "")}}
		w.Pin = &Pin{Row: row - 1, Col: col - 1, RowText: f.tokens[row-1].Label, ColText: f.tokens[col-1].Label}
		for _, c := range w.Cards {
			w.Pin.Readings = append(w.Pin.Readings, Reading{c.ID, c.Name, "0.621", "0.6213437"})
		}
	}
	return w
}

func aboutFixture() About {
	return About{Page: Page{Title: "About", Section: "about"},
		Models: []ModelRow{{ID: "dense", Name: "Dense", Layers: 2, Heads: 4, Width: 128, Length: 64, Params: 1204816, Steps: 4000,
			Tokens: 12_000_000, Loss: 3.21, Scores: []Fact{{Label: "topic", Value: "0.91"}, {Label: "feeling", Value: "0.74"}}, Minutes: 21, Commit: "abc", Source: "Tay et al. 2021"}},
		Data: []DataRow{{"Children’s stories", "public domain", "https://example.org/"}}}
}

func failureFixture() Failure {
	return Failure{Page: Page{Title: "Not found"}, Status: 404, Title: "There is no such page", Detail: "The address may have been shortened on its way to you."}
}

// mechanismFixture has a text wherever a page of a mechanism has one.
func mechanismFixture(text string) Mechanism {
	f := newFixture(url.Values{"text": {text}, "m": {"fastformer"}})
	w := f.wall()
	m := Mechanism{
		Wall: w, ID: "fastformer", Name: text, Summary: text, Formula: `A = \frac{Q}{2} \quad \text{` + text + `}`, Story: []string{text, "y = q"},
		Background: Background{Cost: "O(N)", Counts: []Tally{{"parameters", "4d²", "1234", text}, {"operations", "", "5", text}},
			Sizes: []Fact{{"k", "8", text}}, Limits: []string{text}, Paper: Paper{Authors: text, Title: text, Venue: text, Equations: text, URL: "https://arxiv.org/abs/1", URLLabel: text, BibTeX: text}},
		Setting: text, Nothing: text, Definitions: []Definition{{"mix = a", text, "A", text}}, Choices: Choices{[]Knob{{"k", "k", "1 to 2", "1", text}}, text, text}, Differences: Differences{text, []string{text}},
		Downloads: []Link{{Label: text, URL: "/export/fastformer.png"}}, Next: Link{Label: text, URL: "/m/linformer"}, Back: Link{Label: text, URL: "/"},
	}
	m.Layers = []LayerRow{{Label: text, Thumbs: []Thumb{{Label: text, URL: "/m/fastformer?layer=1", Image: fixtureImage(f, "fastformer", "contribution", 64), Current: true}}}}
	return m
}
