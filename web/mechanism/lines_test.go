package mechanism_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/browsertest"
)

// TestLinesLeadToSteps: the lines of a mechanism's file link to existing steps, these link back to the lines, and the
// mechanism's page shows the same lines.
func TestLinesLeadToSteps(t *testing.T) {
	link := regexp.MustCompile(`href="[^"]*steps\?[^"]*map=([^"&#]+)[^"]*#step-`)
	for _, id := range browsertest.ShippedMechanisms() {
		file, page := browsertest.Body(t, "/m/"+id+"/source"), browsertest.Body(t, "/m/"+id)
		links := link.FindAllStringSubmatch(file, -1)
		if entry, _, _ := engine.Find(id); len(links) == 0 &&
			strings.Contains(entry.Source.Text, ") Mix(p *nn.Pass") { // some mix like another mechanism
			t.Errorf("%s: no line of %s leads to a step", id, entry.Source.Path)
		}
		var steps struct{ Steps []struct{ Key string } }
		if err := json.Unmarshal([]byte(browsertest.Body(t, "/api/v1/steps?text=The+old+cat+sat.&m="+id)), &steps); err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, s := range steps.Steps {
			known[s.Key] = true
		}
		for _, l := range links {
			key, err := url.QueryUnescape(l[1])
			if err != nil || !known[key] {
				t.Errorf("%s leads to %q (%v), which is no step", id, key, err)
			}
			if !strings.Contains(page, "map="+l[1]) {
				t.Errorf("the page of %s does not lead to %s", id, key)
			}
		}
	}
	back := regexp.MustCompile(`href="[^"]*m/dense/source[^"]*#line-(\d+)"[^>]*>dense.go:(\d+)<`).FindStringSubmatch(browsertest.Body(t, "/steps?m=dense&map=weights"))
	if back == nil || back[1] != back[2] || !strings.Contains(browsertest.Body(t, "/m/dense/source"), `id="line-`+back[1]+
		`" class="computes"`) {
		t.Errorf("a step leads to %v", back)
	}
}
