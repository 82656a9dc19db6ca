package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/tokenizer"

	"pgregory.net/rapid"
)

// follow hides or shows the word that the strip of a page shows with a label, and returns
// the address that this leads to.
func follow(t *testing.T, s http.Handler, page, label string) string {
	t.Helper()
	for _, b := range all(parse(t, get(s, page)), "button.hide") {
		if says, _ := attr(b, "aria-label"); says != label {
			continue
		}
		name, _ := attr(b, "name")
		value, _ := attr(b, "value")
		u, err := url.Parse(page)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		q.Set(name, value)
		u.RawQuery = q.Encode()
		w := get(s, u.String())
		if w.Code != http.StatusSeeOther || w.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("%s: status %d", u, w.Code)
		}
		return w.Header().Get("Location")
	}
	t.Fatalf("%s has no button %q", page, label)
	return ""
}

// TestHideAndShow: the address has the text with the word hidden, keeps everything else,
// and knows the way back.
func TestHideAndShow(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	one := follow(t, s, "/?text=The+recondite+cat&m=dense&layer=2&pin=2.3", "Hide “recondite” behind [MASK]")
	if one != "/?layer=2&m=dense&pin=2.3&text=The+%5BMASK%5D%5BMASK%5D%5BMASK%5D+cat&was=recondite" {
		t.Fatal(one)
	}
	two := follow(t, s, one, "Hide “The” behind [MASK]")
	if u, _ := url.Parse(two); u.Query().Get("text") != "[MASK] [MASK][MASK][MASK] cat" || !slices.Equal(u.Query()["was"], []string{"The", "recondite"}) {
		t.Fatal(two)
	}
	back := follow(t, s, two, "Show “recondite” again")
	if back != "/?layer=2&m=dense&pin=2.3&text=%5BMASK%5D+recondite+cat&was=The" {
		t.Fatal(back)
	}
	if last := follow(t, s, back, "Show “The” again"); last != "/?layer=2&m=dense&pin=2.3&text=The+recondite+cat" {
		t.Fatal(last)
	}
	if there := follow(t, s, "/m/dense?text=The+cat+%7C%7C%7C+a+dog", "Hide “dog” behind [MASK]"); there != "/m/dense?text=The+cat+%7C%7C%7C+a+%5BMASK%5D&was=dog" {
		t.Error(there)
	}
	doc := parse(t, get(s, two))
	var was []string
	for _, field := range all(doc, "input[name=was]") {
		value, _ := attr(field, "value")
		was = append(was, value)
	}
	if !slices.Equal(was, []string{"The", "recondite"}) {
		t.Errorf("the form keeps %q", was)
	}
	for _, link := range linksOf(doc) { // pictures do not depend on it
		if strings.HasPrefix(link, "/export/") && strings.Contains(link, "was=") {
			t.Error(link)
		}
	}
}

// TestHidingRefuses: what is no word, or is not known, is said; the page stands.
func TestHidingRefuses(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for query, says := range map[string]string{
		"text=The+cat&hide=1.3":           "hide=\"1.3\" is no word of the text",
		"text=The+cat&hide=":              "is no word of the text",
		"text=The+cat&hide=0.99999999999": "is no word of the text",
		"text=a+%5BMASK%5D&hide=2.8":      "What this [MASK] hides is not known",
	} {
		for _, page := range []string{"/?", "/m/dense?"} {
			w := get(s, page+query)
			if doc := parse(t, w); w.Code != http.StatusBadRequest || !strings.Contains(textOf(doc), says) || len(all(doc, "article.card")) == 0 {
				t.Errorf("%s%s: %d", page, query, w.Code)
			}
		}
	}
	for _, b := range all(parse(t, get(s, "/?text=a+%5BMASK%5D+%5BCLS%5D&m=dense")), "li.special") {
		if len(all(b, "button")) > 0 {
			t.Errorf("%s can be hidden", textOf(b))
		}
	}
	if w := get(s, "/?text="+url.QueryEscape(strings.Repeat("x ", engine.MaxTextBytes))+"&hide=0.1"); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("too long a text: %d", w.Code)
	}
}

