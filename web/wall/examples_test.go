package wall_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/messages"
	"attnatlas/web/scene"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"
)

// lookOf returns the line above the maps of a page, and the page's links.
func lookOf(t *testing.T, s http.Handler, target string) (says string, links []string) {
	t.Helper()
	w := webtest.Get(s, target)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d", target, w.Code)
	}
	for _, n := range webtest.All(webtest.Parse(t, w), "section#look") {
		return webtest.TextOf(n), webtest.LinksOf(n)
	}
	t.Fatalf("%s has no line above the maps", target)
	return "", nil
}

// TestExamplesAreCompleteStates: an example's link has its text and its whole view, whatever the visitor has
// chosen. The page shows its claim, with links to the neighbouring examples.
func TestExamplesAreCompleteStates(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	list := scene.Examples()
	p, _ := wall.New(s).ReadPage(httptest.NewRequest("GET",
		"/?m=dense&text=cat&layer=2&head=3&show=influence&theme=dark", nil), nil)
	links := p.Wall().Examples
	if len(links) != len(list) {
		t.Fatalf("%d links, %d examples", len(links), len(list))
	}
	for i, link := range links {
		q, view := webtest.QueryOf(t, link.URL), webtest.QueryOf(t, "/?"+list[i].View)
		want := list[i].Text
		if q.Get("example") != list[i].ID || q.Get("theme") != "dark" || q.Has("head") || q.Has("text") &&
			q.Get("text") != want {
			t.Errorf("%s opens %s", list[i].ID, link.URL)
		}
		for key := range view {
			if value := view.Get(key); q.Get(key) != value && key != "layer" {
				t.Errorf("%s: %s=%s, want %s", list[i].ID, key, q.Get(key), value)
			}
		}
	}
	says, to := lookOf(t, s, links[1].URL)
	joined := strings.Join(to, " ")
	if !strings.Contains(says, messages.English.T("example."+list[1].ID+".title")) || !strings.Contains(says, "2 of ") ||
		!strings.Contains(joined, "example="+list[0].ID) || !strings.Contains(joined, "example="+list[2].ID) ||
		!strings.Contains(joined, "/gallery") {
		t.Errorf("%q, %v", says, to)
	}
}

// TestSentencesGoWithTheirTexts: the sentence of a tour step stays in another view. For another text, the page
// says that the text differs, and links back.
func TestSentencesGoWithTheirTexts(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) { // as the tour says
		for i := range r.Mechanisms {
			m := r.Mechanisms[i].Layers[0].Maps[0]
			clear(m.Value.Data)
			n := m.Value.Dim(1)
			for row := range m.Value.Dim(0) * n {
				m.Value.Data[row*n+max(row%n-1, 0)] = 1
			}
		}
	}})
	sc := scene.Walk[0]
	title, other := messages.English.T("walk."+sc.ID+".title"), messages.English.T("look.other-text")
	for name, c := range map[string]struct {
		change     map[string]string
		told, back bool
	}{
		"as it is":      {nil, true, false},
		"colours":       {map[string]string{"cmap": "ink", "norm": "map"}, true, false},
		"a pin":         {map[string]string{"pin": "2.3"}, true, false},
		"another head":  {map[string]string{"dot-product.head": "2"}, true, true},
		"another layer": {map[string]string{"layer": "2"}, true, true},
		"other cards":   {map[string]string{"m": "dense"}, true, true},
		"another text":  {map[string]string{"text": "hello you", "pin": "1.1"}, false, true},
	} {
		v := webtest.QueryOf(t, "/?walk=1&"+sc.View)
		for key, value := range c.change {
			v.Set(key, value)
		}
		doc := webtest.Parse(t, webtest.Get(s, "/?"+v.Encode()))
		says, back := webtest.TextOf(webtest.All(doc, "section#look")[0]), webtest.All(doc, "a#look-again")
		if !strings.Contains(says, title) || strings.Contains(says, "gives dog a weight of 1,") != c.told ||
			strings.Contains(says, other) == c.told || (len(back) > 0) != c.back {
			t.Errorf("%s: %q, %d ways back", name, says, len(back))
		}
		if c.back {
			href, _ := webtest.Attr(back[0], "href")
			want := webtest.QueryOf(t, "/?walk=1&"+sc.View)
			if text := c.change["text"]; text != "" { // the visitor's own text, to which the tour returns
				want.Set("from", url.Values{"text": {text}}.Encode())
			}
			if webtest.QueryOf(t, href).Encode() != want.Encode() && c.change["cmap"] == "" {
				t.Errorf("%s leads back to %s", name, href)
			}
		}
	}
}

