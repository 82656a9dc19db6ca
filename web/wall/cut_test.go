package wall_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/metrics"
	"attnatlas/engine/tensor"
	"attnatlas/web/api"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

const cutQuery = "text=the+old+cat&m=dense,fastformer,shuffle-exchange&head=2&cut=word:3&dense.cut=head:1.1"

// linkTo returns the address of the first link that matches a selector and whose text or label contains a phrase.
func linkTo(doc *html.Node, sel, says string) string {
	for n := range doc.Descendants() {
		label, _ := webtest.Attr(n, "aria-label")
		if href, ok := webtest.Attr(n, "href"); ok && webtest.IsElement(n, sel) &&
			strings.Contains(webtest.TextOf(n)+label, says) {
			return href
		}
	}
	return ""
}

// TestCutsWithoutScripts: the page lists each ablation with a link that undoes it, blocks the pinned word or cell,
// and says on each card what has changed.
func TestCutsWithoutScripts(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	doc := webtest.Parse(t, webtest.Get(s, "/?"+cutQuery+"&pin=2.4"))
	for _, sel := range []string{
		"section.cuts “old” (3)", "section.cuts head 1 of layer 1", "span.cut-of Dense synthesizer", "li.token.cut old",
		"div.legend blocked", "p.legend-title ablated: “old” (3), head 1 of layer 1",
		"input[name=cut]", "input[name=dense.cut]", "section.cut-change p.change", "ul.answers home",
		"p.cut-text its α and β are 0",
		"span.cut-why Single cells cannot be blocked in Fastformer", "span.cut-why A shuffle-exchange network has no heads",
	} {
		if !webtest.Present(doc, sel) {
			t.Errorf("there is no %s", sel)
		}
	}
	for want, got := range map[string]string{
		"/?dense.cut=head%3A1.1&head=2&layer=1&m=dense%2Cfastformer%2Cshuffle-exchange&pin=2.4&text=the+old+cat":                               linkTo(doc, "a.restore", "“old”"),
		"/?cut=word%3A3&head=2&layer=1&m=dense%2Cfastformer%2Cshuffle-exchange&pin=2.4&text=the+old+cat":                                       linkTo(doc, "a.restore", "head 1"),
		"/?head=2&layer=1&m=dense%2Cfastformer%2Cshuffle-exchange&pin=2.4&text=the+old+cat":                                                    linkTo(doc, "a#restore-all", ""),
		"/?cut=word%3A3%2Ccell%3A2.4&dense.cut=head%3A1.1&head=2&layer=1&m=dense%2Cfastformer%2Cshuffle-exchange&pin=2.4&text=the+old+cat":     linkTo(doc, "a#cut-cell", ""),
		"/?cut=word%3A3%2Cword%3A4&dense.cut=head%3A1.1&head=2&layer=1&m=dense%2Cfastformer%2Cshuffle-exchange&pin=2.4&text=the+old+cat":       linkTo(doc, "a#cut-word", ""),
		"/?cut=word%3A3&dense.cut=head%3A1.1%2Chead%3A1.2&head=2&layer=1&m=dense%2Cfastformer%2Cshuffle-exchange&pin=2.4&text=the+old+cat":     linkTo(doc, "a[data-cut=head]", "Zero out head 2"),
		"/?cut=word%3A3&dense.cut=head%3A1.1%2Ccell%3A1.2.2.4&head=2&layer=1&m=dense%2Cfastformer%2Cshuffle-exchange&pin=2.4&text=the+old+cat": linkTo(doc, "a[data-cut=cell]", "Block this cell"),
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	plain := webtest.Parse(t, webtest.Get(s, "/?text=the+old+cat&m=dense&head=2"))
	for _, sel := range []string{"section.cuts", "section.cut-change", "li.token.cut", "input[name=cut]"} {
		if webtest.Present(plain, sel) {
			t.Errorf("nothing is cut, yet there is %s", sel)
		}
	}
	if href := linkTo(plain, "a#cut-word", ""); href != "" {
		t.Errorf("nothing is pinned, yet the word is cut by %s", href)
	}
}

// TestCutChange: the change on a card is the difference from the same map without the ablation, and data name the
// ablation.
func TestCutChange(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	const base = "text=the+old+cat&m=dense&head=2"
	weights := func(query, cut string) *tensor.T {
		var a api.Attend
		if err := json.Unmarshal(webtest.Get(s, "/api/v1/attend?map=weights&layer=1&"+query).Body.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		m := a.Mechanisms[0]
		if got := strings.Join(m.Cut, ","); got != cut {
			t.Errorf("%s: %q is cut", query, got)
		}
		return tensor.From(m.Layers[0].Maps[0].Values, 5, 5)
	}
	want := metrics.Changed(weights(base, ""), weights(base+"&cut=word:3", "word:3"))
	changes := webtest.All(webtest.Parse(t, webtest.Get(s, "/?"+base+"&cut=word:3")), "p.change")
	if len(changes) != 1 || want == 0 {
		t.Fatalf("%d changes, of %v", len(changes), want)
	}
	for n := range changes[0].Descendants() {
		if v, ok := webtest.Attr(n, "value"); ok && v != strconv.FormatFloat(want, 'f', 4, 64) {
			t.Errorf("the card says %s, the maps %v", v, want)
		}
	}
}

// TestCutBeyondTheText: a word that the text does not have is not blocked. Every page says so, and blocks the
// other words.
func TestCutBeyondTheText(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, path := range []string{"/?m=dense&", "/m/dense?", "/m/encoder-decoder?", "/compare?a=dense&b=random&"} {
		w := webtest.Get(s, path+"text=hello&cut=word:9,word:2,cell:1.8")
		doc := webtest.Parse(t, w)
		if w.Code != http.StatusNotFound || !webtest.Present(doc,
			"p.message word:9 cannot be ablated: the text has 3 tokens, and no word 9. cell:1.8 cannot be ablated: the text has 3 tokens, and no word 8.") {
			t.Errorf("%s: %d", path, w.Code)
		}
		if !webtest.Present(doc, "section.cuts “hello” (2)") || webtest.Present(doc, "section.cuts (9)") {
			t.Errorf("%s: what is there is not cut, or what is not", path)
		}
	}
	w := webtest.Get(s, "/?text=hello&m=dense&dense.cut=cell:9.1")
	if w.Code != http.StatusNotFound || !webtest.Present(webtest.Parse(t, w),
		"p.message cell:9.1 cannot be ablated: the text of Dense synthesizer has 3 tokens, and no word 9.") {
		t.Errorf("of one card: %d", w.Code)
	}
	if w := webtest.Get(s, "/?text=hello&m=dense&cut=word:2"); w.Code != http.StatusOK ||
		webtest.Present(webtest.Parse(t, w), "p.message cut") {
		t.Errorf("a word that is there: %d", w.Code)
	}
}

// TestRefusedCutsLeadBack: a card that cannot apply an ablation says why and links to itself without it. Other
// cards have maps.
func TestRefusedCutsLeadBack(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			if m := &r.Mechanisms[i]; m.ID == "fastformer" && len(m.Cut) > 0 {
				m.Err, m.Layers = fault.Errorf(fault.Unsupported, "error.cut.cell", "name", m.Entry.Name, "why",
					m.Entry.Masks.NoPairs), nil
			}
		}
	}})
	w := webtest.Get(s, "/?text=the+old+cat&m=dense,fastformer&cut=cell:2.3")
	doc := webtest.Parse(t, w)
	if w.Code != http.StatusOK || !webtest.Present(doc, "p.refusal-text Fastformer cannot block a single cell.") ||
		!webtest.Present(doc, "article#card-dense p.change") {
		t.Errorf("%d: %s", w.Code, webtest.TextOf(doc)[:300])
	}
	if href := linkTo(doc, "a.enhance", "Restore all"); href != "/?layer=1&m=dense%2Cfastformer&text=the+old+cat" {
		t.Errorf("all is restored by %s", href)
	}
	own := webtest.Parse(t, webtest.Get(s, "/?text=the+old+cat&m=dense,fastformer&cut=word:2&fastformer.cut=cell:2.3"))
	if href := linkTo(own, "a.enhance", "Restore what is ablated on this card"); href != "/?cut=word%3A2&layer=1&m=dense%2Cfastformer&text=the+old+cat" {
		t.Errorf("its own are restored by %s", href)
	}
}

