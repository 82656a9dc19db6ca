package components_test

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"testing"

	"attnatlas/components"
	"attnatlas/web/mechanism"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// parsed renders a component and parses the HTML.
func parsed(t *testing.T, c templ.Component) (*html.Node, string) {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return root, b.String()
}

func walk(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, visit)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	walk(n, func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	})
	return b.String()
}

// find returns the elements whose attribute has the value; for class it matches one word.
func find(root *html.Node, key, value string) []*html.Node {
	var found []*html.Node
	walk(root, func(n *html.Node) {
		if n.Type != html.ElementNode {
			return
		}
		got := attr(n, key)
		if got == value || key == "class" && strings.Contains(" "+got+" ", " "+value+" ") {
			found = append(found, n)
		}
	})
	return found
}

const nasty = `<script>alert(1)</script> "quoted" & 'x' <img src=x onerror=alert(1)> القط 小猫 😀 </textarea>`

func fixtures() map[string]templ.Component {
	wall := func(query string) templ.Component {
		q, err := url.ParseQuery(query)
		if err != nil {
			panic(err)
		}
		return components.WallPage(newFixture(q).wall())
	}
	return map[string]templ.Component{
		"wall":             wall(""),
		"pinned":           wall("pin=3.4&theme=dark&norm=uniform"),
		"causal":           wall("mask=causal"),
		"empty":            wall("text="),
		"nasty":            wall("text=" + url.QueryEscape(nasty) + "&pin=2.3"),
		"long":             wall("text=" + url.QueryEscape(strings.Repeat("the old woman said ", 100))),
		"unknown":          wall("m=dense,nothing"),
		"wall of none":     components.WallPage(components.Wall{}),
		"mechanism":        mechanism.MechanismPage(mechanismFixture(fixtureText)),
		"nasty mechanism":  mechanism.MechanismPage(mechanismFixture(nasty)),
		"generation":       mechanism.MechanismPage(generationFixture(fixtureText)),
		"nasty generation": mechanism.MechanismPage(generationFixture(nasty)),
		"untrained": mechanism.MechanismPage(mechanism.PageView{Name: "Nothing", Untrained: "There is no model.",
			Formulas: []string{nasty}}),
		"mechanisms": mechanism.MechanismsPage(mechanism.Index{Families: []mechanism.IndexFamily{{ID: "pairs",
			Title: nasty, Rows: []mechanism.IndexRow{{ID: "dense", Name: nasty, Formula: nasty, URL: "javascript:alert(1)",
				Untrained: true}}}}}),
		"failure": components.FailurePage(components.Failure{Page: components.Page{Title: "Page not found"}, Status: 404,
			Detail: "The address may have been shortened on its way to you."}),
		"nasty failure": components.FailurePage(components.Failure{Page: components.Page{Title: nasty}, Status: 400,
			Detail: nasty, Links: []components.Link{{Label: nasty, Hint: nasty, URL: "javascript:alert(1)"}}}),
	}
}

