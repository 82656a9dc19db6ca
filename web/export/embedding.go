package export

import (
	"embed"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"attnatlas/web/site"
)

// snippets are the code examples for showing our pages in others, as files that a browser test runs. ATLAS
// stands for the URL of this server, and ORIGIN for its origin.
//
//go:embed snippets/*.html
var snippets embed.FS

// serveEmbedding answers GET /embedding.
func (s *pages) serveEmbedding(w http.ResponseWriter, r *http.Request) error {
	l := site.Language(r)
	view := EmbeddingView{Page: s.Head(l, "embedding", l.T("embedding.title"), l.T("embedding.summary"), s.StateOf(r))}
	for _, name := range []string{"frame", "messages", "element", "file"} {
		if name == "element" && s.Published {
			continue // it needs a server for its maps
		}
		code, err := s.snippet(r, name)
		if err != nil {
			return err
		}
		view.Snippets = append(view.Snippets, Snippet{ID: name, Code: code})
	}
	return s.Render(w, r, http.StatusOK, Embedding(view))
}

// snippet returns a snippet for this server.
func (s *pages) snippet(r *http.Request, name string) (string, error) {
	code, err := snippets.ReadFile("snippets/" + name + ".html")
	if err != nil {
		return "", fmt.Errorf("snippet: %w", err)
	}
	origin := url.URL{Scheme: s.SchemeOf(r), Host: r.Host}
	places := []string{"ATLAS", s.Rooted(r, ""), "ORIGIN", origin.String()}
	for _, file := range s.Figures { // a published site has saved files
		if path.Base(file) == "dense.json" {
			places = append(places, "attention-map.js", s.Rooted(r, site.ElementPath), "dense.json", s.Rooted(r, "/"+file))
		}
	}
	return strings.NewReplacer(places...).Replace(string(code)), nil
}
