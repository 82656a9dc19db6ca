package docs

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/docs"
)

// TestEveryDocumentIsServed: every file of the folder has a page.
func TestEveryDocumentIsServed(t *testing.T) {
	found, err := fs.Glob(docs.Files, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, name := range order {
		listed = append(listed, name+".md")
	}
	if slices.Sort(listed); !slices.Equal(found, listed) {
		t.Errorf("the folder has %v, the pages are of %v", found, listed)
	}
}

// TestLinksOfDocuments: a link leads to an existing document and heading.
func TestLinksOfDocuments(t *testing.T) {
	bodies := map[string]string{}
	for _, d := range rendered() {
		bodies[d.ID] = d.Body
		if d.Title == "" || d.Summary == "" {
			t.Errorf("%s has the title %q and the summary %q", d.ID, d.Title, d.Summary)
		}
	}
	links := 0
	for id, body := range bodies {
		for _, m := range regexp.MustCompile(`<a href="([^"#]*)#?([^"]*)"`).FindAllStringSubmatch(body, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			if m[1] == "" {
				m[1] = id
			}
			if there, ok := bodies[m[1]]; !ok || m[2] != "" && !strings.Contains(there, `id="`+m[2]+`"`) {
				t.Errorf("%s links to %s#%s, which does not exist", id, m[1], m[2])
			}
		}
	}
	if links < 5 {
		t.Errorf("only %d links were found", links)
	}
}

// TestRender: tables can be scrolled by keyboard, links to source files become plain text, and pictures are left
// out. Markup in the text is escaped.
func TestRender(t *testing.T) {
	d := render("x", []byte("# A *title*\n\nFirst\nline.\n\n[a](guide.md#b) [code](../engine/x.go) <script>\n\n![p](x.png)\n\n| a |\n|---|\n| b |\n"))
	if d.Title != "A title" || d.Summary != "First line." {
		t.Errorf("title %q, summary %q", d.Title, d.Summary)
	}
	for _, want := range []string{`<a href="guide#b">a</a> code`, `tabindex="0" aria-label="A title"><table>`} {
		if !strings.Contains(d.Body, want) {
			t.Errorf("no %q in\n%s", want, d.Body)
		}
	}
	for _, never := range []string{"<script", "<img", "<p></p>"} {
		if strings.Contains(d.Body, never) {
			t.Errorf("%s in\n%s", never, d.Body)
		}
	}
}
