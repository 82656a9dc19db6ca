package mechanism_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/webtest"
)

// TestStacksOnTheWall: a card lists the components of an architecture, and shows its maps.
func TestStacksOnTheWall(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		w := webtest.Unfolded(s, "/?text=hello+you&m=dot-product,"+e.ID, e.ID)
		page := w.Body.String()
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", e.ID, w.Code)
		}
		doc := webtest.Parse(t, w)
		if !webtest.Present(doc, "article#card-"+e.ID) || len(webtest.All(doc, "p.made")) != 1 ||
			!strings.Contains(webtest.PlainText(doc), webtest.Spelled(e.Summary.String())) {
			t.Errorf("%s: the card does not say what it is", e.ID)
		}
		mixer := e.Mixer
		if mixer == "" {
			mixer = "dot-product"
		}
		if !strings.Contains(page, `mixer <a href="/m/`+mixer) {
			t.Errorf("%s: no link to its mixer", e.ID)
		}
		for _, v := range e.Views {
			if !strings.Contains(page, `data-map="`+v.Map+`"`) ||
				!strings.Contains(page, "/export/"+e.ID+".png?layer=1&amp;m="+e.ID+"&amp;map="+
					strings.ReplaceAll(v.Map, " ", "+")) {
				t.Errorf("%s: no map %s", e.ID, v.Map)
			}
		}
		if always := strings.Contains(words(t, page),
			messages.English.T("note.always-causal")); always != (e.ID == encoder.GPT2.ID) {
			t.Errorf("%s: always causal is said: %v", e.ID, always)
		}
		if strings.Contains(words(t, page), messages.English.T("note.never-masked")) {
			t.Errorf("%s: a text without [MASK] is taken for one with it", e.ID)
		}
		masked := webtest.Get(s, "/?text=a+%5BMASK%5D+cat&m="+e.ID).Body.String()
		if never := strings.Contains(words(t, masked),
			messages.English.T("note.never-masked")); never != (e.ID == encoder.GPT2.ID) {
			t.Errorf("%s: never saw [MASK]: %v", e.ID, never)
		}
		if cost := strings.Contains(page, "ponder cost"); cost != (e.ID == encoder.Universal.ID) {
			t.Errorf("%s: a cost of pondering: %v", e.ID, cost)
		}
		if strings.Contains(page, "This mechanism is not") || strings.Count(page, "About this architecture") != 1 {
			t.Errorf("%s: the disclosure is not a stack's", e.ID)
		}
	}
}

// TestLayersOfGroupsAreCounted: if a group of ALBERT has several layers, pages count all runs,
// links keep the last one, and the parameters are those of the different layers.
func TestLayersOfGroupsAreCounted(t *testing.T) {
	const whole = "with their feed-forward networks, embeddings and classifiers"
	for _, c := range []struct {
		options string
		layers  int // two that a model has
		help    string
	}{
		{"groups=1 inner=2", 4, "2 layers for all 4 depths, " + whole},
		{"groups=2 inner=1", 2, "2 layers " + whole},
		{"groups=2 inner=2", 4, "4 layers " + whole},
	} {
		s := ownServer(t, func(m *engine.ModelInfo) {
			m.Options = map[string]string{}
			for option := range strings.FieldsSeq(c.options) {
				name, value, _ := strings.Cut(option, "=")
				m.Options[name] = value
			}
		})
		e, p := s.Find("albert"), webtest.NewPage(s, address.Default())
		if got := p.Composition(e).Depth; got != fmt.Sprintf("%d layers", c.layers) {
			t.Errorf("%s: made of %s", c.options, got)
		}
		counts := p.Background(e, 3).Counts
		if got := counts[len(counts)-1].Help; got != c.help {
			t.Errorf("%s: the parameters are those of %s", c.options, got)
		}
		costs := webtest.All(webtest.Parse(t, webtest.Get(s, "/m/albert")), "div#costs")[0]
		if got := webtest.TextOf(costs); !strings.Contains(got, fmt.Sprintf("l\u00a0= %d layers", c.layers)) {
			t.Errorf("%s: %s", c.options, got)
		}
		if got, _ := p.Depth(); got != c.layers {
			t.Errorf("%s: %d layers to choose from", c.options, got)
		}
		st := address.Default()
		if st.Layer = c.layers; !strings.Contains(p.URLOf(st, "albert"), fmt.Sprintf("layer=%d", c.layers)) {
			t.Errorf("%s: a link forgets layer %d", c.options, c.layers)
		}
	}
}

// TestLayersThatOnlySomeHave: the control offers the layers of the deepest model, and the cards of
// the others state their number.
func TestLayersThatOnlySomeHave(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Deep})
	w := webtest.Get(s, "/?m=bert,dense,universal&layer=4&text=hello")
	page := w.Body.String()
	if w.Code != http.StatusOK || strings.Count(page, `class="map"`) != 1 {
		t.Fatalf("%d, %d maps", w.Code, strings.Count(page, `class="map"`))
	}
	for _, want := range []string{
		"ayer 4 does not exist: Dense synthesizer has 2 layers.", "tep 4 does not exist: Universal took 3 steps.",
		">Show layer 2 everywhere<", ">Show step 3 everywhere<", `layer=3&amp;m=bert%2Cdense%2Cuniversal&amp;text=hello`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got := len(webtest.All(webtest.All(webtest.Parse(t, w), "select#c-layer")[0], "option")); got != 4 {
		t.Error("not four layers to choose from")
	}
	if w := webtest.Get(s, "/?m=bert,dense&layer=5&text=hello"); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), "No layer 5; the models here have 4 layers") {
		t.Errorf("layer 5: %d", w.Code)
	}
}

