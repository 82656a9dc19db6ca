package site

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"

	"attnatlas/engine/messages"
)

// glossary finds the terms of a language's glossary in texts.
type glossary struct {
	forms *regexp.Regexp
	terms map[string]messages.Term // by their forms in lower case
}

var (
	glossaries sync.Map // of languages
	markup     = regexp.MustCompile(`(?s)<!--.*?-->|<(/?)([a-z][a-z0-9-]*)([^>]*)>`)
	// prose are the classes of paragraphs in which terms are links.
	prose = regexp.MustCompile(`^( class="(lead|truth|through-lead|desk-lead|desk-definition|note|race-note)")?$`)
	// closed are the elements in which there are no links, or which are more than text.
	closed = regexp.MustCompile(`^(a|button|summary|label|select|dialog|template|details|svg|math|code|script|style)$`)
)

func glossaryOf(l *messages.Language) *glossary {
	if known, ok := glossaries.Load(l); ok {
		return known.(*glossary)
	}
	g := &glossary{terms: map[string]messages.Term{}}
	var forms []string
	for _, t := range l.Terms() {
		for _, form := range t.Forms {
			g.terms[strings.ToLower(form)] = t
			forms = append(forms, regexp.QuoteMeta(form))
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) }) // the longest is found first
	g.forms = regexp.MustCompile(`(?i)(?:\b|^)(?:` + strings.Join(forms, "|") + `)\b`)
	glossaries.Store(l, g)
	return g
}

// linkTerms makes links to the glossary, with definitions, of the first occurrence of each term in the prose of a page.
// The page is as templ writes it: well formed, with names in lower case. Its address begins with to.
func linkTerms(l *messages.Language, page, to string) string {
	start, end := strings.Index(page, "<main"), strings.LastIndex(page, "</main>")
	if start < 0 || end < start {
		return page
	}
	g, done := glossaryOf(l), map[string]bool{}
	var b strings.Builder
	b.Grow(len(page) + len(page)/8)
	b.WriteString(page[:start])
	depth, open, at := 0, false, start
	for {
		m := markup.FindStringSubmatchIndex(page[at:end])
		if m == nil {
			break
		}
		rest := page[at:]
		text := rest[:m[0]]
		if open && depth == 0 {
			text = g.link(text, to, done)
		}
		b.WriteString(text)
		b.WriteString(rest[m[0]:m[1]])
		at += m[1]
		if m[4] < 0 {
			continue
		}
		leaves, name, attributes := m[3] > m[2], rest[m[4]:m[5]], rest[m[6]:m[7]]
		switch {
		case name == "p":
			open = !leaves && prose.MatchString(attributes)
		case !closed.MatchString(name) || strings.HasSuffix(attributes, "/"):
		case leaves:
			depth--
		default:
			depth++
		}
	}
	b.WriteString(page[at:])
	return b.String()
}

// link makes links of the terms in a text that are not done yet.
func (g *glossary) link(text, to string, done map[string]bool) string {
	return g.forms.ReplaceAllStringFunc(text, func(form string) string {
		t, ok := g.terms[strings.ToLower(form)]
		if !ok || done[t.ID] {
			return form
		}
		done[t.ID] = true
		return `<a class="term" href="` + html.EscapeString(to+"#"+t.ID) + `" data-says="` + html.EscapeString(t.Says) + `">` + form + `</a>`
	})
}
