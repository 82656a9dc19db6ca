package wall_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/predict"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"
)

// expecting returns a fake engine whose mechanisms predict a word for every [MASK], and gpt2 after every token.
func expecting() *webtest.FakeEngine {
	return &webtest.FakeEngine{Change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			m := &r.Mechanisms[i]
			for at, token := range r.Tokens {
				next := m.ID == "gpt2"
				if next && at == len(r.Tokens)-1 || !next && !token.IsMask() {
					continue
				}
				p := predict.Prediction{At: at, Next: next}
				for k, piece := range []string{"mat", "##ite", "<E7>", "sat", "floor", "rec", "the", "a", "of", "to"} {
					p.Words = append(p.Words, predict.Word{Piece: piece, P: 0.3/float64(k+1) + float64(at)/1e4})
				}
				m.Predictions = append(m.Predictions, p)
			}
		}
	}}
}

// TestHiddenWordsAreGuessed: each [MASK] has five words with bars. The masked word is marked if the address knows
// it.
func TestHiddenWordsAreGuessed(t *testing.T) {
	s := webtest.NewServer(t, expecting())
	doc := webtest.Parse(t, webtest.Unfolded(s, "/?m=dense,bert&text=The+%5BMASK%5D+%5BMASK%5D+%5BMASK%5D%5BMASK%5D%5BMASK%5D+%5BMASK%5D&was=cat&was=sat&was=recondite&was=", "dense", "bert"))
	for _, id := range []string{"dense", "bert"} {
		c := webtest.Card(doc, id)
		list := webtest.All(c, "div.prediction")
		if len(list) != 6 || len(webtest.All(webtest.All(c, "details.every")[0], "div.prediction")) != 3 {
			t.Fatalf("%s: %d places", id, len(list))
		}
		for i, p := range list {
			words := webtest.All(p, "bdi.likely-word")
			if len(words) != wall.TopShown || webtest.TextOf(words[2]) != "⟨E7⟩" ||
				!strings.Contains(webtest.TextOf(p), "for: [MASK]") {
				t.Errorf("%s, place %d: %s", id, i, webtest.TextOf(p))
			}
			bar, _ := webtest.Attr(webtest.All(p, "rect")[0], "width")
			if want := []string{"30.02", "30.03", "30.04", "30.05", "30.06", "30.07"}[i]; bar != want {
				t.Errorf("%s, place %d: a bar of %s %%, want %s", id, i, bar, want)
			}
		}
		for i, says := range []string{
			"The masked word is “cat”: not among the 10 most likely words.",
			"The masked word is “sat”: rank 4, probability 0.0753.", "The masked word is “rec”: rank 6, probability 0.0504.",
			"The masked word is “##ond”: not among", "The masked word is “##ite”: rank 2,", "",
		} {
			told := webtest.All(list[i], "p.prediction-hidden")
			if (says == "") != (len(told) == 0) || says != "" && !strings.Contains(webtest.TextOf(told[0]), says) {
				t.Errorf("%s, place %d does not say %q: %s", id, i, says, webtest.TextOf(list[i]))
			}
		}
		if marked := webtest.All(list[1], "li.right"); len(marked) != 1 ||
			!strings.Contains(webtest.TextOf(marked[0]), "sat") {
			t.Errorf("%s: the hidden word is not marked", id)
		}
	}
	if len(webtest.All(webtest.Parse(t, webtest.Get(s, "/?m=dense&text=The+cat")), "section.predictions")) != 0 {
		t.Error("words are guessed that nobody hid")
	}
}

// TestNextWords: the prediction after the pinned word is shown, without a pin the last one. All predictions are in
// the page, and the word that really follows is marked.
func TestNextWords(t *testing.T) {
	s := webtest.NewServer(t, expecting())
	for query, after := range map[string]string{"text=The+cat+sat": "sat4", "text=The+cat+sat&pin=3.1": "cat3",
		"text=The+cat+sat&pin=5.1": "sat4"} {
		c := webtest.Card(webtest.Parse(t, webtest.Unfolded(s, "/?m=gpt2&"+query, "gpt2")), "gpt2")
		if now := webtest.TextOf(webtest.All(c, "div.now")[0]); !strings.Contains(now, "after: "+after) {
			t.Errorf("%s: %s", query, now)
		}
		every := webtest.All(webtest.All(c, "details.every")[0], "li.prediction")
		if len(every) != 4 {
			t.Fatalf("%s: %d places", query, len(every))
		}
		for i, p := range every {
			if at, _ := webtest.Attr(p, "data-at"); at != string(rune('0'+i)) {
				t.Errorf("place %d is after token %s", i, at)
			}
			if marked := webtest.All(p, "li.right"); len(marked) != map[int]int{2: 1}[i] {
				t.Errorf("place %d: %d words follow really", i, len(marked))
			}
		}
	}
}

