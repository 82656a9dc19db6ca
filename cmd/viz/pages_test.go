package main

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	response, err := http.Get(address)
	must(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, string(raw)
}

// TestTooLongTextHasAWayOut: the card says what is wrong, and its link leads to
// a page with maps.
func TestTooLongTextHasAWayOut(t *testing.T) {
	server := pages(t).URL
	for _, mask := range []string{"none", "causal"} {
		status, body := fetch(t, server+"/?m=dense&mask="+mask+"&text="+url.QueryEscape(strings.Repeat("the old man and the sea 海 ", 20)))
		if status != 422 || !strings.Contains(body, "Trained for 64 positions; 142 tokens asked.") {
			t.Fatalf("status %d", status)
		}
		link := regexp.MustCompile(`href="([^"]*)"[^>]*>Show the first 64 tokens`).FindStringSubmatch(body)
		if link == nil {
			t.Fatal("the card shows no way out")
		}
		status, body = fetch(t, server+html.UnescapeString(link[1]))
		if status != 200 || strings.Contains(body, "refusal-text") || !strings.Contains(body, ">64 tokens<") {
			t.Errorf("the way out has status %d", status)
		}
	}
}

// TestEveryExampleHasAllItsMaps follows the examples menu.
func TestEveryExampleHasAllItsMaps(t *testing.T) {
	server := pages(t).URL
	_, body := fetch(t, server)
	menu := regexp.MustCompile(`(?s)<details[^>]*class="[^"]*examples.*?</details>`).FindString(body)
	links := regexp.MustCompile(`href="(/[^"]*)"`).FindAllStringSubmatch(menu, -1)
	if len(links) < 10 {
		t.Fatalf("%d examples in %q", len(links), menu)
	}
	for _, link := range links {
		status, body := fetch(t, server+html.UnescapeString(link[1]))
		if status != 200 || strings.Contains(body, "refusal-text") {
			t.Errorf("%s: status %d, or a card without a map", link[1], status)
		}
	}
}
