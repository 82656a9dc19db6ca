package web

import (
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
	"attnatlas/engine/messages"
	"attnatlas/web/address"

	"golang.org/x/net/html"
)

// all lists the elements that match a selector.
func all(doc *html.Node, sel string) []*html.Node {
	var found []*html.Node
	for n := range doc.Descendants() {
		if isElement(n, sel) {
			found = append(found, n)
		}
	}
	return found
}

// TestMechanismPages: everything that the catalogue says of a mechanism is on its page.
func TestMechanismPages(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for i, e := range attention.Catalog {
		t.Run(e.ID, func(t *testing.T) {
			w := get(s, "/m/"+e.ID+"?text=hello+you&theme=dark&layer=2")
			if w.Code != http.StatusOK {
				t.Fatalf("status %d: %.300s", w.Code, w.Body)
			}
			doc := parse(t, w)
			checkFacts(t, doc, e, 4)
			thumbs := all(doc, "a.thumb")
			if len(thumbs) != fakeLayers*(fakeHeads+1) {
				t.Errorf("%d small pictures", len(thumbs))
			}
			for _, a := range thumbs {
				href, _ := attr(a, "href")
				if !strings.HasPrefix(href, "/m/"+e.ID+"?") || !strings.Contains(href, "theme=dark") || !strings.Contains(href, "text=hello+you") {
					t.Errorf("a small picture leads to %s", href)
				}
			}
			links := linksOf(doc)
			for _, link := range links { // a link that the script follows must not leave the page
				if strings.HasPrefix(link, "/?") && strings.Contains(link, "m="+e.ID+"&") {
					t.Errorf("%s leads to the wall", link)
				}
			}
			for _, j := range []int{i - 1, i + 1} {
				if j >= 0 && j < len(attention.Catalog) && !slices.Contains(links, "/m/"+attention.Catalog[j].ID+"?layer=2&text=hello+you&theme=dark") {
					t.Errorf("no link to %s", attention.Catalog[j].ID)
				}
			}
		})
	}
}

