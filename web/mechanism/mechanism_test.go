package mechanism_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/mechanism"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// TestMechanismPages: all texts of the catalogue about a mechanism are on its page.
func TestMechanismPages(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for i, e := range attention.Catalog {
		t.Run(e.ID, func(t *testing.T) {
			w := webtest.Get(s, "/m/"+e.ID+"?text=hello+you&theme=dark&layer=2")
			if w.Code != http.StatusOK {
				t.Fatalf("status %d: %.300s", w.Code, w.Body)
			}
			doc := webtest.Parse(t, w)
			checkFacts(t, doc, e, 4)
			thumbs := webtest.All(doc, "a.thumb")
			if len(thumbs) != webtest.FakeLayers*(webtest.FakeHeads+1) {
				t.Errorf("%d small pictures", len(thumbs))
			}
			for _, a := range thumbs {
				href, _ := webtest.Attr(a, "href")
				if !strings.HasPrefix(href, "/m/"+e.ID+"?") || !strings.Contains(href, "theme=dark") ||
					!strings.Contains(href, "text=hello+you") {
					t.Errorf("a small picture leads to %s", href)
				}
			}
			links := webtest.LinksOf(doc)
			for _, link := range links { // the script must follow the link without leaving the page
				if strings.HasPrefix(link, "/?") && strings.Contains(link, "m="+e.ID+"&") {
					t.Errorf("%s leads to the wall", link)
				}
			}
			for _, j := range []int{i - 1, i + 1} {
				if j >= 0 && j < len(attention.Catalog) && !slices.Contains(links, "/m/"+attention.Catalog[j].ID+
					"?layer=2&text=hello+you&theme=dark") {
					t.Errorf("no link to %s", attention.Catalog[j].ID)
				}
			}
		})
	}
}