// TestWhatMasksHideFitsTheText: words that the text has no masks for are forgotten.
func TestWhatMasksHideFitsTheText(t *testing.T) {
	for query, want := range map[string][]string{
		"text=a+%5BMASK%5D&was=cat":                           {"cat"},
		"text=a+%5BMASK%5D&was=cat&was=dog":                   nil,
		"text=a+%5BMASK%5D&was=recondite":                     nil, // three pieces
		"text=%5BMASK%5D+%5BMASK%5D+%5BMASK%5D&was=recondite": nil, // not side by side
		"text=a+%5BMASK%5D+b&was=%5BMASK%5D":                  nil,
		"text=a+%5BMASK%5D&was=+":                             nil,
		"text=a+%5BMASK%5D&was=":                              nil,
		"text=a+cat&was=cat":                                  nil,
		"text=a+%5BMASK%5D+%5BMASK%5D&was=&was=cat":           {"", "cat"},
		"text=a+%5BMASK%5D+%5BMASK%5D+&was=recondite":         nil,
		"text=%5BMASK%5D%5BMASK%5D%5BMASK%5D&was=猫&x=1":       nil,
		"text=%5BMASK%5D&was=猫":                               {"猫"},
		"text=a%5BMASK%5D&was=b":                              nil, // ab is one piece
		"text=a+%5BMASK%5D+b&was=%7C%7C%7C":                   nil,
		"text=a+%5BMASK%5D&was=%ff":                           {"\xff"},
	} {
		v, _ := parseQuery(query)
		if s, _ := decodeState(v); !slices.Equal(s.Was, want) {
			t.Errorf("%s: %q, want %q", query, s.Was, want)
		}
	}
}

// TestHidingAnyText: whatever the text, hiding a word keeps the other tokens, and
// showing it again gives the text as it was.
func TestHidingAnyText(t *testing.T) {
	v := tokenizer.Default()
	rapid.Check(t, func(t *rapid.T) {
		s := DefaultState()
		s.Text = rapid.OneOf(rapid.SampledFrom(texts), rapid.String(),
			rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"cat", "recondite", "[MASK]", "Ω", "猫", "垫", "🙂", " ", "|||", "\xff", "e\u0301", "[", "]", "'", "\r\n"}), 1, 9),
				func(p []string) string { return strings.Join(p, "") })).Draw(t, "text")
		first := s
		for range 3 {
			tokens, _ := engine.Tokens(v, s.Text)
			words := v.Words(s.Text, tokens)
			if len(words) == 0 {
				return
			}
			w := words[rapid.IntRange(0, len(words)-1).Draw(t, "word")]
			if isMask(tokens[w.First]) {
				continue
			}
			next, ok := toggle(s, w, tokens)
			if !ok {
				t.Fatalf("%q: %q cannot be hidden", s.Text, s.Text[w.Start:w.End])
			}
			after, _ := engine.Tokens(v, next.Text)
			if len(after) != len(tokens) {
				t.Fatalf("%q becomes %q", s.Text, next.Text)
			}
			for i := range after {
				if inside := i >= w.First && i < w.Last; isMask(after[i]) != (inside || isMask(tokens[i])) || !inside && after[i].ID != tokens[i].ID {
					t.Fatalf("%q becomes %q", s.Text, next.Text)
				}
			}
			if len(next.Was) == 0 {
				t.Fatalf("%q: nobody knows what %q hides", s.Text, next.Text)
			}
			s = next
		}
		for len(s.Was) > 0 {
			tokens, _ := engine.Tokens(v, s.Text)
			before, words := s, v.Words(s.Text, tokens)
			for _, w := range words {
				if next, ok := toggle(s, w, tokens); isMask(tokens[w.First]) && ok {
					s = next
					break
				}
			}
			if s.Text == before.Text {
				return // it touches a mask that somebody wrote
			}
		}
		if masks := strings.Count(first.Text, maskPiece); masks == 0 && s.Text != first.Text {
			t.Fatalf("%q came back as %q", first.Text, s.Text)
		}
	})
}