// checkFacts looks for what does not depend on maps, for a text of n tokens.
func checkFacts(t *testing.T, doc *html.Node, e attention.Entry, n int) {
	t.Helper()
	if h1 := all(doc, "h1"); len(h1) != 1 || textOf(h1[0]) != e.Name.String() {
		t.Errorf("headings: %d", len(h1))
	}
	if large := all(doc, "div.formula-large"); len(large) != 1 || len(all(large[0], "math")) == 0 || strings.Contains(textOf(large[0]), `\`) {
		t.Error("no formula in MathML")
	}
	page := plainText(doc)
	c := attention.Config{Width: 128, Heads: fakeHeads, Length: fakeLength}
	want := []string{e.Summary.String(), e.Paper.Title, e.Paper.Equations, "arXiv:" + e.Paper.ArXiv, "eprint = {" + e.Paper.ArXiv + "}",
		messages.Grouped(e.Params(c)), messages.Grouped(e.FLOPs(c, n)), e.Masks.NoCausal.String(), e.Masks.NoPadding.String(), e.Masks.NoPairs.String(), e.Masks.EmptyRow.Text.String()}
	want = slices.Concat(want, messages.English.Lines(e.Differences), messages.English.Paragraphs(e.Story))
	for _, f := range e.Forms {
		want = append(want, f.Option, f.Source.String(), f.Text.String())
	}
	for _, k := range e.Options {
		want = append(want, k.Name, k.Help.String(), k.Allowed().String())
	}
	for _, w := range want {
		if !strings.Contains(page, spelled(w)) {
			t.Errorf("the page does not say %q", w)
		}
	}
	for _, a := range all(doc, "a") {
		if href, _ := attr(a, "href"); strings.Contains(href, "//") {
			if rel, _ := attr(a, "rel"); !strings.Contains(rel, "noreferrer") {
				t.Errorf("%s would be told where the visitor comes from", href)
			}
		}
	}
}

// plainText is the text of a page without blanks, subscripts spelled out.
func plainText(doc *html.Node) string { return spelled(textOf(doc)) }

// spelled undoes what setting a sentence does to it.
func spelled(s string) string {
	return strings.NewReplacer("_", "", "\u00a0", "", " ", "", "\n", "", "\t", "", "ᵀ", "T", "₁", "1", "₂", "2", "ᵢ", "i", "ⱼ", "j", "²", "2",
		"⁻", "−", "⁶", "6", "⁴", "4", "ᵐ", "m").Replace(s)
}

// untrainedServer has a model of one mechanism only.
func untrainedServer(t *testing.T, trained string) *Server {
	t.Helper()
	s, err := New(Options{
		Inspector: &fakeEngine{}, Entries: attention.Catalog, Log: slog.New(slog.DiscardHandler),
		Info: func(id string) (*engine.ModelInfo, error) {
			if id != trained {
				return nil, engine.Errorf(engine.NotFound, "error.no-model", "id", messages.Quote(id))
			}
			return fakeInfo(id), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestUntrainedMechanism: no maps, but everything else, and the page says so.
func TestUntrainedMechanism(t *testing.T) {
	s := untrainedServer(t, "dot-product")
	for _, e := range attention.Catalog[1:] {
		w := get(s, "/m/"+e.ID+"?text=hello")
		doc := parse(t, w)
		if w.Code != http.StatusOK || !strings.Contains(textOf(doc), "no trained model of this mechanism yet") {
			t.Errorf("%s: status %d", e.ID, w.Code)
		}
		checkFacts(t, doc, e, 64)
		for _, sel := range []string{"form", "article", "a.thumb", "div.map"} {
			if len(all(doc, sel)) > 0 {
				t.Errorf("%s: there is a %s", e.ID, sel)
			}
		}
	}
	index := parse(t, get(s, "/m"))
	if marks := len(all(index, "span.untrained-mark")); marks != len(attention.Catalog)-1 {
		t.Errorf("%d mechanisms are marked as untrained", marks)
	}
}

func TestIndexListsEveryMechanism(t *testing.T) {
	doc := parse(t, get(newServer(t, &fakeEngine{}), "/m?theme=dark"))
	links, page := linksOf(doc), plainText(doc)
	for _, e := range attention.Catalog {
		if !slices.Contains(links, "/m/"+e.ID+"?theme=dark") || !strings.Contains(page, spelled(e.Summary.String())) {
			t.Errorf("%s is not in the list", e.ID)
		}
	}
	var pictures []*html.Node
	for _, item := range all(doc, "li.gallery-item") {
		pictures = append(pictures, all(item, "img")...)
	}
	for _, img := range pictures {
		src, _ := attr(img, "src")
		if w := get(newServer(t, &fakeEngine{}), src); w.Code != http.StatusOK || !strings.Contains(src, "theme=dark") {
			t.Errorf("%s: %d", src, w.Code)
		}
	}
	if n := len(pictures); n != len(attention.Catalog)+len(encoder.Stacks) {
		t.Errorf("%d pictures", n)
	}
	if n := len(all(doc, "p.formula")); n != len(attention.Catalog)+len(encoder.Stacks) || len(all(doc, "math")) < n {
		t.Errorf("%d formulas", n)
	}
}

// TestCardSaysWhatIsKnown: the disclosure on a card of the wall.
func TestCardSaysWhatIsKnown(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	doc := parse(t, unfolded(s, "/?text=hello+you&m=fastformer,factorized-dense&layer=2&norm=log", "fastformer", "factorized-dense"))
	for _, id := range []string{"fastformer", "factorized-dense"} {
		e, _ := attention.Find(id)
		about := all(doc, "details#background-"+id)
		if len(about) != 1 {
			t.Fatalf("%s: no disclosure", id)
		}
		c := attention.Config{Width: 128, Heads: fakeHeads, Length: fakeLength}
		text := plainText(about[0])
		for _, want := range []string{messages.Grouped(e.Params(c)), messages.Grouped(e.FLOPs(c, 4)), messages.Grouped(fakeInfo(id).Params),
			e.Masks.NoCausal.String(), e.Paper.Title, "arXiv:" + e.Paper.ArXiv} {
			if !strings.Contains(text, spelled(want)) {
				t.Errorf("%s: %q is missing", id, want)
			}
		}
		if !slices.Contains(linksOf(about[0]), "/m/"+id+"?layer=2&norm=log&text=hello+you") {
			t.Errorf("%s: no link to its page: %v", id, linksOf(about[0]))
		}
	}
	notes := all(doc, "p.note")
	if len(notes) != 1 || !strings.Contains(textOf(notes[0]), "Up to 8 tokens, only the first of the 8 columns of A acts") {
		t.Errorf("%d notes", len(notes))
	}
	if doc := parse(t, get(s, "/?text="+url.QueryEscape(address.DefaultText)+"&m=factorized-dense")); len(all(doc, "p.note")) != 0 {
		t.Error("a note about short texts beside a long one")
	}
}

// TestOptionsOfTheModelCount: numbers are those of the model's own options, and
// formulas of the default ones do not stand beside them.
func TestOptionsOfTheModelCount(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	e, _ := attention.Find("linformer")
	m := fakeInfo(e.ID)
	m.MixerOptions = map[string]string{"slots": "32"}
	s.info = func(string) (*engine.ModelInfo, error) { return m, nil }
	b := newPage(s, address.Default()).background(&mechanism{Entry: e}, 10)
	c := attention.Config{Width: 128, Heads: fakeHeads, Length: fakeLength, Options: m.MixerOptions}
	if b.Counts[0].Value != messages.Grouped(e.Params(c)) || b.Counts[1].Value != messages.Grouped(e.FLOPs(c, 10)) || b.Counts[0].Formula != "" {
		t.Errorf("%+v", b.Counts)
	}
}

// TestChoosing: pages with choices say by which command they are made.
func TestChoosing(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for id, want := range map[string]string{
		"universal": "viz train universal --option halting=accumulated --data DIR", "linformer": "viz train linformer --option slots=32 --data DIR",
		"sandwich.linformer": "viz train sandwich.linformer --option stack.order=0 --data DIR", "dot-product": "",
		"encoder-decoder": `viz train encoder-decoder --option "decoder layers=1" --data DIR`,
	} {
		var found []*html.Node
		for _, section := range all(parse(t, get(s, "/m/"+id+"?text=hello")), "section.options") {
			found = append(found, all(section, "code")...)
		}
		if (len(found) == 1) != (want != "") || want != "" && textOf(found[0]) != want {
			t.Errorf("%s: %d commands", id, len(found))
		}
	}
}

func TestNearest(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for id, want := range map[string]string{
		"fasformer": "fastformer,linformer", "Dense": "dense,factorized-dense", "linear-attention": "linear", "dotproduct": "dot-product", "bigbrid": "bigbird",
		"": "", "zzzzzzzz": "", strings.Repeat("x", 5000): "",
	} {
		if got := strings.Join(s.nearest(id), ","); got != want {
			t.Errorf("%.20q is near %q, want %q", id, got, want)
		}
	}
	if d := distance("kitten", "sitting"); d != 3 {
		t.Errorf("kitten and sitting differ by %d", d)
	}
}

// TestUntrainedStack: the numbers are those of the model that training would make, not of
// another one that happens to be shipped, and nothing is said of a model that is not there.
func TestUntrainedStack(t *testing.T) {
	s := untrainedServer(t, "dot-product")
	s.mechanisms = catalogue(attention.Catalog, encoder.Stacks)
	for id, mixer := range map[string]string{"albert.linformer": "linformer", "sandwich": "dot-product"} {
		stack, _, _ := strings.Cut(id, ".")
		want, err := encoder.Default(stack, mixer, 100)
		if err != nil {
			t.Fatal(err)
		}
		page := plainText(parse(t, get(s, "/m/"+id+"?text=hello")))
		e, _ := attention.Find(mixer)
		c := attention.Config{Width: want.Width, Heads: want.Heads, Length: want.Length}
		for _, w := range []string{
			fmt.Sprintf("l = %d layers, width d = %d, H = %d heads, L = %d positions", want.Layers, want.Width, want.Heads, want.Length),
			"a model trained with the default sizes would have", messages.Grouped(e.Params(c)), messages.Grouped(e.FLOPs(c, 64)),
			map[string]string{"albert.linformer": "What is said of the shipped model, here and below, holds for ALBERT with its own mixer.", "sandwich": "holds for the one that “viz train sandwich” makes: there is none yet."}[id],
		} {
			if !strings.Contains(page, spelled(w)) {
				t.Errorf("%s does not say %q", id, w)
			}
		}
	}
	for path := range map[string]bool{"/m/albert": true, "/m/linformer": true, "/m/encoder.linformer": true} {
		if page := get(newServer(t, &fakeEngine{}), path).Body.String(); strings.Contains(page, "What is said of the shipped model") {
			t.Errorf("%s qualifies what is said of its own model", path)
		}
	}
}

// TestPagesSayWhetherAMapMultipliesTheValues: of each mechanism, and why none does.
func TestPagesSayWhetherAMapMultipliesTheValues(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for id, want := range map[string]string{"dense": "It is linear in its values", "fastformer": "influence only"} {
		checkDocument(t, get(s, "/m/"+id).Body.String(), wantPage{path: id, has: []string{"p#map-text " + want}})
	}
}