// checkFacts checks the parts that do not depend on maps, for a text of n tokens.
func checkFacts(t *testing.T, doc *html.Node, e attention.Entry, n int) {
	t.Helper()
	if h1 := webtest.All(doc, "h1"); len(h1) != 1 || webtest.TextOf(h1[0]) != e.Name.String() {
		t.Errorf("headings: %d", len(h1))
	}
	if large := webtest.All(doc, "div.formula-large"); len(large) != 1 || len(webtest.All(large[0], "math")) == 0 ||
		strings.Contains(webtest.TextOf(large[0]), `\`) {
		t.Error("no formula in MathML")
	}
	page := webtest.PlainText(doc)
	c := attention.Config{Width: 128, Heads: webtest.FakeHeads, Length: webtest.FakeLength}
	want := []string{e.Summary.String(), e.Paper.Title, e.Paper.Equations, "arXiv:" + e.Paper.ArXiv, "eprint = {" +
		e.Paper.ArXiv + "}",
		messages.Grouped(e.Params(c)), messages.Grouped(e.FLOPs(c, n)), e.Masks.NoCausal.String(), e.Masks.NoPadding.String(),
		e.Masks.NoPairs.String(), e.Masks.EmptyRow.Text.String()}
	want = slices.Concat(want, messages.English.Lines(e.Differences), messages.English.Paragraphs(e.Story))
	for _, f := range e.Forms {
		want = append(want, f.Option, f.Source.String(), f.Text.String())
	}
	for _, k := range e.Options {
		want = append(want, k.Name, k.Help.String(), k.Allowed().String())
	}
	for _, w := range want {
		if !strings.Contains(page, webtest.Spelled(w)) {
			t.Errorf("the page does not say %q", w)
		}
	}
	for _, a := range webtest.All(doc, "a") {
		if href, _ := webtest.Attr(a, "href"); strings.Contains(href, "//") {
			if rel, _ := webtest.Attr(a, "rel"); !strings.Contains(rel, "noreferrer") {
				t.Errorf("%s would be told where the visitor comes from", href)
			}
		}
	}
}

// untrainedServer returns a server with a model of one mechanism only.
func untrainedServer(t *testing.T, trained string) *site.Server {
	t.Helper()
	s, err := web.New(site.Options{
		Inspector: &webtest.FakeEngine{}, Entries: attention.Catalog, Log: slog.New(slog.DiscardHandler),
		Info: func(id string) (*engine.ModelInfo, error) {
			if id != trained {
				return nil, fault.Errorf(fault.NotFound, "error.no-model", "id", messages.Quote(id))
			}
			return webtest.FakeInfo(id), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestUntrainedMechanism: the page has no maps and states it, but has everything else.
func TestUntrainedMechanism(t *testing.T) {
	s := untrainedServer(t, "dot-product")
	for _, e := range attention.Catalog[1:] {
		w := webtest.Get(s, "/m/"+e.ID+"?text=hello")
		doc := webtest.Parse(t, w)
		if w.Code != http.StatusOK || !strings.Contains(webtest.TextOf(doc),
			"No model of this mechanism has been trained yet") {
			t.Errorf("%s: status %d", e.ID, w.Code)
		}
		checkFacts(t, doc, e, 64)
		for _, sel := range []string{"form", "article", "a.thumb", "div.map"} {
			if len(webtest.All(doc, sel)) > 0 {
				t.Errorf("%s: there is a %s", e.ID, sel)
			}
		}
	}
	index := webtest.Parse(t, webtest.Get(s, "/m"))
	if marks := len(webtest.All(index, "span.untrained-mark")); marks != len(attention.Catalog)-1 {
		t.Errorf("%d mechanisms are marked as untrained", marks)
	}
}

func TestIndexListsEveryMechanism(t *testing.T) {
	doc := webtest.Parse(t, webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/m?theme=dark"))
	links, page := webtest.LinksOf(doc), webtest.PlainText(doc)
	for _, e := range attention.Catalog {
		if !slices.Contains(links, "/m/"+e.ID+"?theme=dark") || !strings.Contains(page, webtest.Spelled(e.Summary.String())) {
			t.Errorf("%s is not in the list", e.ID)
		}
	}
	var pictures []*html.Node
	for _, item := range webtest.All(doc, "li.gallery-item") {
		pictures = append(pictures, webtest.All(item, "img")...)
	}
	for _, img := range pictures {
		src, _ := webtest.Attr(img, "src")
		if w := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), src); w.Code != http.StatusOK ||
			!strings.Contains(src, "theme=dark") {
			t.Errorf("%s: %d", src, w.Code)
		}
	}
	if n := len(pictures); n != len(attention.Catalog)+len(encoder.Stacks) {
		t.Errorf("%d pictures", n)
	}
	if n := len(webtest.All(doc, "p.formula")); n != len(attention.Catalog)+len(encoder.Stacks) ||
		len(webtest.All(doc, "math")) < n {
		t.Errorf("%d formulas", n)
	}
}

// notesOf returns the notes on the cards of mechanisms.
func notesOf(doc *html.Node) (notes []*html.Node) {
	for _, card := range webtest.All(doc, "article.card") {
		notes = append(notes, webtest.All(card, "p.note")...)
	}
	return notes
}

// TestCardSaysWhatIsKnown covers the background fold on a card of the main view.
func TestCardSaysWhatIsKnown(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	doc := webtest.Parse(t, webtest.Unfolded(s, "/?text=hello+you&m=fastformer,factorized-dense&layer=2&norm=log",
		"fastformer", "factorized-dense"))
	for _, id := range []string{"fastformer", "factorized-dense"} {
		e, _ := attention.Find(id)
		about := webtest.All(doc, "details#background-"+id)
		if len(about) != 1 {
			t.Fatalf("%s: no disclosure", id)
		}
		c := attention.Config{Width: 128, Heads: webtest.FakeHeads, Length: webtest.FakeLength}
		text := webtest.PlainText(about[0])
		for _, want := range []string{messages.Grouped(e.Params(c)), messages.Grouped(e.FLOPs(c, 4)),
			messages.Grouped(webtest.FakeInfo(id).Params),
			e.Masks.NoCausal.String(), e.Paper.Title, "arXiv:" + e.Paper.ArXiv} {
			if !strings.Contains(text, webtest.Spelled(want)) {
				t.Errorf("%s: %q is missing", id, want)
			}
		}
		if !slices.Contains(webtest.LinksOf(about[0]), "/m/"+id+"?layer=2&norm=log&text=hello+you") {
			t.Errorf("%s: no link to its page: %v", id, webtest.LinksOf(about[0]))
		}
	}
	notes := notesOf(doc)
	if len(notes) != 1 || !strings.Contains(webtest.TextOf(notes[0]),
		"Up to 8 tokens, only the first of the 8 columns of A has an effect") {
		t.Errorf("%d notes", len(notes))
	}
	if doc := webtest.Parse(t, webtest.Get(s, "/?text="+url.QueryEscape(address.DefaultText)+
		"&m=factorized-dense")); len(notesOf(doc)) != 0 {
		t.Error("a note about short texts beside a long one")
	}
}

// TestOptionsOfTheModelCount: numbers belong to the model's own options, without formulas of the
// default ones.
func TestOptionsOfTheModelCount(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	e, _ := attention.Find("linformer")
	m := webtest.FakeInfo(e.ID)
	m.MixerOptions = map[string]string{"slots": "32"}
	s.Info = func(string) (*engine.ModelInfo, error) { return m, nil }
	b := webtest.NewPage(s, address.Default()).Background(&site.Mechanism{Entry: e}, 10)
	c := attention.Config{Width: 128, Heads: webtest.FakeHeads, Length: webtest.FakeLength, Options: m.MixerOptions}
	if b.Counts[0].Value != messages.Grouped(e.Params(c)) || b.Counts[1].Value != messages.Grouped(e.FLOPs(c, 10)) ||
		b.Counts[0].Formula != "" {
		t.Errorf("%+v", b.Counts)
	}
}

// TestChoosing: pages with options show the command that trains a model with them.
func TestChoosing(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for id, want := range map[string]string{
		"universal":          "viz train universal --option halting=accumulated --data DIR",
		"linformer":          "viz train linformer --option slots=32 --data DIR",
		"sandwich.linformer": "viz train sandwich.linformer --option stack.order=0 --data DIR", "dot-product": "",
		"encoder-decoder": `viz train encoder-decoder --option "decoder layers=1" --data DIR`,
	} {
		var found []*html.Node
		for _, section := range webtest.All(webtest.Parse(t, webtest.Get(s, "/m/"+id+"?text=hello")), "section.options") {
			found = append(found, webtest.All(section, "code")...)
		}
		if (len(found) == 1) != (want != "") || want != "" && webtest.TextOf(found[0]) != want {
			t.Errorf("%s: %d commands", id, len(found))
		}
	}
}

// TestUntrainedStack: the numbers are those of the model that training would produce, not of
// another bundled one. Nothing refers to a model that does not exist.
func TestUntrainedStack(t *testing.T) {
	s := untrainedServer(t, "dot-product")
	s.Mechanisms = site.Catalogue(attention.Catalog, encoder.Stacks)
	for id, mixer := range map[string]string{"albert.linformer": "linformer", "sandwich": "dot-product"} {
		stack, _, _ := strings.Cut(id, ".")
		want, err := encoder.Default(stack, mixer, 100)
		if err != nil {
			t.Fatal(err)
		}
		page := webtest.PlainText(webtest.Parse(t, webtest.Get(s, "/m/"+id+"?text=hello")))
		e, _ := attention.Find(mixer)
		c := attention.Config{Width: want.Width, Heads: want.Heads, Length: want.Length}
		for _, w := range []string{
			fmt.Sprintf("l = %d layers, width d = %d, H = %d heads, L = %d positions", want.Layers, want.Width, want.Heads,
				want.Length),
			"a model with the default sizes", messages.Grouped(e.Params(c)), messages.Grouped(e.FLOPs(c, 64)),
			map[string]string{"albert.linformer": "The text about the bundled model, here and below, describes ALBERT with its own token mixer.", "sandwich": "describes the model that “viz train sandwich” makes. This model has not been trained yet."}[id],
		} {
			if !strings.Contains(page, webtest.Spelled(w)) {
				t.Errorf("%s does not say %q", id, w)
			}
		}
	}
	for path := range map[string]bool{"/m/albert": true, "/m/linformer": true, "/m/encoder.linformer": true} {
		if page := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), path).Body.String(); strings.Contains(page,
			"The text about the bundled model") {
			t.Errorf("%s qualifies what is said of its own model", path)
		}
	}
}

// TestPagesSayWhetherAMapMultipliesTheValues: every mechanism's page states whether its map
// multiplies the values, or why not.
func TestPagesSayWhetherAMapMultipliesTheValues(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for id, want := range map[string]string{"dense": "This mechanism is linear in its values",
		"fastformer": "Only influence compares"} {
		webtest.CheckDocument(t, webtest.Get(s, "/m/"+id).Body.String(),
			webtest.WantPage{Path: id, Has: []string{"p#map-text " + want}})
	}
}

// TestContents: the table of contents of every mechanism's page links to all of its headings, in
// order.
func TestContents(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, id := range s.MechanismIDs() {
		doc := webtest.Parse(t, webtest.Get(s, "/m/"+id))
		var ids []string
		for _, h := range webtest.All(webtest.All(doc, "main")[0], "h2") {
			if at, ok := webtest.Attr(h, "id"); ok {
				ids = append(ids, "#"+at)
			}
		}
		links := webtest.LinksOf(webtest.All(doc, "nav#contents")[0])
		ids = slices.DeleteFunc(ids, func(id string) bool { return strings.HasPrefix(id, "#name-") }) // of a card in "maps"
		if !slices.Equal(links, ids) {
			t.Errorf("%s: contents %v of %v", id, links, ids)
		}
	}
}

// TestMechanisms: /api/v1/mechanisms lists all mechanisms and architectures with the facts of the catalogue.
func TestMechanisms(t *testing.T) {
	w := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/api/v1/mechanisms")
	var got mechanism.Mechanisms
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil ||
		len(got.Mechanisms) != len(attention.Catalog)+len(encoder.Stacks) {
		t.Fatalf("%v: %s", err, w.Body)
	}
	for i, m := range got.Mechanisms {
		if i >= len(attention.Catalog) {
			stack := encoder.Stacks[i-len(attention.Catalog)]
			if mixer, ok := attention.Find(m.Mixer); m.ID != stack.ID || m.Kind != "stack" || !ok ||
				len(m.Views) != len(mixer.Views) || m.Nothing.Text != mixer.Masks.EmptyRow.Text.String() ||
				len(m.Maps) != len(stack.Views) {
				t.Errorf("%s: %+v", stack.ID, m)
			}
			continue
		}
		e := attention.Catalog[i]
		if nothing := e.Masks.EmptyRow; m.Nothing.Text != nothing.Text.String() ||
			m.Nothing.Padding != string(nothing.Padding) || m.Nothing.Pairs != string(nothing.Pairs) {
			t.Errorf("%s: of rows with nothing to read it says %+v", e.ID, m.Nothing)
		}
		if m.ID != e.ID || m.Kind != "mixer" || m.TeX != e.Formula || m.Formula == "" || strings.Contains(m.Formula, `\`) ||
			len(m.Unlike) == 0 || len(m.Masks) != 3 || m.Masks[2].Reason != e.Masks.NoCausal.String() ||
			len(m.Views) != len(e.Views) {
			t.Errorf("%s: %+v", e.ID, m)
		}
		if m.Model == nil || m.Model.Params != webtest.FakeInfo(e.ID).Params {
			t.Errorf("%s: model %+v", e.ID, m.Model)
		}
	}
}