// TestCutsAreCachedApart: a report depends on the ablations, not on their order. Ablations of other mechanisms do
// not matter.
func TestCutsAreCachedApart(t *testing.T) {
	f := &webtest.FakeEngine{}
	s := webtest.NewServer(t, f)
	ask := func(query string) int64 {
		before := f.Calls.Load()
		if w := webtest.Get(s, "/api/v1/attend?text=the+old+cat&m=dense"+query); w.Code != http.StatusOK {
			t.Fatalf("%s: %d", query, w.Code)
		}
		return f.Calls.Load() - before
	}
	for _, c := range []struct {
		query string
		calls int64
	}{
		{"", 1}, {"", 0}, {"&cut=word:2", 1}, {"&cut=word:2", 0}, {"&dense.cut=word:2", 0}, {"&cut=word:3,word:2", 1},
		{"&cut=word:2,word:3", 0}, {"&random.cut=word:3", 0}, {"&cut=", 0},
	} {
		if calls := ask(c.query); calls != c.calls {
			t.Errorf("%q asks the engine %d times, not %d", c.query, calls, c.calls)
		}
	}
}

// TestCutFigures: the metadata of a picture name the ablation. Ablations of a recording are refused.
func TestCutFigures(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	w := webtest.Get(s, "/export/dense.png?text=the+old+cat&cut=word:3,head:1.2")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(),
		"This forward pass is ablated: “old” (3), head 2 of layer 1") ||
		!strings.Contains(w.Body.String(), "cut=word%3A3%2Chead%3A1.2") {
		t.Errorf("%d: the picture does not say what is ablated", w.Code)
	}
	if plain := webtest.Get(s, "/export/dense.png?text=the+old+cat"); strings.Contains(plain.Body.String(),
		"is ablated") || plain.Body.String() == w.Body.String() {
		t.Error("a picture of the whole text says that something is ablated")
	}
	if w := webtest.Get(s, "/export/random.png?text=a&after=512&cut=word:2"); w.Code != http.StatusUnprocessableEntity ||
		!strings.Contains(w.Body.String(), "nothing can be ablated") {
		t.Errorf("of a recording: %d %s", w.Code, w.Body)
	}
}