// TestEveryTextHasSomethingToTry: the first line links to a state and to the tour, the menu has more links, and
// each of them answers.
func TestEveryTextHasSomethingToTry(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, target := range []string{"/", "/?text=hello+you", "/?text=hello+you&layer=2", "/?text=a+%5BMASK%5D+dog"} {
		_, links := lookOf(t, s, target)
		if len(links) != 2 {
			t.Errorf("%s: %v in the first line", target, links)
		}
		doc := webtest.Parse(t, webtest.Get(s, target))
		for _, sel := range []string{"ul#tries", "span#second-begin"} {
			links = slices.Insert(links, 1, webtest.LinksOf(webtest.All(doc, sel)[0])...)
		}
		if len(links) < 4 {
			t.Errorf("%s: %v", target, links)
		}
		seen := map[string]bool{}
		for _, link := range links {
			if w := webtest.Get(s, link); w.Code != http.StatusOK || seen[link] || link == target {
				t.Errorf("%s: %s answers %d", target, link, w.Code)
			}
			seen[link] = true
		}
		if !strings.Contains(links[len(links)-1], "walk=1") {
			t.Errorf("%s: the last link is %s", target, links[len(links)-1])
		}
	}
	for _, show := range []string{"influence", "rollout", "flow", "value-zeroing",
		"norm"} { // these have a line with their definition instead
		if says, links := lookOf(t, s, "/?show="+show); says != "" || len(links) > 0 {
			t.Errorf("%s: %q stands above the maps, with %v", show, says, links)
		}
	}
}

// TestWalk: each step links to the next and back, and keeps the visitor's colours. The last step links out of the
// tour and to all examples; so does a step that does not exist.
func TestWalk(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	at := "/?walk=1&theme=dark"
	for step := 1; step <= len(scene.Walk); step++ {
		w := webtest.Get(s, at)
		doc := webtest.Parse(t, w)
		marked := webtest.All(doc, "article.told-of")
		if of, _ := webtest.Attr(marked[0], "data-mechanism"); len(marked) != 1 ||
			of != scene.Walk[step-1].Claims[0].Mechanism {
			t.Errorf("step %d marks %d cards, first %s", step, len(marked), of)
		}
		back, next := webtest.All(doc, "a#look-previous"), webtest.All(doc, "a#look-next")
		if (len(back) > 0) != (step > 1) || len(next) != 1 || len(webtest.All(doc, "a#look-up")) != 1 {
			t.Fatalf("step %d: %d back, %d on", step, len(back), len(next))
		}
		if step < len(scene.Walk) {
			at, _ = webtest.Attr(next[0], "href")
			if q := webtest.QueryOf(t, at); q.Get("theme") != "dark" || q.Get("walk") != string(rune('1'+step)) {
				t.Errorf("step %d leads to %s", step, at)
			}
			continue
		}
		out, _ := webtest.Attr(next[0], "href")
		if up, _ := webtest.Attr(webtest.All(doc, "a#look-up")[0], "href"); webtest.QueryOf(t, out).Has("walk") ||
			!strings.HasPrefix(out, "/?") || !strings.HasPrefix(up, "/gallery?") {
			t.Errorf("the last step leads to %s and %s", out, up)
		}
	}
	if says, _ := lookOf(t, s, "/?walk=999"); !strings.Contains(says,
		messages.English.T("walk."+scene.Walk[len(scene.Walk)-1].ID+".title")) {
		t.Errorf("a step too far says %q", says)
	}
}

// TestFirstViewOfOtherModels: if the first sentence is false for other models, the page describes the text as any
// other text.
func TestFirstViewOfOtherModels(t *testing.T) {
	usual, none := &webtest.FakeEngine{}, &webtest.FakeEngine{Change: func(r *engine.Report) {
		r.Mechanisms = slices.DeleteFunc(r.Mechanisms, func(m engine.Result) bool { return m.ID == "dot-product" })
	}}
	for name, e := range map[string]*webtest.FakeEngine{"other numbers": usual, "a mechanism is missing": none} {
		line := webtest.All(webtest.Parse(t, webtest.Get(webtest.NewServer(t, e), "/")), "section.look")
		if len(line) != 1 {
			t.Fatalf("%s: %d lines", name, len(line))
		}
		if says := webtest.TextOf(line[0]); !toldOf(says) || strings.Contains(says, messages.English.T("look.not-here")) ||
			strings.Contains(says, messages.English.T("look.missing")) {
			t.Errorf("%s: %s", name, says)
		}
	}
}

