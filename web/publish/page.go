package publish

import (
	"bytes"
	"context"
	_ "embed" // the page for what is not there
	"encoding/base64"
	"net/http"
	"path"
	"strings"

	"attnatlas/engine/messages"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// embedPath is the page for frames.
const embedPath = "/embed"

// page returns the file of a page: the handler's answer with its pictures, and boot.js instead of the scripts, for
// which there is no server yet. The file lies in a folder with the page's name, which its <base> compensates.
func (o Options) page(ctx context.Context, at string) ([]byte, error) {
	query := ""
	if at == "/" {
		query = o.Query
	}
	body, err := o.get(ctx, at, query)
	if err != nil {
		return nil, err
	}
	document, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	var head, content *html.Node
	var remove []*html.Node
	for n := range document.Descendants() {
		switch {
		case n.DataAtom == atom.Script, n.DataAtom == atom.Base, n.DataAtom == atom.Link &&
			strings.HasSuffix(attribute(n, "type"), "+oembed"):
			remove = append(remove, n)
		case n.DataAtom == atom.Img:
			if err := o.inline(ctx, n, at); err != nil {
				return nil, err
			}
		case n.DataAtom == atom.Head:
			head = n
		case n.DataAtom == atom.Body:
			content = n
		}
	}
	for _, n := range remove {
		n.Parent.RemoveChild(n)
	}
	if at != "/" {
		head.InsertBefore(element("base", "href", "../"+path.Base(at)), head.FirstChild)
	}
	if at == embedPath {
		content.InsertBefore(unscripted(), content.FirstChild)
	}
	for _, part := range o.booting(at, query) {
		content.InsertBefore(part, content.FirstChild)
	}
	var out bytes.Buffer
	err = html.Render(&out, document)
	return out.Bytes(), err
}

// booting returns the elements that show the progress of the engine, the last one first.
func (o Options) booting(at, query string) []*html.Node {
	up := strings.Repeat("../", max(0, strings.Count(at, "/")-1))
	script := element("script", "src", up+"boot.js", "defer", "", "data-query", query)
	speak(script)
	return []*html.Node{script, element("p", "id", "atlas-state", "class", "atlas-state", "role", "status", "hidden", "")}
}

// unscripted returns the message of a frame without scripts: its file has the maps of one text only.
func unscripted() *html.Node {
	n, says := element("noscript"), element("p", "class", "atlas-state")
	style := element("style")
	style.AppendChild(&html.Node{Type: html.TextNode, Data: "main{display:none}"})
	says.AppendChild(&html.Node{Type: html.TextNode, Data: messages.English.T("publish.unscripted")})
	n.AppendChild(style)
	n.AppendChild(says)
	return n
}

// speak adds the messages of boot.js to an element.
func speak(n *html.Node) {
	for _, word := range []string{"loading", "computing", "failed", "unshown", "alone", "file", "open", "absent"} {
		n.Attr = append(n.Attr, html.Attribute{Key: "data-" + word, Val: messages.English.T("publish." + word)})
	}
}

//go:embed missing.html
var missingPage string

// missing returns the page that hosts send for addresses without a file, such as exports. It starts the engine, which
// can answer them, and finds out where the folder is.
func missing() []byte {
	words := element("p", "id", "atlas-state", "class", "atlas-state", "role", "status")
	speak(words)
	var b bytes.Buffer
	_ = html.Render(&b, words) // to memory
	return []byte(strings.NewReplacer("{words}", b.String(), "{title}",
		messages.English.T("publish.title")).Replace(missingPage))
}

// inline puts a picture of the handler into the page.
func (o Options) inline(ctx context.Context, img *html.Node, at string) error {
	for i, a := range img.Attr {
		if a.Key != "src" {
			continue
		}
		from, query, _ := strings.Cut(a.Val, "?")
		from = path.Join(path.Dir(at), from)
		if !strings.HasPrefix(from, "/export/") {
			return nil
		}
		data, err := o.get(ctx, from, query)
		if err != nil {
			return err
		}
		img.Attr[i].Val = "data:" + http.DetectContentType(data) + ";base64," + base64.StdEncoding.EncodeToString(data)
	}
	return nil
}

func element(name string, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	for i := 0; i < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	return n
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// get returns the handler's answer.
func (o Options) get(ctx context.Context, at, query string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+at+"?"+query, nil)
	if err != nil {
		return nil, err
	}
	w := &answer{header: http.Header{}}
	o.Handler.ServeHTTP(w, r)
	if w.status >= http.StatusMultipleChoices {
		return nil, unanswered{messages.Errorf("publish.page", "page", at, "status", w.status)}
	}
	return w.Bytes(), nil
}

// unanswered returns the error of a page that the handler rejects.
type unanswered struct{ error }

// answer keeps a response in memory.
type answer struct {
	bytes.Buffer
	header http.Header
	status int
}

// Header returns the header of the answer.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader keeps the status of the answer; only the first call counts.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}
