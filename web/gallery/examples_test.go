package gallery_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
)

// TestEveryExampleHasAllItsMaps follows the examples menu.
func TestEveryExampleHasAllItsMaps(t *testing.T) {
	server := browsertest.Server(t).URL
	_, body := browsertest.Fetch(t, server)
	menu := regexp.MustCompile(`(?s)<details[^>]*class="[^"]*examples.*?</details>`).FindString(body)
	links := regexp.MustCompile(`href="\.(/[^"]*)"`).FindAllStringSubmatch(menu, -1)
	if len(links) < 10 {
		t.Fatalf("%d examples in %q", len(links), menu)
	}
	for _, link := range links {
		status, body := browsertest.Fetch(t, server+strings.TrimPrefix(html.UnescapeString(link[1]), "."))
		if status != 200 || strings.Contains(body, "refusal-text") {
			t.Errorf("%s: status %d, or a card without a map", link[1], status)
		}
	}
}
