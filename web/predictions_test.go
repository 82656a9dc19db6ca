package web

import (
	"encoding/json"
	"image"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"

	"golang.org/x/net/html"
)

// expecting is a fake engine whose mechanisms guess for every [MASK], and gpt2 after
// every token.
func expecting() *fakeEngine {
	return &fakeEngine{change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			m := &r.Mechanisms[i]
			for at, token := range r.Tokens {
				next := m.ID == "gpt2"
				if next && at == len(r.Tokens)-1 || !next && !token.IsMask() {
					continue
				}
				p := engine.Prediction{At: at, Next: next}
				for k, piece := range []string{"mat", "##ite", "<E7>", "sat", "floor", "reco", "the", "a", "of", "to"} {
					p.Words = append(p.Words, engine.Word{Piece: piece, P: 0.3/float64(k+1) + float64(at)/1e4})
				}
				m.Predictions = append(m.Predictions, p)
			}
		}
	}}
}

func card(doc *html.Node, id string) *html.Node { return all(doc, "article#card-"+id)[0] }

// TestHiddenWordsAreGuessed: five words with bars for each [MASK]; the hidden one is marked
// where the address knows it.
func TestHiddenWordsAreGuessed(t *testing.T) {
	s := newServer(t, expecting())
	doc := parse(t, unfolded(s, "/?m=dense,bert&text=The+%5BMASK%5D+%5BMASK%5D+%5BMASK%5D%5BMASK%5D%5BMASK%5D+%5BMASK%5D&was=cat&was=sat&was=recondite&was=", "dense", "bert"))
	for _, id := range []string{"dense", "bert"} {
		c := card(doc, id)
		list := all(c, "div.prediction")
		if len(list) != 6 || len(all(all(c, "details.every")[0], "div.prediction")) != 3 {
			t.Fatalf("%s: %d places", id, len(list))
		}
		for i, p := range list {
			words := all(p, "bdi.likely-word")
			if len(words) != topShown || textOf(words[2]) != "⟨E7⟩" || !strings.Contains(textOf(p), "for [MASK]") {
				t.Errorf("%s, place %d: %s", id, i, textOf(p))
			}
			bar, _ := attr(all(p, "rect")[0], "width")
			if want := []string{"30.02", "30.03", "30.04", "30.05", "30.06", "30.07"}[i]; bar != want {
				t.Errorf("%s, place %d: a bar of %s %%, want %s", id, i, bar, want)
			}
		}
		for i, says := range []string{
			"Hidden is “cat”: not among the 10 likeliest.", "Hidden is “sat”: number 4, 0.0753.", "Hidden is “reco”: number 6, 0.0504.",
			"Hidden is “##nd”: not among", "Hidden is “##ite”: number 2,", "",
		} {
			told := all(list[i], "p.prediction-hidden")
			if (says == "") != (len(told) == 0) || says != "" && !strings.Contains(textOf(told[0]), says) {
				t.Errorf("%s, place %d does not say %q: %s", id, i, says, textOf(list[i]))
			}
		}
		if marked := all(list[1], "li.right"); len(marked) != 1 || !strings.Contains(textOf(marked[0]), "sat") {
			t.Errorf("%s: the hidden word is not marked", id)
		}
	}
	if len(all(parse(t, get(s, "/?m=dense&text=The+cat")), "section.predictions")) != 0 {
		t.Error("words are guessed that nobody hid")
	}
}

// TestNextWords: the one after the pinned word is shown, without a pin the last; all are
// in the page, and the word that really follows is marked.
func TestNextWords(t *testing.T) {
	s := newServer(t, expecting())
	for query, after := range map[string]string{"text=The+cat+sat": "sat4", "text=The+cat+sat&pin=3.1": "cat3", "text=The+cat+sat&pin=5.1": "sat4"} {
		c := card(parse(t, unfolded(s, "/?m=gpt2&"+query, "gpt2")), "gpt2")
		if now := textOf(all(c, "div.now")[0]); !strings.Contains(now, "after "+after) {
			t.Errorf("%s: %s", query, now)
		}
		every := all(all(c, "details.every")[0], "li.prediction")
		if len(every) != 4 {
			t.Fatalf("%s: %d places", query, len(every))
		}
		for i, p := range every {
			if at, _ := attr(p, "data-at"); at != string(rune('0'+i)) {
				t.Errorf("place %d is after token %s", i, at)
			}
			if marked := all(p, "li.right"); len(marked) != map[int]int{2: 1}[i] {
				t.Errorf("place %d: %d words follow really", i, len(marked))
			}
		}
	}
}