// TestTheTextFollows: the links of the masthead of every page have the text and the mechanisms.
func TestTheTextFollows(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, target := range []string{"/", "/m", "/gallery", "/results", "/about", "/m/dense", "/nothing"} {
		w := webtest.Get(s, target+"?text=hello+you&m=dense,linear&cmap=ink&walk=2&example=chinese&pin=1.2", "Accept",
			"text/html")
		for _, link := range webtest.LinksOf(webtest.All(webtest.Parse(t, w), "nav#pages")[0]) {
			q := webtest.QueryOf(t, link)
			if m := q.Get("m"); q.Get("text") != "hello you" || q.Get("cmap") != "ink" || m != "dense,linear" &&
				target != "/m/dense" || q.Has("walk") || q.Has("example") || q.Has("pin") {
				t.Errorf("%s leads to %s", target, link)
			}
		}
	}
}

// toldOf reports whether a line describes the strongest link of a text, or how the mechanisms differ.
func toldOf(says string) bool {
	return strings.Contains(says, " attends to ") || strings.Contains(says, "spreads its attention over about")
}

// TestPiecesOfAWordAreNoWords: for a text of one or two long words, the page describes no link.
func TestPiecesOfAWordAreNoWords(t *testing.T) {
	s := realServer(t)
	line := func(text string) string {
		says, _ := lookOf(t, s, "/?text="+url.QueryEscape(text))
		return says
	}
	for _, text := range []string{"supercalifragilisticexpialidocious", "politely supercalifragilistic"} {
		if says := line(text); !strings.Contains(says, "spreads its attention over about") {
			t.Errorf("%s: %s", text, says)
		}
	}
	if says := line("politely they supercalifragilistic"); !strings.Contains(says,
		"supercalifragilistic attends to politely with a weight of 0.") {
		t.Error(says)
	}
}

// TestOwnTextIsTold: for a visitor's own text, the page describes a link of content words with its number and a
// comparison. The address shows the link: layer, head and pin. The number is that of the linked page.
func TestOwnTextIsTold(t *testing.T) {
	s := realServer(t)
	line := regexp.MustCompile(`^(\S+) attends to (\S+) with a weight of (0\.\d+) in (.+) ` +
		`\(layer (\d), head (\d)\)\. .+ 0\.\d+ on average\.`)
	shown := 0
	for _, text := range []string{
		"The trophy did not fit in the suitcase because it was too big.",
		"The girl lost her dog, and she looked for it everywhere.",
		"Paris is the capital of France, and Berlin is the capital of Germany.",
		"The quick brown fox jumps over the lazy dog.",
	} {
		doc := webtest.Parse(t, webtest.Get(s, "/?text="+url.QueryEscape(text)))
		told := line.FindStringSubmatch(webtest.TextOf(webtest.All(doc, "p.look-says")[0]))
		show := webtest.All(doc, "a#look-again")
		if told == nil || len(show) != 1 {
			continue // no link stands out
		}
		shown++
		href, _ := webtest.Attr(show[0], "href")
		there := webtest.Parse(t, webtest.Get(s, href))
		if layer := webtest.QueryOf(t, href).Get("layer"); layer != told[5] {
			t.Errorf("%q leads to layer %s", told[0], layer)
		}
		if pinned := webtest.TextOf(webtest.All(there, "section#readout")[0]); !strings.Contains(pinned, told[3]+
			" of its row") {
			t.Errorf("%q: pinned is %q", told[0], pinned)
		}
		if again, _ := lookOf(t, s, href); !strings.Contains(again, told[0]) || len(webtest.All(there, "a#look-again")) != 0 {
			t.Errorf("there it says %q", again)
		}
	}
	if shown < 2 {
		t.Errorf("%d texts have a link that stands out", shown)
	}
}

// TestBlockHasAnEffect: the page offers to block the negation without which models predict another sentiment.
// Without a negation, it offers the content word that gets most attention.
func TestBlockHasAnEffect(t *testing.T) {
	s := realServer(t)
	for text, want := range map[string]struct{ word, cut, hint string }{
		"The food was not good.":  {"not", "word:5", "Without “not”, 4 of 4 models"},
		"The food was very good.": {"good", "word:6", "most attention"},
	} {
		doc := webtest.Parse(t, webtest.Get(s, "/?text="+url.QueryEscape(text)))
		block := webtest.All(doc, "a#try-block")
		if len(block) != 1 {
			t.Fatalf("%s: %d words are offered", text, len(block))
		}
		href, _ := webtest.Attr(block[0], "href")
		hint, _ := webtest.Attr(block[0], "title") // in a menu the hint stands below the name
		hint += webtest.TextOf(block[0])
		if says := webtest.TextOf(block[0]); !strings.Contains(says, want.word) ||
			webtest.QueryOf(t, href).Get("cut") != want.cut || !strings.Contains(hint, want.hint) {
			t.Errorf("%s: %s, %s leads to %s", text, says, hint, href)
		}
		if there := webtest.Parse(t, webtest.Get(s, href)); len(webtest.All(there, "a#try-block")) != 0 {
			t.Errorf("%s: more is offered", href)
		}
	}
}
