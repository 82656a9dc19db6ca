package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
)

// TestStacksOnTheWall: a card says what the stack is made of, and shows its own maps.
func TestStacksOnTheWall(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		w := unfolded(s, "/?text=hello+you&m=dot-product,"+e.ID, e.ID)
		page := w.Body.String()
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", e.ID, w.Code)
		}
		doc := parse(t, w)
		if !present(doc, "article#card-"+e.ID) || len(all(doc, "p.made")) != 1 || !strings.Contains(plainText(doc), spelled(e.Summary.String())) {
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
			if !strings.Contains(page, `data-map="`+v.Map+`"`) || !strings.Contains(page, "/export/"+e.ID+".png?layer=1&amp;m="+e.ID+"&amp;map="+strings.ReplaceAll(v.Map, " ", "+")) {
				t.Errorf("%s: no map %s", e.ID, v.Map)
			}
		}
		if always := strings.Contains(page, messages.English.T("note.always-causal")); always != (e.ID == encoder.GPT2.ID) {
			t.Errorf("%s: always causal is said: %v", e.ID, always)
		}
		if strings.Contains(page, messages.English.T("note.never-masked")) {
			t.Errorf("%s: a text without [MASK] is taken for one with it", e.ID)
		}
		masked := get(s, "/?text=a+%5BMASK%5D+cat&m="+e.ID).Body.String()
		if never := strings.Contains(masked, messages.English.T("note.never-masked")); never != (e.ID == encoder.GPT2.ID) {
			t.Errorf("%s: never saw [MASK]: %v", e.ID, never)
		}
		if cost := strings.Contains(page, "ponder cost"); cost != (e.ID == encoder.Universal.ID) {
			t.Errorf("%s: a cost of pondering: %v", e.ID, cost)
		}
		if strings.Contains(page, "This mechanism is not") || strings.Count(page, "About this stack") != 1 {
			t.Errorf("%s: the disclosure is not a stack's", e.ID)
		}
	}
}

// TestMenuOfStacks: every mechanism is in one family, and the stacks are the last group; what has no model is offered only where the address asks
// for it.
func TestMenuOfStacks(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	groups := newPage(s, address.Default()).menu().Groups
	mechanisms, last := 0, len(groups)-1
	for _, g := range groups[:last] {
		mechanisms += len(g.Options)
	}
	if len(groups) < 3 || mechanisms != len(attention.Catalog) || len(groups[last].Options) != len(encoder.Stacks) {
		t.Errorf("%+v", groups)
	}
	s.info = func(id string) (*engine.ModelInfo, error) {
		if id == "albert" || id == "dense" {
			return fakeInfo(id), nil
		}
		return nil, refused(engine.NotFound, "no model")
	}
	st := address.Default()
	st.Mechanisms = []string{"albert.linformer", "random"}
	groups = newPage(s, st).menu().Groups
	var ids []string
	for _, g := range groups {
		for _, o := range g.Options {
			id := o.Value
			if o.Selected {
				id += "!"
			}
			ids = append(ids, id)
		}
	}
	if got := strings.Join(ids, " "); got != "random! dense albert albert.linformer!" {
		t.Error(got)
	}
}

// deep gives bert four layers, and universal three steps.
func deep(r *engine.Report) {
	for i := range r.Mechanisms {
		m := &r.Mechanisms[i]
		count, name := map[string]int{"bert": 4, "universal": 3}[m.ID], "layer "
		if m.ID == "universal" {
			name = "step "
		}
		for len(m.Layers) < count && len(m.Layers) > 0 {
			m.Layers = append(m.Layers, m.Layers[0])
		}
		for l := range m.Layers {
			m.Layers[l].Number, m.Layers[l].Name = l+1, name+string(rune('1'+l))
		}
	}
}

