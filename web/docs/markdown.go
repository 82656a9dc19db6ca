//go:build !js

package docs

import (
	"bytes"
	"encoding/json"
	"html"
	"path"
	"strings"
	"sync"

	"attnatlas/docs"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// rendered renders every document once per process.
var rendered = sync.OnceValue(func() []document {
	all := make([]document, len(order))
	for i, name := range order {
		source, err := docs.Files.ReadFile(name + ".md")
		if err != nil {
			panic(err) // the program carries its documents
		}
		all[i] = render(strings.ToLower(name), source)
	}
	return all
})

func documents() ([]document, error) { return rendered(), nil }

// Packed returns the documents in the form in which the program for browsers fetches them.
func Packed() ([]byte, error) { return json.Marshal(rendered()) }

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// render converts a document to HTML. Links to other documents lead to their pages. The program does not serve files of
// the source, so links to them become plain text. Pictures show pages of the program itself and are left out.
func render(id string, source []byte) document {
	d := document{ID: id}
	root := markdown.Parser().Parse(text.NewReader(source))
	d.Title = take(root, source)
	if p := root.FirstChild(); p != nil {
		d.Summary = plain(p, source)
	}
	var links []*ast.Link
	var pictures []*ast.Image
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			links = append(links, l)
		}
		if p, ok := n.(*ast.Image); ok && entering {
			pictures = append(pictures, p)
		}
		return ast.WalkContinue, nil
	})
	for _, l := range links {
		relink(l)
	}
	for _, p := range pictures {
		root.RemoveChild(root, p.Parent()) // a picture is a paragraph of its own
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, root); err != nil {
		panic(err) // a buffer takes everything
	}
	region := `<div class="scroll" role="group" tabindex="0" aria-label="` + html.EscapeString(d.Title) + `"><table>`
	d.Body = strings.NewReplacer("<table>", region, "</table>", "</table></div>").Replace(out.String())
	return d
}

// take removes the title, the first heading, and returns its text.
func take(root ast.Node, source []byte) string {
	heading := root.FirstChild()
	root.RemoveChild(root, heading)
	return plain(heading, source)
}

// plain returns the text of a block without marks, on one line.
func plain(block ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Value(source))
			if t.SoftLineBreak() {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// relink makes a link to a document lead to its page, and replaces a link to a file by its words.
func relink(l *ast.Link) {
	target, fragment, _ := strings.Cut(string(l.Destination), "#")
	switch {
	case target == "" || strings.Contains(target, "://"):
	case path.Ext(target) == ".md" && path.Dir(target) == ".":
		page := strings.ToLower(strings.TrimSuffix(target, ".md"))
		if fragment != "" {
			page += "#" + fragment
		}
		l.Destination = []byte(page)
	default:
		for l.HasChildren() {
			l.Parent().InsertBefore(l.Parent(), l, l.FirstChild())
		}
		l.Parent().RemoveChild(l.Parent(), l)
	}
}
