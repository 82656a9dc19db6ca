package mechanism_test

import (
	"fmt"
	"html"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/figure"
	"attnatlas/web/browsertest"
)

var (
	figurePattern = regexp.MustCompile(`(?s)<figure class="view view-([a-z]+).*?</figure>`)
	sourcePattern = regexp.MustCompile(`(?:href|src|srcset)="\.\.?(/export/[^"?]*\.a?png[^"]*)"`)
)

// TestEveryViewIsOnItsPage: the first HTML of a mechanism's page has all its maps, and all linked pictures and
// figures exist.
func TestEveryViewIsOnItsPage(t *testing.T) {
	server := browsertest.Untrained(t).URL
	for _, text := range []string{"a", "The cat sat on the mat"} {
		for _, entry := range attention.Catalog {
			status, body := browsertest.Fetch(t, server+"/m/"+entry.ID+"?theme=light&text="+url.QueryEscape(text))
			if status != http.StatusOK {
				t.Fatalf("%s: status %d", entry.ID, status)
			}
			for _, v := range entry.Views {
				if !strings.Contains(body, fmt.Sprintf(`data-map=%q`, html.EscapeString(v.Map))) {
					t.Errorf("%s, %q: the page does not show %s", entry.ID, text, v.Map)
				}
			}
			for _, f := range figurePattern.FindAllStringSubmatch(body, -1) {
				if f[1] == figure.Wiring.String() && strings.Count(f[0], "<path") == 0 {
					t.Errorf("%s: a wiring without wires", entry.ID)
				}
			}
			for _, link := range sourcePattern.FindAllStringSubmatch(body, -1) {
				status, picture := browsertest.Fetch(t, server+html.UnescapeString(link[1]))
				if _, err := png.DecodeConfig(strings.NewReader(picture)); status != http.StatusOK || err != nil {
					t.Errorf("%s: %s has status %d: %v", entry.ID, link[1], status, err)
				}
			}
		}
	}
}

// TestEveryStackIsOnTheWall: the first HTML has the maps of the layers and of the architecture, and all linked
// pictures and figures exist.
func TestEveryStackIsOnTheWall(t *testing.T) {
	server := browsertest.ServeStacks(t)
	for _, id := range browsertest.StackIDs() {
		entry, stack, _ := engine.Find(id)
		for _, page := range []string{"/?theme=light&layer=2&m=" + id, "/m/" + id + "?theme=light"} {
			if strings.HasPrefix(page, "/m/") && stack.New == nil {
				continue // models that write have another kind of page
			}
			status, body := browsertest.Fetch(t, server+page+"&text="+url.QueryEscape("The cat sat"))
			if status != http.StatusOK || !strings.Contains(body, html.EscapeString(stack.Name.String())) {
				t.Fatalf("%s: status %d", page, status)
			}
			names := []string{}
			for _, v := range entry.Views {
				names = append(names, v.Map)
			}
			for _, v := range stack.Views {
				if v.Map != "pooling" { // these models do not have it
					names = append(names, v.Map)
				}
			}
			if strings.HasPrefix(page, "/?") {
				names = names[:1] // the other maps of a card are folded
			}
			for _, name := range names {
				if !strings.Contains(body, fmt.Sprintf(`data-map=%q`, html.EscapeString(name))) {
					t.Errorf("%s does not show %s", page, name)
				}
			}
			for _, link := range sourcePattern.FindAllStringSubmatch(body, -1) {
				status, picture := browsertest.Fetch(t, server+html.UnescapeString(link[1]))
				if _, err := png.DecodeConfig(strings.NewReader(picture)); status != http.StatusOK || err != nil {
					t.Errorf("%s: %s has status %d: %v", page, link[1], status, err)
				}
			}
		}
	}
}
