package main

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/web/explain"
)

// TestExplainCommand: the command has the numbers of the page, and reports errors.
func TestExplainCommand(t *testing.T) {
	status, out, errs := viz(t, "explain", "--text", "The cat sat on the mat.", "-m", "dense", "--head", "2",
		"--cell", "3.5")
	var x explain.Explain
	_, body := fetch(t, pages(t).URL+"/api/v1/explain?m=dense&layer=1&head=2&pin=3.5&text="+
		url.QueryEscape("The cat sat on the mat."))
	must(t, json.Unmarshal([]byte(body), &x))
	if want := strconv.FormatFloat(x.Steps[0].X[0].Values[0], 'g', -1, 64); status != 0 ||
		!strings.HasPrefix(out, "weights (head 2, row “cat”, column “on”)\n") || !strings.Contains(out, "scores: "+want+" ") {
		t.Errorf("%d %s\n%s", status, errs, out)
	}
	for flag, value := range map[string]string{"--cell": "3", "--head": "none", "--map": "thing", "--layer": "9"} {
		if status, out, errs := viz(t, "explain", "--text", "The cat sat.", "-m", "dense", flag, value); status != 1 ||
			out != "" || errs == "" {
			t.Errorf("%s %s: %d %s%s", flag, value, status, out, errs)
		}
	}
	if status, out, _ := viz(t, "explain", "--text", "The cat sat.", "-m", "random"); status != 0 ||
		!strings.Contains(out, "exp(") || !strings.Contains(out, "(layer 1/mixer/R)") {
		t.Errorf("%d %s", status, out)
	}
}

// bodyOf returns a page.
func bodyOf(t *testing.T, path string) string {
	t.Helper()
	_, body := fetch(t, pages(t).URL+path)
	return body
}
