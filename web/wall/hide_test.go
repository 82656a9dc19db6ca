package wall_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/scene"
	"attnatlas/web/webtest"
)

// follow masks or shows the word with this label in the token strip, and returns the new address.
func follow(t *testing.T, s http.Handler, page, label string) string {
	t.Helper()
	for _, b := range webtest.All(webtest.Parse(t, webtest.Get(s, page)), "button.hide") {
		if says, _ := webtest.Attr(b, "aria-label"); says != label {
			continue
		}
		name, _ := webtest.Attr(b, "name")
		value, _ := webtest.Attr(b, "value")
		u, err := url.Parse(page)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		q.Set(name, value)
		u.RawQuery = q.Encode()
		w := webtest.Get(s, u.String())
		if w.Code != http.StatusSeeOther || w.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("%s: status %d", u, w.Code)
		}
		return w.Header().Get("Location")
	}
	t.Fatalf("%s has no button %q", page, label)
	return ""
}

// TestHideAndShow: the address has the text with the word masked, keeps everything else, and can restore the word.
func TestHideAndShow(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	one := follow(t, s, "/?text=The+recondite+cat&m=dense&layer=2&pin=2.3", "Mask “recondite”")
	if one != "/?layer=2&m=dense&pin=2.3&text=The+%5BMASK%5D%5BMASK%5D%5BMASK%5D+cat&was=recondite" {
		t.Fatal(one)
	}
	two := follow(t, s, one, "Mask “The”")
	if u, _ := url.Parse(two); u.Query().Get("text") != "[MASK] [MASK][MASK][MASK] cat" ||
		!slices.Equal(u.Query()["was"], []string{"The", "recondite"}) {
		t.Fatal(two)
	}
	back := follow(t, s, two, "Show “recondite” again")
	if back != "/?layer=2&m=dense&pin=2.3&text=%5BMASK%5D+recondite+cat&was=The" {
		t.Fatal(back)
	}
	if last := follow(t, s, back, "Show “The” again"); last != "/?layer=2&m=dense&pin=2.3&text=The+recondite+cat" {
		t.Fatal(last)
	}
	if there := follow(t, s, "/m/dense?text=The+cat+%7C%7C%7C+a+dog",
		"Mask “dog”"); there != "/m/dense?text=The+cat+%7C%7C%7C+a+%5BMASK%5D&was=dog" {
		t.Error(there)
	}
	doc := webtest.Parse(t, webtest.Get(s, two))
	var was []string
	for _, field := range webtest.All(doc, "input[name=was]") {
		value, _ := webtest.Attr(field, "value")
		was = append(was, value)
	}
	if !slices.Equal(was, []string{"The", "recondite"}) {
		t.Errorf("the form keeps %q", was)
	}
	for _, link := range webtest.LinksOf(doc) { // pictures do not depend on it
		if strings.HasPrefix(link, "/export/") && strings.Contains(link, "was=") {
			t.Error(link)
		}
	}
}

// TestHidingRefuses: the page reports a position without a word, or an unknown word.
func TestHidingRefuses(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for query, says := range map[string]string{
		"text=The+cat&hide=1.3":           "hide=“1.3” must be a word of the text",
		"text=The+cat&hide=":              "must be a word of the text",
		"text=The+cat&hide=0.99999999999": "must be a word of the text",
		"text=a+%5BMASK%5D&hide=2.8":      "The word behind this [MASK] is unknown",
	} {
		for _, page := range []string{"/?", "/m/dense?"} {
			w := webtest.Get(s, page+query)
			if doc := webtest.Parse(t, w); w.Code != http.StatusBadRequest || !strings.Contains(webtest.TextOf(doc), says) ||
				len(webtest.All(doc, "article.card")) == 0 {
				t.Errorf("%s%s: %d", page, query, w.Code)
			}
		}
	}
	for _, b := range webtest.All(webtest.Parse(t, webtest.Get(s, "/?text=a+%5BMASK%5D+%5BCLS%5D&m=dense")),
		"li.special") {
		if len(webtest.All(b, "button.hide")) > 0 {
			t.Errorf("%s can be hidden", webtest.TextOf(b))
		}
	}
	for text, want := range map[string]struct {
		status int
		says   string
	}{strings.Repeat("x ", engine.MaxTextBytes): {http.StatusRequestEntityTooLarge, "limit 65"},
		" ": {http.StatusBadRequest, "The text has no words"}} {
		w := webtest.Get(s, "/?text="+url.QueryEscape(text)+"&hide=0.1")
		if n := strings.Count(webtest.TextOf(webtest.Parse(t, w)), want.says); w.Code != want.status || n != 1 {
			t.Errorf("%.9q: %d, said %d times", text, w.Code, n)
		}
	}
}

// TestOfferedWordSaysSomething: the page offers a content word to mask. Without content words, it offers neither
// masking nor a filled blank. On the first view, the filled blank is that of an example.
func TestOfferedWordSaysSomething(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for text, words := range map[string]string{scene.First.Text: "cat sat mat tired dog saw",
		"The the the cat": "cat", "It is what it was": "", "The not of it": ""} {
		doc := webtest.Parse(t, webtest.Get(s, "/?text="+url.QueryEscape(text)))
		links := slices.Concat(webtest.All(doc, "a#try-hide"), webtest.All(doc, "a#try-race"))
		if text == scene.First.Text {
			to, _ := webtest.Attr(links[len(links)-1], "href")
			if q := webtest.QueryOf(t, to); q.Get("example") != "a-race" || !slices.Equal(q["was"], []string{"apple"}) {
				t.Errorf("the filled blank of the first view is %s", to)
			}
			links[len(links)-1] = links[0]
		}
		if words == "" && len(links) == 0 {
			continue
		}
		if len(links) != 2 {
			t.Errorf("%q: %d are offered", text, len(links))
		}
		for _, link := range append(links, webtest.All(doc, "a#race-open")...) {
			to, _ := webtest.Attr(link, "href")
			if was := webtest.QueryOf(t, to)["was"]; len(was) != 1 || !slices.Contains(strings.Fields(words), was[0]) {
				t.Errorf("%q: %s masks %q", text, to, was)
			}
		}
	}
}