// TestPredictionsInTheAPI: the engine's numbers, with the number of their token.
func TestPredictionsInTheAPI(t *testing.T) {
	w := get(newServer(t, expecting()), "/api/v1/attend?m=dense,gpt2&layer=1&head=1&map=weights&text=The+%5BMASK%5D+sat")
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
	if len(dense) != 1 || dense[0].Next || a.Tokens[dense[0].Token].Piece != "[MASK]" || len(dense[0].Words) != 10 || dense[0].Words[1].Piece != "##ite" || math.Abs(dense[0].Words[1].P-0.1502) > 1e-12 {
		t.Errorf("%+v", dense)
	}
	if len(gpt2) != 4 || !gpt2[3].Next || gpt2[3].Token != 3 {
		t.Errorf("%+v", gpt2)
	}
	if doc := get(newServer(t, expecting()), "/api/v1/openapi.json").Body.String(); !strings.Contains(doc, `"predictions"`) {
		t.Error("the API's description does not know them")
	}
}

// TestPairs: tokens say which text they are of, a line stands in front of the second
// text in maps, strips and figures, and nowhere else.
func TestPairs(t *testing.T) {
	s := newServer(t, expecting())
	const query = "text=The+cat+%7C%7C%7C+a+dog"
	doc := parse(t, get(s, "/?m=fastformer,dense&"+query))
	var of string
	for _, li := range all(doc, "li.token") {
		segment, _ := attr(li, "data-segment")
		of += segment
		if begins := isElement(li, "li.begins"); begins != (len(of) == 1 || len(of) == 5) {
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
		for _, path := range all(card(doc, id), "path.seam-over") {
			d, _ := attr(path, "d")
			got = append(got, d)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has the lines %q", id, got)
		}
	}
	if !strings.Contains(textOf(all(doc, "div#strip-hint")[0]), "A and B are two texts") {
		t.Error("the page does not say what A and B are")
	}
	one := parse(t, get(s, "/?m=dense&text=The+cat"))
	if len(all(one, "path.seam-over")) != 0 || len(all(one, "li.begins")) != 0 {
		t.Error("one text is parted")
	}
	with := picture(t, s, "/export/dense.png?scale=20&"+query)
	without := picture(t, newServer(t, &fakeEngine{change: func(r *engine.Report) { r.Segments = nil }}), "/export/dense.png?scale=20&"+query)
	if n := differing(with, without); n < 7*20*2*2 || n > 8*20*2*2+200 {
		t.Errorf("the lines change %d pixels", n)
	}
	bare := picture(t, s, "/export/dense.png?bare=1&scale=9&"+query)
	if bare.Bounds().Dx() != 63 || rgb(bare, 35, 4) != rgb(bare, 31, 4) || rgb(bare, 36, 4) != rgb(bare, 40, 4) {
		t.Error("lines are drawn over bare cells")
	}
}

func differing(a, b image.Image) int {
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if rgb(a, x, y) != rgb(b, x, y) {
				n++
			}
		}
	}
	return n
}

// TestHostileMasks: nothing that a visitor writes gets out of its place.
func TestHostileMasks(t *testing.T) {
	s := newServer(t, expecting())
	for _, text := range []string{
		"[MASK]", "[MASK][MASK]", "[[MASK]]", "[MASK", "|||[MASK]|||", "[mask]", "x[MASK]\x00\xff", "<b>[MASK]</b>\" onclick=1", "[CLS] [SEP] [MASK]",
	} {
		for _, was := range []string{"", "</script><script>alert(1)</script>", "\x00", "\xff", "\" onfocus=\"x", strings.Repeat("x", 9000)} {
			w := get(s, "/?m=dense,gpt2&text="+url.QueryEscape(text)+"&was="+url.QueryEscape(was))
			doc := parse(t, w)
			if w.Code != http.StatusOK || len(inline(doc)) > 0 || len(all(doc, "article.card")) != 2 {
				t.Errorf("%q, %q: %d %v", text, was, w.Code, inline(doc))
			}
		}
	}
}
