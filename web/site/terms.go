package site

import (
	"html"
	"io"
	"slices"
	"strings"
	"sync"

	"attnatlas/engine/messages"
)

// glossary finds the terms of a language's glossary in texts.
type glossary struct {
	forms [256][]string            // in lower case, by their first byte, the longest first
	terms map[string]messages.Term // by their forms in lower case
}

var (
	glossaries sync.Map // by language
	// paragraphs are the elements whose terms become links, if they have no attributes or a class of prose. Items count
	// only in lists without attributes: other lists are controls or parts of drawings.
	paragraphs = setOf("p", "li", "dd")
	prose      = setOf("lead", "truth", "through-lead", "desk-lead", "desk-definition", "note", "race-note",
		"found", "write-lead", "write-note", "compared-help", "filter-note", "gallery-says", "directory-lead",
		"failure-detail")
	// closed are the elements that get no links: they cannot hold any, or hold more than text.
	closed = setOf("a", "button", "summary", "label", "select", "dialog", "template", "details", "svg", "math", "code",
		"script", "style")
)

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

func glossaryOf(l *messages.Language) *glossary {
	if known, ok := glossaries.Load(l); ok {
		return known.(*glossary)
	}
	g := &glossary{terms: map[string]messages.Term{}}
	for _, t := range l.Terms() {
		for _, form := range t.Forms {
			form = strings.ToLower(form)
			g.terms[form] = t
			g.forms[form[0]] = append(g.forms[form[0]], form)
		}
	}
	for _, forms := range g.forms {
		slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	}
	glossaries.Store(l, g)
	return g
}

// tag is a tag of a page. A comment is a tag without a name.
type tag struct {
	start, end       int // its position in the page
	leaves           bool
	name, attributes string
}

// nextTag finds the next tag of a page after a position. For a page of 140 KB, a regular expression took longer than
// everything else that is computed for it.
func nextTag(page string, from int) (tag, bool) {
	for {
		i := strings.IndexByte(page[from:], '<')
		if i < 0 {
			return tag{}, false
		}
		t := tag{start: from + i}
		from = t.start + 1
		if strings.HasPrefix(page[from:], "!--") {
			if n := strings.Index(page[from+3:], "-->"); n >= 0 {
				t.end = from + 3 + n + 3
				return t, true
			}
			continue
		}
		n := strings.IndexByte(page[from:], '>')
		if n < 0 {
			return tag{}, false
		}
		inside, leaves := strings.CutPrefix(page[from:from+n], "/")
		t.end, t.leaves = from+n+1, leaves
		t.name = inside[:nameBytes(inside)]
		if t.name != "" && 'a' <= t.name[0] && t.name[0] <= 'z' {
			t.attributes = inside[len(t.name):]
			return t, true
		}
	}
}

// nameBytes returns the length of the tag name at the beginning of a text.
func nameBytes(text string) int {
	n := 0
	for n < len(text) && ('a' <= text[n] && text[n] <= 'z' || '0' <= text[n] && text[n] <= '9' || text[n] == '-') {
		n++
	}
	return n
}

// isProse reports whether terms become links in a paragraph that begins with this tag.
func (t tag) isProse() bool {
	class, ok := strings.CutPrefix(t.attributes, ` class="`)
	class, _, _ = strings.Cut(class, `"`)
	return !t.leaves && (t.attributes == "" || ok && prose[class])
}

// linkTerms copies a page and turns the first occurrence of each term in its prose into a link to the glossary, with
// the definition. The page is as templ writes it: well formed, with names in lower case. The glossary is at the
// address to.
func linkTerms(w io.StringWriter, l *messages.Language, page, to string) error {
	links, at := linker{glossary: glossaryOf(l), page: page, to: to, done: map[string]bool{}}, 0
	if start, end := strings.Index(page, "<main"), strings.LastIndex(page, "</main>"); 0 <= start && start < end {
		links.find(start, end)
	}
	for _, link := range links.found {
		if _, err := w.WriteString(page[at:link.start] + link.html); err != nil {
			return err
		}
		at = link.end
	}
	_, err := w.WriteString(page[at:])
	return err
}

// termLink is a link that replaces a part of a page.
type termLink struct {
	start, end int
	html       string
}

// linker finds the terms of a page that become links.
type linker struct {
	*glossary
	page, to string
	done     map[string]bool // the ids of terms that are linked already
	found    []termLink
}

// find looks for terms in the prose of a part of the page.
func (k *linker) find(start, end int) {
	depth, open, plain, at := 0, false, false, start
	for {
		t, ok := nextTag(k.page[:end], at)
		if !ok {
			return
		}
		if open && depth == 0 {
			k.link(at, t.start)
		}
		at = t.end
		switch {
		case t.name == "ul" || t.name == "ol":
			plain = !t.leaves && t.attributes == ""
		case paragraphs[t.name]:
			open = t.isProse() && (t.name != "li" || plain)
		case !closed[t.name] || strings.HasSuffix(t.attributes, "/"):
		case t.leaves:
			depth--
		default:
			depth++
		}
	}
}

// link turns the terms of a text that are not linked yet into links.
func (k *linker) link(start, end int) {
	text := k.page[start:end]
	for at := 0; at < len(text); at++ {
		form := k.at(text, at)
		if form == "" {
			continue
		}
		if t := k.terms[strings.ToLower(form)]; !k.done[t.ID] {
			k.done[t.ID] = true
			k.found = append(k.found, termLink{start + at, start + at + len(form),
				`<a class="term" href="` + html.EscapeString(k.to+"#"+t.ID) + `" data-says="` + html.EscapeString(t.Says) + `">` +
					form + `</a>`})
		}
		at += len(form) - 1
	}
}

// at returns the longest form of a term that begins at a position of a text and is a whole word.
func (g *glossary) at(text string, at int) string {
	if at > 0 && inWord(text, at-1) == inWord(text, at) || isName(text, at) {
		return ""
	}
	first := text[at]
	if 'A' <= first && first <= 'Z' {
		first += 'a' - 'A'
	}
	for _, form := range g.forms[first] {
		end := at + len(form)
		if end <= len(text) && inWord(text, end-1) != inWord(text, end) && strings.EqualFold(text[at:end], form) {
			return text[at:end]
		}
	}
	return ""
}

// isName reports whether a capitalised word follows another one, as in “Universal Transformer”, which does not mean
// transformers in general.
func isName(text string, at int) bool {
	before := strings.TrimSuffix(text[:at], " ")
	if len(before) == at || !capitalised(text[at:]) {
		return false
	}
	return capitalised(before[strings.LastIndexByte(before, ' ')+1:])
}

// capitalised reports whether a text begins with a capital letter and a small one.
func capitalised(text string) bool {
	return len(text) > 1 && 'A' <= text[0] && text[0] <= 'Z' && 'a' <= text[1] && text[1] <= 'z'
}

// inWord reports whether a letter or digit of ASCII is at a position of a text.
func inWord(text string, at int) bool {
	if at >= len(text) {
		return false
	}
	c := text[at]
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}
