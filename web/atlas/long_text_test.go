package atlas_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/browsertest"
	"attnatlas/web/webtest"
)

// TestTooLongTextHasAWayOut: the card states the error, and its link leads to a page with maps.
func TestTooLongTextHasAWayOut(t *testing.T) {
	server := browsertest.Server(t).URL
	info, err := engine.New().Info("dense")
	browsertest.Must(t, err)
	n := info.Longest
	for _, mask := range []string{"none", "causal"} {
		status, body := browsertest.Fetch(t, server+"/?m=dense&mask="+mask+"&text="+url.QueryEscape(strings.Repeat("the sea 海 ", n/2)))
		if status != 422 || !strings.Contains(body, fmt.Sprintf("%d tokens, but this model was trained for %d positions.",
			3*(n/2)+2, n)) {
			t.Fatalf("status %d", status)
		}
		link := regexp.MustCompile(fmt.Sprintf(`href="([^"]*)"[^>]*>Show the first %d tokens`, n)).FindStringSubmatch(body)
		if link == nil {
			t.Fatal("the card shows no way out")
		}
		status, body = browsertest.Fetch(t, server+strings.TrimPrefix(html.UnescapeString(link[1]), "."))
		if status != 200 || strings.Contains(body, "refusal-text") || !strings.Contains(body, fmt.Sprintf(">%d tokens<", n)) {
			t.Errorf("the way out has status %d", status)
		}
	}
}

// TestLongTexts: next to a card that cannot read a text, the others state from which token on the text exceeds the
// training texts. If the text is too long for all models, the page shows only links to other states.
func TestLongTexts(t *testing.T) {
	server := browsertest.Server(t).URL
	info, err := engine.New().Info("dot-product")
	browsertest.Must(t, err)
	note := fmt.Sprintf("This model was trained on texts of up to %d tokens; it never saw later positions in training.",
		info.Length)
	for _, tokens := range []int{info.Length, info.Length + 1, info.Longest, info.Longest + 1} {
		text := url.QueryEscape(strings.Repeat("sea ", tokens-2))
		status, body := browsertest.Fetch(t, server+"/?m=dot-product,dense&text="+text)
		_, answer := browsertest.Fetch(t, server+"/api/v1/attend?m=dot-product&map=weights&text="+text)
		read, beyond := tokens <= info.Longest, tokens > info.Length
		if (status == 200) != read || strings.Contains(body, "Show the first ") != beyond {
			t.Errorf("%d tokens: status %d", tokens, status)
		}
		if got := strings.Contains(webtest.Shown(t, body), note); got != (read && beyond) {
			t.Errorf("%d tokens: the card's note is there: %v", tokens, got)
		}
		if got := strings.Contains(answer, note); got != (read && beyond) {
			t.Errorf("%d tokens: the API's note is there: %v", tokens, got)
		}
		if got := strings.Contains(answer, fmt.Sprintf("tokens, limit %d", info.Longest)); got == read {
			t.Errorf("%d tokens: refused: %v", tokens, got)
		}
	}
}
