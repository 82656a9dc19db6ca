package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestFind: heads are sorted by falling score, each with the address that shows it.
func TestFind(t *testing.T) {
	status, out, errs := viz(t, "find", "--text", "The cat saw the dog.", "-m", "dot-product,random", "--row", "saw",
		"--col", "cat", "--top", "3")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	line := regexp.MustCompile(`^[01]\.\d+ +(dot-product|random), layer [12], head ([1-4]|mean) +/\?.*m=(dot-product|random)&text=The\+cat\+saw\+the\+dog\.$`)
	if status != 0 || len(lines) != 3 {
		t.Fatal(status, out, errs)
	}
	for i, l := range lines {
		if !line.MatchString(l) || i > 0 && l[:5] > lines[i-1][:5] {
			t.Errorf("%d: %s", i, l)
		}
	}
	for want, args := range map[string][]string{
		`pattern “louder”; available: share, previous`: {"--pattern", "louder"},
		"check that the words are in the text":         {"--row", "wolf"},
	} {
		if status, _, errs := viz(t, append([]string{"find", "--text", "The cat saw the dog.", "-m", "dense"},
			args...)...); status != failed || !strings.Contains(errs, want) {
			t.Errorf("%v: %d %s", args, status, errs)
		}
	}
}

// TestFindWithoutAModel: without a model, the command says why it finds nothing.
func TestFindWithoutAModel(t *testing.T) {
	if status, _, errs := viz(t, "find", "--text", "The cat.", "-m", "bert.linear"); status != failed ||
		!strings.Contains(errs, "No trained model") {
		t.Errorf("%d: %s", status, errs)
	}
}

// TestFindInMeasuredMaps: a map that is measured one layer at a time is searched in all layers, and the address shows
// it.
func TestFindInMeasuredMaps(t *testing.T) {
	for _, name := range []string{"influence", "norm", "rollout"} {
		status, out, errs := viz(t, "find", "--text", "The cat saw the dog.", "-m", "dot-product", "--pattern", "previous",
			"--map", name)
		if status != 0 || !strings.Contains(out, "layer 1, head mean") || !strings.Contains(out, "layer 2, head mean") ||
			strings.Count(out, "&show="+name) != 2 {
			t.Errorf("%s: %d\n%s%s", name, status, out, errs)
		}
	}
}
