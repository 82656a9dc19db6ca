package main

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"testing"
)

var toNumbers = regexp.MustCompile(`href="([^"]*api/v1/[^"]*)"`)

// TestLinksToNumbers: a page's links to its numbers work, also for a page of the default text, whose address does not
// contain the text.
func TestLinksToNumbers(t *testing.T) {
	server := pages(t).Listener.Addr().String()
	for _, path := range []string{"/", "/m/dense", "/m/encoder-decoder", "/compare", "/explain", "/steps",
		"/steps?m=encoder-decoder", "/hashing", "/pondering", "/reversing", "/reach", "/cost", "/results"} {
		answer, body := asking(t, server, path)
		page, err := url.Parse("http://localhost" + path)
		must(t, err)
		links := toNumbers.FindAllStringSubmatch(string(body), -1)
		if answer.StatusCode != http.StatusOK || len(links) == 0 {
			t.Errorf("%s: %d, no link to numbers", path, answer.StatusCode)
		}
		for _, link := range links {
			to, err := page.Parse(html.UnescapeString(link[1]))
			must(t, err)
			if answer, said := asking(t, server, to.RequestURI()); answer.StatusCode != http.StatusOK {
				t.Errorf("%s leads to %s: %d %.200s", path, to.RequestURI(), answer.StatusCode, said)
			}
		}
	}
}