func TestPagesFitTheContentSecurityPolicy(t *testing.T) {
	for name, c := range fixtures() {
		root, source := parsed(t, c)
		if !strings.HasPrefix(strings.ToLower(source), "<!doctype html>") {
			t.Errorf("%s does not begin with a doctype", name)
		}
		walk(root, func(n *html.Node) {
			if n.Type != html.ElementNode {
				return
			}
			data := n.Data == "script" && attr(n, "type") == "application/json" && attr(n, "src") == ""
			if n.Data == "style" || n.Data == "script" && !data && (attr(n, "src") == "" || n.FirstChild != nil) {
				t.Errorf("%s: inline <%s>", name, n.Data)
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
				if (a.Key == "src" || n.Data == "link" && a.Key == "href") && !strings.HasPrefix(a.Val, "/") {
					t.Errorf("%s: <%s> loads %q from elsewhere", name, n.Data, a.Val)
				}
				if strings.HasPrefix(strings.TrimSpace(a.Val), "javascript:") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		})
	}
}

func TestIdsAreUniqueAndReferred(t *testing.T) {
	for name, c := range fixtures() {
		root, _ := parsed(t, c)
		ids := map[string]int{}
		walk(root, func(n *html.Node) {
			if id := attr(n, "id"); id != "" {
				ids[id]++
			}
		})
		for id, count := range ids {
			if count > 1 {
				t.Errorf("%s: the id %q occurs %d times", name, id, count)
			}
		}
		walk(root, func(n *html.Node) {
			for _, key := range []string{"for", "aria-labelledby", "aria-controls"} {
				for ref := range strings.FieldsSeq(attr(n, key)) {
					if ids[ref] == 0 {
						t.Errorf("%s: <%s %s=%q> refers to nothing", name, n.Data, key, ref)
					}
				}
			}
		})
	}
}

func TestTextIsShownAsText(t *testing.T) {
	f := newFixture(url.Values{"text": {nasty}})
	root, _ := parsed(t, components.WallPage(f.wall()))
	box := find(root, "id", "c-text")
	if len(box) != 1 || textOf(box[0]) != nasty {
		t.Errorf("the text box does not contain the text: %q", textOf(box[0]))
	}
	chips := find(root, "class", "token")
	if len(chips) != len(f.tokens) {
		t.Fatalf("%d chips for %d tokens", len(chips), len(f.tokens))
	}
	for i, chip := range chips {
		if textOf(chip) != f.tokens[i].Label || attr(chip, "data-label") != f.tokens[i].Label {
			t.Errorf("chip %d shows %q, the token is %q", i, textOf(chip), f.tokens[i].Label)
		}
	}
}

// TestTextBoxKeepsLineBreaks: a text keeps a line break at its beginning, although HTML drops the
// first one in a text area.
func TestTextBoxKeepsLineBreaks(t *testing.T) {
	for _, text := range []string{"\n\na\nb", "", " x ", "a\n"} {
		root, _ := parsed(t, components.WallPage(components.Wall{Text: text}))
		if got := textOf(find(root, "id", "c-text")[0]); got != text {
			t.Errorf("the text box has %q, want %q", got, text)
		}
	}
}

func TestWallWithoutScripts(t *testing.T) {
	f := newFixture(url.Values{"text": {strings.Repeat("one two three ", 30)}})
	root, _ := parsed(t, components.WallPage(f.wall()))
	cards := find(root, "class", "card")
	if len(cards) != 4 {
		t.Fatalf("%d cards", len(cards))
	}
	var images, refusals int
	for _, c := range cards {
		refusals += len(find(c, "class", "refusal"))
	}
	walk(root, func(n *html.Node) {
		if n.Data == "img" && attr(n, "alt") != "" {
			images++
			if attr(n, "width") == "" || attr(n, "height") == "" || !strings.HasPrefix(attr(n, "src"), "/export/") {
				t.Errorf("image without size or source: %v", n.Attr)
			}
		}
	})
	if refusals != 1 || images != 3+2+1 { // three maps, two strips and one more map; Random has an error
		t.Errorf("%d refusals, %d images", refusals, images)
	}
	form := find(root, "id", "controls")[0]
	if attr(form, "method") != "get" || attr(form, "action") != "/" {
		t.Errorf("form: %v", form.Attr)
	}
	for _, id := range []string{"c-text", "c-layer", "c-head", "c-norm", "c-cmap", "c-mask", "c-theme"} {
		if found := find(form, "id", id); len(found) != 1 || attr(found[0], "name") == "" {
			t.Errorf("control %s is not in the form", id)
		}
	}
	for _, figure := range find(root, "class", "figure") {
		for class, text := range map[string]string{"axis-rows": "reads",
			"axis-cols": "is read"} { // the style sheet adds the arrows
			if n := find(figure, "class", class); len(find(figure, "class", "refusal")) == 0 &&
				(len(n) != 1 || textOf(n[0]) != text) {
				t.Errorf("%q stands %d times at a map", text, len(n))
			}
		}
	}
}

func TestTheme(t *testing.T) {
	for theme, want := range map[string]string{"": "auto", "auto": "auto", "light": "light", "dark": "dark",
		"\"><b>": "auto"} {
		_, source := parsed(t, components.FailurePage(components.Failure{Page: components.Page{Theme: theme}}))
		if !strings.Contains(source, `data-theme="`+want+`"`) {
			t.Errorf("theme %q does not become %q", theme, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"A = softmax(Q·Kᵀ / √d_h)": "<i>A</i>\u00a0= softmax(<i>Q</i>·<i>K</i><sup>T</sup> / √<i>d</i><sub>h</sub>)",
		"g = Σ αₙqₙ, R trained":    "<i>g</i>\u00a0= Σ <i>α</i><sub>n</sub><i>q</i><sub>n</sub>, <i>R</i> trained",
		"A row. A map A is":        "A row. A map <i>A</i> is",
		"what a row i reads":       "what a row <i>i</i> reads",
		"W₁₂ < q̄_":                "<i>W</i><sub>12</sub> &lt; <i>q̄</i>_",
	} {
		var b bytes.Buffer
		if err := components.Sentence(in).Render(context.Background(), &b); err != nil || b.String() != want {
			t.Errorf("%q becomes\n%q, want\n%q (%v)", in, b.String(), want, err)
		}
	}
}
