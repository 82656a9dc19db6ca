package wall_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/scene"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

// hrefOf returns the address of the only element of a page that a selector matches.
func hrefOf(t *testing.T, doc *html.Node, selector string) string {
	t.Helper()
	found := webtest.All(doc, selector)
	if len(found) != 1 {
		t.Fatalf("there are %d of %s", len(found), selector)
	}
	href, _ := webtest.Attr(found[0], "href")
	return href
}

// TestTheWalkLeadsBack: at every step of the tour, and in the masthead, a link restores what the visitor saw
// before. Every step shows the text of its sentence.
func TestTheWalkLeadsBack(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, start := range []string{
		"/", "/?text=My+own+words", "/?text=a%26b%3Dc%25+%2B+%C3%A9%3F", "/?m=dense%2Clinear&text=hello+you",
		"/?dense.head=3&head=2&layer=2&m=random%2Cdense&mask=causal&norm=map&text=one+two+three",
		"/?mass=0.9&sinks=aside&text=one+two+three&top=2",
		"/?other=three+two+one&pin=2.3&text=one+two+three", "/?cut=word%3A2&dense.cut=head%3A1.2&text=one+two+three",
		"/?text=a+%5BMASK%5D+dog&was=old",
		"/?compact=1&present=1&text=My+own+words&theme=dark", "/?cmap=ink", "/?draw=arcs&pin=1&text=one+two",
	} {
		want := webtest.QueryOf(t, start)
		at := hrefOf(t, webtest.Parse(t, webtest.Get(s, start)), "a#look-next")
		for step, sc := range scene.Walk {
			doc := webtest.Parse(t, webtest.Get(s, at))
			if box := webtest.All(doc, "textarea#c-text"); webtest.TextOf(box[0]) != sc.Text {
				t.Errorf("%s: step %d shows %q", start, step+1, webtest.TextOf(box[0]))
			}
			if out := webtest.QueryOf(t, hrefOf(t, doc, "a[data-leave]")); out.Encode() != want.Encode() {
				t.Errorf("%s: step %d leads back to %v", start, step+1, out)
			}
			for _, link := range webtest.LinksOf(webtest.All(doc, "nav#pages")[0]) {
				if q := webtest.QueryOf(t, link); q.Get("text") != want.Get("text") || q.Get("m") != want.Get("m") {
					t.Errorf("%s: step %d has %s in the masthead", start, step+1, link)
				}
			}
			at = hrefOf(t, doc, "a#look-next")
		}
	}
}

// TestTheWalkKeepsWhatIsWritten: a text that is entered during the tour belongs to the visitor; a masked word of the
// tour does not. The last appearance is kept, and errors in an address are left out.
func TestTheWalkKeepsWhatIsWritten(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	hidden := strings.Replace(scene.Walk[0].Text, "mat", "[MASK]", 1)
	for _, c := range []struct{ step, want string }{
		{"from=m%3Ddense%26pin%3D1.2%26text%3Dmine&text=another+one", "m=dense&text=another+one"},
		{"text=another+one&m=dense", "m=dense&text=another+one"},
		{"from=text%3Dmine&was=mat&" + url.Values{"text": {hidden}}.Encode(), "text=mine"},
		{"from=text%3Dmine&" + url.Values{"text": {hidden}}.Encode(), url.Values{"text": {hidden}}.Encode()},
		{"from=text%3Dmine%26theme%3Dlight&theme=dark&cmap=ink", "cmap=ink&text=mine&theme=dark"},
		{"from=text%3Dmine%26layer%3Dx%26nothing%3D1%26walk%3D3%26from%3Dy%26example%3Dchinese", "text=mine"},
		{"from=%25zz%00%26text%3D100%25", "text=100%25"},
		{"from=http%3A%2F%2Fexample.org%2F", ""},
	} {
		doc := webtest.Parse(t, webtest.Get(s, "/?walk=1&"+c.step))
		if out := hrefOf(t, doc, "a[data-leave]"); !strings.HasPrefix(out, "/") ||
			webtest.QueryOf(t, out).Encode() != c.want {
			t.Errorf("%s leads back to %s", c.step, out)
		}
		next := webtest.Parse(t, webtest.Get(s, hrefOf(t, doc, "a#look-next")))
		if out := hrefOf(t, next, "a[data-leave]"); webtest.QueryOf(t, out).Encode() != c.want {
			t.Errorf("%s leads, one step on, back to %s", c.step, out)
		}
		if fields := webtest.All(doc, "input[name=from]"); strings.Contains(c.step, "from=") != (len(fields) == 1) {
			t.Errorf("%s: its form has %d of it", c.step, len(fields))
		}
	}
	long := "/?" + url.Values{"text": {strings.Repeat("a ", 60) + strings.Repeat("\n", 5_700)}}.Encode()
	if q := webtest.QueryOf(t, hrefOf(t, webtest.Parse(t, webtest.Get(s, long)), "a#look-next")); q.Has("from") ||
		!slices.Equal(q["walk"], []string{"1"}) {
		t.Errorf("a text of which links would be too long begins %d bytes of %v", len(q.Get("from")), q["walk"])
	}
}