// TestPredictionsInTheAPI: the API has the engine's numbers, with the number of their token.
func TestPredictionsInTheAPI(t *testing.T) {
	w := webtest.Get(webtest.NewServer(t, expecting()),
		"/api/v1/attend?m=dense,gpt2&layer=1&head=1&map=weights&text=The+%5BMASK%5D+sat")
	var a struct {
		Tokens     []struct{ Piece string }
		Mechanisms []struct {
			Predictions []struct {
				Token int
				Next  bool
				Words []struct {
					Piece string
					P     float64
				}
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK {
		t.Fatal(w.Code, err)
	}
	dense, gpt2 := a.Mechanisms[0].Predictions, a.Mechanisms[1].Predictions
	if len(dense) != 1 || dense[0].Next || a.Tokens[dense[0].Token].Piece != "[MASK]" || len(dense[0].Words) != 10 ||
		dense[0].Words[1].Piece != "##ite" || math.Abs(dense[0].Words[1].P-0.1502) > 1e-12 {
		t.Errorf("%+v", dense)
	}
	if len(gpt2) != 4 || !gpt2[3].Next || gpt2[3].Token != 3 {
		t.Errorf("%+v", gpt2)
	}
	if doc := webtest.Get(webtest.NewServer(t, expecting()), "/api/v1/openapi.json").Body.String(); !strings.Contains(doc,
		`"predictions"`) {
		t.Error("the API's description does not know them")
	}
}

// TestPairs: tokens name their text. A line precedes the second text in maps, strips and figures, and nowhere
// else.
func TestPairs(t *testing.T) {
	s := webtest.NewServer(t, expecting())
	const query = "text=The+cat+%7C%7C%7C+a+dog"
	doc := webtest.Parse(t, webtest.Get(s, "/?m=fastformer,dense&"+query))
	var of string
	for _, li := range webtest.All(doc, "li.token") {
		segment, _ := webtest.Attr(li, "data-segment")
		of += segment
		if begins := webtest.IsElement(li, "li.begins"); begins != (len(of) == 1 || len(of) == 5) {
			t.Errorf("token %d begins a text: %v", len(of), begins)
		}
	}
	if of != "AAAABBB" {
		t.Errorf("segments %s", of)
	}
	for _, id := range []string{"fastformer", "dense"} {
		e, _ := attention.Find(id)
		want := append([]string{"M0 4H7M4 0V7"}, slices.Repeat([]string{"M4 0V1"}, len(e.Views)-1)...)
		var got []string
		for _, path := range webtest.All(webtest.Card(doc, id), "path.seam-over") {
			d, _ := webtest.Attr(path, "d")
			got = append(got, d)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has the lines %q", id, got)
		}
	}
	if !strings.Contains(webtest.TextOf(webtest.All(doc, "div#strip-hint")[0]), "A and B are two texts") {
		t.Error("the page does not say what A and B are")
	}
	one := webtest.Parse(t, webtest.Get(s, "/?m=dense&text=The+cat"))
	if len(webtest.All(one, "path.seam-over")) != 0 || len(webtest.All(one, "li.begins")) != 0 {
		t.Error("one text is parted")
	}
	with := webtest.Picture(t, s, "/export/dense.png?scale=20&"+query)
	without := webtest.Picture(t, webtest.NewServer(t,
		&webtest.FakeEngine{Change: func(r *engine.Report) { r.Segments = nil }}), "/export/dense.png?scale=20&"+query)
	if n := webtest.Differing(with, without); n < 7*20*2*2 || n > 8*20*2*2+200 {
		t.Errorf("the lines change %d pixels", n)
	}
	bare := webtest.Picture(t, s, "/export/dense.png?bare=1&scale=9&"+query)
	if bare.Bounds().Dx() != 63 || webtest.Rgb(bare, 35, 4) != webtest.Rgb(bare, 31, 4) ||
		webtest.Rgb(bare, 36, 4) != webtest.Rgb(bare, 40, 4) {
		t.Error("lines are drawn over bare cells")
	}
}

// TestHostileMasks: text of a visitor is always escaped.
func TestHostileMasks(t *testing.T) {
	s := webtest.NewServer(t, expecting())
	for _, text := range []string{
		"[MASK]", "[MASK][MASK]", "[[MASK]]", "[MASK", "|||[MASK]|||", "[mask]", "x[MASK]\x00\xff",
		"<b>[MASK]</b>\" onclick=1", "[CLS] [SEP] [MASK]",
	} {
		for _, was := range []string{"", "</script><script>alert(1)</script>", "\x00", "\xff", "\" onfocus=\"x",
			strings.Repeat("x", 9000)} {
			w := webtest.Get(s, "/?m=dense,gpt2&text="+url.QueryEscape(text)+"&was="+url.QueryEscape(was))
			doc := webtest.Parse(t, w)
			if w.Code != http.StatusOK || len(webtest.Inline(doc)) > 0 || len(webtest.All(doc, "article.card")) != 2 {
				t.Errorf("%q, %q: %d %v", text, was, w.Code, webtest.Inline(doc))
			}
		}
	}
}
