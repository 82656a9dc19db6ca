package atlas_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"attnatlas/web/atlas"
	"attnatlas/web/browsertest"
	"attnatlas/web/site"
)

var toNumbers = regexp.MustCompile(`href="([^"]*(?:api/v1/|\.json)[^"]*)"`)

// TestLinksToNumbers: every page with numbers in the API links to them. The links work, also on a page of the default
// text, whose address does not contain the text.
func TestLinksToNumbers(t *testing.T) {
	server := browsertest.Server(t).URL
	all, err := atlas.New(nil, site.Options{})
	browsertest.Must(t, err)
	paths := []string{"/m/encoder-decoder", "/steps?m=encoder-decoder"}
	for _, p := range all.Pages() {
		if p.Path != "" && p.Data != nil && p.Data.API {
			paths = append(paths, p.Paths()[0])
		}
	}
	for _, path := range paths {
		status, body := browsertest.Fetch(t, server+path)
		page, err := url.Parse(server + path)
		browsertest.Must(t, err)
		links := toNumbers.FindAllStringSubmatch(body, -1)
		if status != http.StatusOK || len(links) == 0 {
			t.Errorf("%s: %d, no link to numbers", path, status)
		}
		for _, link := range links {
			to, err := page.Parse(html.UnescapeString(link[1]))
			browsertest.Must(t, err)
			if status, said := browsertest.Fetch(t, to.String()); status != http.StatusOK {
				t.Errorf("%s leads to %s: %d %.200s", path, to.RequestURI(), status, said)
			}
		}
	}
}
