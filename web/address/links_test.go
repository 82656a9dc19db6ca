package address

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/method"
	"attnatlas/engine/tokenizer"
)

// TestLinks: a URL depends only on visible parts of the state. Figures do not depend on pin and
// step, drawings also not on colours. Numbers name their text and head.
func TestLinks(t *testing.T) {
	s, err := read("text=a+%5BMASK%5D&was=cat&m=dense&layer=2&head=3&norm=shared&cmap=ink&mask=causal&theme=dark&pin=1.2&step=4&example=chinese&walk=2&large=bert&present=1&other=b")
	if err != nil {
		t.Fatal(err)
	}
	const text, all = "text=a+%5BMASK%5D", "head=3&layer=2&m=dense&"
	for got, want := range map[string]string{
		Wall(s): "/?cmap=ink&example=chinese&head=3&large=bert&layer=2&m=dense&mask=causal&norm=shared&other=b&pin=1.2&present=1&step=4&" + text + "&theme=dark&walk=2&was=cat",
		Mechanism(s, "gpt2"): "/m/gpt2?cmap=ink&head=3&layer=2&mask=causal&norm=shared&other=b&pin=1.2&step=4&" + text +
			"&theme=dark&was=cat",
		Mechanism(s, "bert"): "/m/bert?cmap=ink&head=3&large=bert&layer=2&mask=causal&norm=shared&other=b&pin=1.2&step=4&" +
			text + "&theme=dark&was=cat",
		Export(s, "dense", "png", url.Values{Map: {"effective weights"}, Plane: {"2"}}): "/export/dense.png?cmap=ink&" +
			strings.Replace(all, "m=dense&", "m=dense&map=effective+weights&mask=causal&norm=shared&plane=2&", 1) + text +
			"&theme=dark",
		Attend(s, []string{"weights", "alpha"}):  "/api/v1/attend?head=3&layer=2&m=dense&map=weights%2Calpha&mask=causal&" + text,
		Drawing(s, "dense", []string{"weights"}): "/api/v1/drawing?head=3&layer=2&m=dense&map=weights&mask=causal&norm=shared&of=dense&" + text,
		Drawing(s, "", []string{"weights"}):      "/api/v1/drawing?head=3&layer=2&m=dense&map=weights&mask=causal&norm=shared&other=b&" + text,
		Write(s):                                 "/api/v1/write?head=3&layer=2&" + text,
		Attend(Default().For(exhibit.Influence.String()),
			nil): "/api/v1/attend?head=auto&m=dot-product%2Crandom%2Cdense%2Cfastformer&show=influence&" + url.Values{Text: {DefaultText}}.Encode(),
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestDecodeFigure: naming a map selects it, and only it is computed. Figures ignore the visitor's
// system theme.
func TestDecodeFigure(t *testing.T) {
	for query, want := range map[string]FigureRequest{
		"":              {},
		"map=influence": {Map: "influence", State: State{Choice: exhibit.Choice{Show: exhibit.Influence}}},
		"map=rollout&plane=2": {Map: "rollout", Plane: 2,
			State: State{Choice: exhibit.Choice{Show: exhibit.Show(method.Rollout)}}},
		"map=alpha&show=rollout": {Map: "alpha"},
		"show=rollout":           {State: State{Choice: exhibit.Choice{Show: exhibit.Show(method.Rollout)}}},
		"bare=1&transparent=1&scale=7&dpi=300&cmap=ink&theme=dark": {Bare: true,
			Appearance: exhibit.Appearance{Palette: figure.Ink, Theme: figure.Dark, Scale: 7, DPI: 300, Transparent: true}},
	} {
		v, _ := ParseQuery(query)
		s, _ := Decode(v, tokenizer.Default(), "")
		got, bad := DecodeFigure(v, s)
		if len(bad) > 0 || got.Show != want.Show || got.Map != want.Map || got.Plane != want.Plane || got.Bare != want.Bare ||
			!reflect.DeepEqual(got.Appearance, want.Appearance) {
			t.Errorf("%s: %+v, %v", query, got, bad)
		}
	}
	for query, want := range map[string]string{
		"plane=0": `plane=“0”`, "scale=x": `scale=“x”`, "dpi=-1": `dpi=“-1”`, "bare=yes": "must be one of 1, 0",
		"scal=7": "known parameters: map, plane, scale, dpi, bare, transparent, preset, title, numbers, width, type, live, text, m",
	} {
		v, _ := ParseQuery(query)
		if _, bad := DecodeFigure(v, Default()); len(bad) != 1 || !strings.Contains(bad[0].Error(), want) {
			t.Errorf("%s: %v", query, bad)
		}
	}
}

// TestOwnHeads: a card's own head is in every URL that shows the card. It becomes that of all cards
// if the card is alone. URLs of other cards have it only if they share a scale.
func TestOwnHeads(t *testing.T) {
	s, err := read("m=dense,random,bert&head=2&dense.head=4&random.head=auto&bert.head=2&norm=map")
	if err != nil || s.HeadFor("dense") != 4 || s.HeadFor("random") != exhibit.Auto || s.HeadFor("bert") != 2 ||
		s.HeadFor("gpt2") != 2 {
		t.Fatalf("%+v, %v", s.Choice, err)
	}
	shared := s
	shared.Norm = figure.Shared
	const own = "dense.head=4&head=2&"
	text := "text=" + url.QueryEscape(DefaultText)
	for got, want := range map[string]string{
		Wall(s):                        "/?" + own + "m=dense%2Crandom%2Cbert&norm=map&random.head=auto",
		Wall(s.WithHead("dense", 2)):   "/?head=2&m=dense%2Crandom%2Cbert&norm=map&random.head=auto",
		Wall(s.WithHead("bert", 1)):    "/?bert.head=1&" + own + "m=dense%2Crandom%2Cbert&norm=map&random.head=auto",
		Mechanism(s, "dense"):          "/m/dense?head=4&norm=map",
		Mechanism(s, "random"):         "/m/random?norm=map",
		Export(s, "dense", "png", nil): "/export/dense.png?head=4&m=dense%2Crandom%2Cbert&norm=map",
		Export(shared, "bert", "png", nil): "/export/bert.png?" + own +
			"m=dense%2Crandom%2Cbert&norm=shared&random.head=auto",
		Attend(s, nil): "/api/v1/attend?" + own + "m=dense%2Crandom%2Cbert&random.head=auto&" + text,
		Drawing(s, "", []string{"A"}): "/api/v1/drawing?" + own +
			"m=dense%2Crandom%2Cbert&map=A&norm=map&random.head=auto&" + text,
		Drawing(s, "bert", []string{"A"}): "/api/v1/drawing?head=2&m=dense%2Crandom%2Cbert&map=A&norm=map&of=bert&" + text,
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if all := s.WithHead("dense", 2).WithHead("random", 2); all.Heads != nil || s.Heads["dense"] != 4 {
		t.Errorf("%v, of %v", all.Heads, s.Heads)
	}
}

// TestKeptAddresses: a full stop at the end of a text stays part of its URL, even if a program
// finds the URL in a text.
func TestKeptAddresses(t *testing.T) {
	for address, want := range map[string]string{"/?text=on+the+mat.": "/?text=on+the+mat%2E",
		"/?text=a.&layer=2": "/?text=a.&layer=2", "/": "/"} {
		if got := Kept(address); got != want {
			t.Errorf("%s is written as %s, want %s", address, got, want)
		}
	}
}

// TestFiguresOnPapers: a width selects a paper with a white zero, unless colours are chosen;
// invalid sizes are rejected.
func TestFiguresOnPapers(t *testing.T) {
	for query, want := range map[string]string{
		"width=12.5": "ink", "preset=column": "ink", "preset=column&cmap=cividis": "cividis", "preset=slide": "cividis",
		"width=12.5&type=8&title=0&numbers=1": "ink",
	} {
		v, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		f, bad := DecodeFigure(v, Default())
		again, more := DecodeFigure(f.extra(), f.State)
		if len(bad) > 0 || len(more) > 0 || f.Palette.String() != want || f.Preset != again.Preset ||
			f.Appearance != again.Appearance {
			t.Errorf("%s: %s, %+v, again %+v, %v", query, f.Palette, f.Appearance, again.Appearance, append(bad, more...))
		}
	}
	for _, query := range []string{"width=2", "width=x", "type=8", "width=10&preset=column", "width=10&type=100",
		"title=2"} {
		v, _ := url.ParseQuery(query)
		if _, bad := DecodeFigure(v, Default()); len(bad) == 0 {
			t.Errorf("%s is taken", query)
		}
	}
}
