package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestFilterOnTheCommandLine: excluded cells are not among the strongest, and the figure has the cells of the page's
// figure.
func TestFilterOnTheCommandLine(t *testing.T) {
	args := []string{"attend", "-t", "The cat sat.", "-m", "dense", "--map", "weights", "--layer", "1"}
	_, all, _ := viz(t, args...)
	_, out, errs := viz(t, append(args, "--sinks", "aside", "--top", "1")...)
	if !strings.Contains(all, " [CLS] 0.") || strings.Contains(out, " [CLS] 0.") ||
		!regexp.MustCompile(`sat attends to +\. 0\.\d+\n`).MatchString(out) {
		t.Errorf("%s%s%s", all, out, errs)
	}
	if status, _, errs := viz(t, append(args, "--mass", "2")...); status == 0 ||
		!strings.Contains(errs, "must be a number between 0 and 1") {
		t.Errorf("a share of 2: %d %s", status, errs)
	}
}