// TestStacksThatCannotBeShown: the cards state the reason, and what to do.
func TestStacksThatCannotBeShown(t *testing.T) {
	f := &webtest.FakeEngine{Change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			switch m := &r.Mechanisms[i]; m.ID {
			case "albert.linformer":
				m.Err, m.Model, m.Layers = webtest.Refused(fault.NotFound, "No model of it yet."), nil, nil
			case "encoder-decoder":
				m.Err, m.Layers = webtest.Refused(fault.Unsupported, "It has a page of its own."), nil
			}
		}
	}}
	page := webtest.Get(webtest.NewServer(t, f), "/?m=albert.linformer,encoder-decoder,bert&text=hello").Body.String()
	for _, want := range []string{">ALBERT with Linformer</a>", "No model of it yet.",
		">Show ALBERT with its own token mixer<", "/?layer=1&amp;m=albert%2Cencoder-decoder%2Cbert&amp;text=hello",
		"It has a page of its own.", `href="/m/encoder-decoder">Write an answer<`, `id="map-bert"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestStackPages: the page of each architecture has its facts, and links to its neighbours.
func TestStackPages(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Deep})
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		w := webtest.Get(s, "/m/"+e.ID+"?text=hello+you")
		body := w.Body.String()
		doc := webtest.Parse(t, w)
		page := webtest.PlainText(doc)
		mixer, _, _ := engine.Find(e.ID)
		for _, paragraph := range append(append(messages.English.Paragraphs(e.Story),
			messages.English.Lines(e.Differences)...), mixer.Masks.EmptyRow.Text.String()) {
			if !strings.Contains(page, webtest.Spelled(paragraph)) {
				t.Errorf("%s lacks %q", e.ID, paragraph)
			}
		}
		for _, k := range e.Options {
			if !strings.Contains(page, webtest.Spelled(k.Help.String())) {
				t.Errorf("%s lacks the option %s", e.ID, k.Name)
			}
		}
		if back, on := strings.Contains(body, `<a rel="prev" href="/m/`), strings.Contains(body,
			`<a rel="next" href="/m/`); !back || !on {
			t.Errorf("%s: no way on", e.ID)
		}
		shared := e.ID == "albert" || e.ID == "universal"
		if webtest.Present(doc, "nav#depth") != shared {
			t.Errorf("%s: flips through depth: %v", e.ID, !shared)
		}
		if e.ID == "universal" && (!strings.Contains(page, webtest.Spelled("Step 1 of 3, with the same weights")) ||
			!strings.Contains(page, webtest.Spelled("Steps × heads")) || !strings.Contains(body, `alt="Step 2, head 1"`)) {
			t.Error("steps are called something else")
		}
	}
	index := webtest.Parse(t, webtest.Get(s, "/m"))
	links := webtest.LinksOf(index)
	for _, e := range encoder.Stacks {
		if !strings.Contains(strings.Join(links, " "), "/m/"+e.ID) {
			t.Errorf("%s is not in the list", e.ID)
		}
	}
	families := map[attention.Family]bool{}
	for _, e := range attention.Catalog {
		families[e.Family] = true
	}
	if lists := webtest.All(index, "ul.index-list"); len(lists) != len(families)+1 ||
		len(webtest.All(lists[len(families)], "li")) != len(encoder.Stacks) {
		t.Errorf("%d lists of %d families, or the last are not the stacks", len(lists), len(families))
	}
}

// TestOptionsOfAModelAreNamed: two groups of weights differ from one, and pages state it.
func TestOptionsOfAModelAreNamed(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			r.Mechanisms[i].Model.Options = map[string]string{"groups": "2"}
		}
	}})
	s.Info = func(id string) (*engine.ModelInfo, error) {
		m := webtest.FakeInfo(id)
		m.Options = map[string]string{"groups": "2"}
		return m, nil
	}
	w := webtest.Get(s, "/m/albert?text=hello")
	if page := w.Body.String(); strings.Contains(page, `id="depth"`) ||
		!strings.Contains(page, "The bundled model has 2.") || !strings.Contains(page, ">2 layers<") {
		t.Error("two groups are shown as one")
	}
}

// TestLinksToShallowerModels: links drop a layer that only the deeper model has.
func TestLinksToShallowerModels(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: webtest.Deep})
	for path, want := range map[string]string{
		"/m/bert?layer=4&text=hello":  `rel="prev" href="/m/encoder?text=hello"`,
		"/m/bert?layer=2&text=hello":  `rel="prev" href="/m/encoder?layer=2&amp;text=hello"`,
		"/?m=bert&layer=4&text=hello": `mixer <a href="/m/dot-product?text=hello"`,
	} {
		if page := webtest.Get(s, path).Body.String(); !strings.Contains(page, want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
}

// TestAboutTellsStacksApart: the About page states the different objectives of architectures.
func TestAboutTellsStacksApart(t *testing.T) {
	w := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/about")
	page := w.Body.String()
	tables := webtest.All(webtest.Parse(t, w), "table.models")
	if len(tables) != 2 || strings.Contains(page, `data-mechanism="encoder"`) ||
		!strings.Contains(page, `title="Validation, next word, nats per token"`) {
		t.Fatalf("%d tables", len(tables))
	}
	for _, e := range encoder.Stacks {
		if strings.Contains(webtest.TextOf(tables[0]), e.Name.String()) || e.ID != "encoder" &&
			!strings.Contains(webtest.TextOf(tables[1]), e.Name.String()) {
			t.Errorf("%s is not among the stacks", e.ID)
		}
	}
}

// words returns the text of a page, without the links of its terms.
func words(t *testing.T, page string) string {
	return webtest.TextOf(webtest.Parse(t, &httptest.ResponseRecorder{Body: bytes.NewBufferString(page)}))
}