// TestHostileCuts: for any ablation in an address, pages are shown and data name the error.
func TestHostileCuts(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, value := range []string{
		"x", "word:", "word:0", "word:-1", "word:99999999999999999999", "head:1", "cell:1.2.3", "word:1\x00", "<script>",
		strings.Repeat("word:1.", 9000), strings.Repeat("word:2,", 9000) + "tail:1", "cell:１.２", "%zz",
	} {
		query := url.Values{"text": {"a cat"}, "m": {"dense"}, "cut": {value}}.Encode()
		if w := webtest.Get(s, "/?"+query); w.Code != http.StatusBadRequest ||
			!webtest.Present(webtest.Parse(t, w), "div.map img") {
			t.Errorf("%.30q: the page answers %d", value, w.Code)
		}
		if w := webtest.Get(s, "/api/v1/attend?"+query); w.Code != http.StatusBadRequest ||
			!strings.Contains(w.Body.String(), "must be word:5") {
			t.Errorf("%.30q: data answer %d %s", value, w.Code, w.Body)
		}
	}
	if w := webtest.Get(s, "/api/v1/attend?text=a+cat&m=dense&cut="+
		strings.Repeat("word:2,", 9000)); w.Code != http.StatusOK {
		t.Errorf("one word, many times: %d", w.Code)
	}
}

// TestRaceWithoutWhatIsCut: the board also has the predictions without ablations.
func TestRaceWithoutWhatIsCut(t *testing.T) {
	s := realServer(t)
	board := func(query string) string {
		all := webtest.All(webtest.Parse(t, webtest.Get(s, racePage+query)), "section.race")
		if len(all) == 0 {
			t.Fatalf("%s: there is no board", query)
		}
		return webtest.TextOf(all[0])
	}
	whole, cut, elsewhere := board(""), board("&cut=word:11"), board("&dense.cut=word:11")
	if whole == cut || whole == elsewhere || cut == elsewhere {
		t.Error("the board does not depend on what is cut")
	}
}
