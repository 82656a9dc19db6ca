package corpora

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// passage and longest are numbers of words. A passage ends with the paragraph that reaches the
// first number. A paragraph longer than the second is cut at the ends of sentences.
const (
	passage = 80
	longest = 150
)

// frame lists the files of an ebook that are not stories.
var frame = strings.Fields("titlepage imprint dedication preface foreword introduction epigraph halftitlepage endnotes colophon uncopyright toc loi")

// stories returns passages of consecutive paragraphs, split by story.
func (o Options) stories() (files, error) {
	names, err := fs.Glob(o.From, "standardebooks/*/src/epub/text/*.xhtml")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &fs.PathError{Op: "open", Path: "standardebooks", Err: fs.ErrNotExist}
	}
	made, seen := files{}, map[string]bool{}
	for _, name := range names {
		story := strings.TrimSuffix(path.Base(name), ".xhtml")
		if slices.Contains(frame, story) {
			continue
		}
		text, err := o.read(name)
		if err != nil {
			return nil, err
		}
		doc, err := html.Parse(bytes.NewReader(text))
		if err != nil {
			return nil, wrong(name, err.Error())
		}
		file := Split(story, 3) + ".txt"
		for _, p := range passages(o.paragraphs(doc)) {
			if key := letters(p); !seen[key] {
				seen[key] = true
				made[file] = append(made[file], p)
			}
		}
	}
	return shuffled(made), nil
}

// paragraphs returns the paragraphs of a document, without notes, tables and headings.
func (o Options) paragraphs(doc *html.Node) []string {
	var all []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "p" || inside(n, "header", "table", "section/endnotes") {
			continue
		}
		var text strings.Builder
		for t := range n.Descendants() {
			if t.Type == html.TextNode && !inside(t, "a/noteref", "table") {
				text.WriteString(t.Data)
			}
		}
		line := straight(strings.ReplaceAll(text.String(), "—", " — "))
		if line != "" && o.decent(line) {
			all = append(all, line)
		}
	}
	return all
}

// inside reports whether a node is within one of the elements. "a/noteref" means an element a with
// the epub:type noteref.
func inside(n *html.Node, elements ...string) bool {
	for a := range n.Ancestors() {
		for _, e := range elements {
			tag, kind, _ := strings.Cut(e, "/")
			if a.Data == tag && (kind == "" || slices.ContainsFunc(a.Attr, func(at html.Attribute) bool {
				return at.Key == "epub:type" && slices.Contains(strings.Fields(at.Val), kind)
			})) {
				return true
			}
		}
	}
	return false
}

// passages joins paragraphs until they have enough words.
func passages(paragraphs []string) []string {
	var all []string
	var open []string
	words := 0
	for _, p := range paragraphs {
		for _, piece := range pieces(p) {
			open, words = append(open, piece), words+len(strings.Fields(piece))
			if words >= passage {
				all, open, words = append(all, strings.Join(open, " ")), nil, 0
			}
		}
	}
	if words >= passage/2 {
		all = append(all, strings.Join(open, " "))
	}
	return all
}

// pieces cuts a long paragraph after sentences.
func pieces(paragraph string) []string {
	words := strings.Fields(paragraph)
	if len(words) <= longest {
		return []string{paragraph}
	}
	var all []string
	from := 0
	for i, w := range words {
		if bare := strings.TrimRight(w, `"')`); i+1-from >= passage && bare != "" &&
			strings.ContainsRune(".!?", rune(bare[len(bare)-1])) {
			all, from = append(all, strings.Join(words[from:i+1], " ")), i+1
		}
	}
	if from < len(words) {
		all = append(all, strings.Join(words[from:], " "))
	}
	return all
}
