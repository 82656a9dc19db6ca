package atlas_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"attnatlas/web/browsertest"
)

var toNumbers = regexp.MustCompile(`href="([^"]*api/v1/[^"]*)"`)

// TestLinksToNumbers: a page's links to its numbers work, also for a page of the default text, whose address does not
// contain the text.
func TestLinksToNumbers(t *testing.T) {
	server := browsertest.Server(t).URL
	for _, path := range []string{"/", "/m/dense", "/m/encoder-decoder", "/compare", "/explain", "/steps",
		"/steps?m=encoder-decoder", "/hashing", "/pondering", "/reversing", "/reach", "/cost", "/results"} {
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