// TestLayersOfGroupsAreCounted: where a group of ALBERT has several layers, pages count all that
// run, their links keep the last one, and the parameters are those of the layers that differ.
func TestLayersOfGroupsAreCounted(t *testing.T) {
	const whole = "with their feed-forward parts, embeddings and classifiers"
	for _, c := range []struct {
		options string
		layers  int // of the two that a model has
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
		e, m, p := s.find("albert"), s.model("albert"), newPage(s, address.Default())
		if got := p.composition(e).Depth; got != fmt.Sprintf("%d layers", c.layers) {
			t.Errorf("%s: made of %s", c.options, got)
		}
		if got := p.wholeHelp(e, m); got != c.help {
			t.Errorf("%s: the parameters are those of %s", c.options, got)
		}
		if got := p.setting(e, 3); !strings.Contains(got, fmt.Sprintf("l = %d layers", c.layers)) {
			t.Errorf("%s: %s", c.options, got)
		}
		if got := s.modelRow(messages.English, *e, m).Layers; got != c.layers {
			t.Errorf("%s: the table has %d layers", c.options, got)
		}
		if got, _ := p.depth(); got != c.layers {
			t.Errorf("%s: %d layers to choose from", c.options, got)
		}
		st := address.Default()
		if st.Layer = c.layers; !strings.Contains(p.urlOf(st, "albert"), fmt.Sprintf("layer=%d", c.layers)) {
			t.Errorf("%s: a link forgets layer %d", c.options, c.layers)
		}
	}
}

// TestLayersThatOnlySomeHave: the control offers the deepest model's, and the cards of the
// others say how many they have.
func TestLayersThatOnlySomeHave(t *testing.T) {
	s := newServer(t, &fakeEngine{change: deep})
	w := get(s, "/?m=bert,dense,universal&layer=4&text=hello")
	page := w.Body.String()
	if w.Code != http.StatusOK || strings.Count(page, `class="map"`) != 1 {
		t.Fatalf("%d, %d maps", w.Code, strings.Count(page, `class="map"`))
	}
	for _, want := range []string{
		"Dense synthesizer has 2 layers; there is no layer 4.", "Universal took 3 steps; there is no step 4.",
		">Show layer 2 everywhere<", ">Show step 3 everywhere<", `layer=3&amp;m=bert%2Cdense%2Cuniversal&amp;text=hello`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got := len(all(all(parse(t, w), "select#c-layer")[0], "option")); got != 4 {
		t.Error("not four layers to choose from")
	}
	if w := get(s, "/?m=bert,dense&layer=5&text=hello"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "no layer 5; the models here have 4 layers") {
		t.Errorf("layer 5: %d", w.Code)
	}
}

// TestStacksThatCannotBeShown say so, and what can be done.
func TestStacksThatCannotBeShown(t *testing.T) {
	f := &fakeEngine{change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			switch m := &r.Mechanisms[i]; m.ID {
			case "albert.linformer":
				m.Err, m.Model, m.Layers = refused(engine.NotFound, "There is no trained model of it yet."), nil, nil
			case "encoder-decoder":
				m.Err, m.Layers = refused(engine.Unsupported, "It has a page of its own."), nil
			}
		}
	}}
	page := get(newServer(t, f), "/?m=albert.linformer,encoder-decoder,bert&text=hello").Body.String()
	for _, want := range []string{">ALBERT with Linformer</a>", "There is no trained model of it yet.", ">Show ALBERT with its own mixer<", "/?layer=1&amp;m=albert%2Cencoder-decoder%2Cbert&amp;text=hello",
		"It has a page of its own.", `href="/m/encoder-decoder">Let it write<`, `id="map-bert"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestStackPages: what is known of each stack, and the way to its neighbours.
func TestStackPages(t *testing.T) {
	s := newServer(t, &fakeEngine{change: deep})
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		w := get(s, "/m/"+e.ID+"?text=hello+you")
		body := w.Body.String()
		doc := parse(t, w)
		page := plainText(doc)
		mixer, _, _ := engine.Find(e.ID)
		for _, paragraph := range append(append(messages.English.Paragraphs(e.Story), messages.English.Lines(e.Differences)...), mixer.Masks.EmptyRow.Text.String()) {
			if !strings.Contains(page, spelled(paragraph)) {
				t.Errorf("%s lacks %q", e.ID, paragraph)
			}
		}
		for _, k := range e.Options {
			if !strings.Contains(page, spelled(k.Help.String())) {
				t.Errorf("%s lacks the option %s", e.ID, k.Name)
			}
		}
		if back, on := strings.Contains(body, `<a rel="prev" href="/m/`), strings.Contains(body, `<a rel="next" href="/m/`); !back || !on {
			t.Errorf("%s: no way on", e.ID)
		}
		shared := e.ID == "albert" || e.ID == "universal"
		if present(doc, "nav#depth") != shared {
			t.Errorf("%s: flips through depth: %v", e.ID, !shared)
		}
		if e.ID == "universal" && (!strings.Contains(page, spelled("Step 1 of 3, with the same weights")) || !strings.Contains(page, spelled("Steps × heads")) || !strings.Contains(body, `alt="Step 2, head 1"`)) {
			t.Error("steps are called something else")
		}
	}
	index := parse(t, get(s, "/m"))
	links := linksOf(index)
	for _, e := range encoder.Stacks {
		if !strings.Contains(strings.Join(links, " "), "/m/"+e.ID) {
			t.Errorf("%s is not in the list", e.ID)
		}
	}
	if lists := all(index, "ul.index-list"); len(lists) != 6 || len(all(lists[5], "li")) != len(encoder.Stacks) {
		t.Errorf("%d families, or the last are not the stacks", len(lists))
	}
}

// TestOptionsOfAModelAreNamed: two groups of weights are not one, and pages say so.
func TestOptionsOfAModelAreNamed(t *testing.T) {
	s := newServer(t, &fakeEngine{change: func(r *engine.Report) {
		for i := range r.Mechanisms {
			r.Mechanisms[i].Model.Options = map[string]string{"groups": "2"}
		}
	}})
	s.info = func(id string) (*engine.ModelInfo, error) {
		m := fakeInfo(id)
		m.Options = map[string]string{"groups": "2"}
		return m, nil
	}
	w := get(s, "/m/albert?text=hello")
	if page := w.Body.String(); strings.Contains(page, `id="depth"`) || !strings.Contains(page, "The shipped model has 2.") || !strings.Contains(page, ">2 layers<") {
		t.Error("two groups are shown as one")
	}
}

// TestLinksToShallowerModels forget the layer that only the deep one has.
func TestLinksToShallowerModels(t *testing.T) {
	s := newServer(t, &fakeEngine{change: deep})
	for path, want := range map[string]string{
		"/m/bert?layer=4&text=hello":  `rel="prev" href="/m/encoder?text=hello"`,
		"/m/bert?layer=2&text=hello":  `rel="prev" href="/m/encoder?layer=2&amp;text=hello"`,
		"/?m=bert&layer=4&text=hello": `mixer <a href="/m/dot-product?text=hello"`,
	} {
		if page := get(s, path).Body.String(); !strings.Contains(page, want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
}

// TestAboutTellsStacksApart: they were trained on other objectives.
func TestAboutTellsStacksApart(t *testing.T) {
	w := get(newServer(t, &fakeEngine{}), "/about")
	page := w.Body.String()
	tables := all(parse(t, w), "table.models")
	if len(tables) != 2 || strings.Contains(page, `data-mechanism="encoder"`) || !strings.Contains(page, `title="Validation, next word, nats per token"`) {
		t.Fatalf("%d tables", len(tables))
	}
	for _, e := range encoder.Stacks {
		if strings.Contains(textOf(tables[0]), e.Name.String()) || e.ID != "encoder" && !strings.Contains(textOf(tables[1]), e.Name.String()) {
			t.Errorf("%s is not among the stacks", e.ID)
		}
	}
}
