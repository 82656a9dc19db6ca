package main

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/web/explain"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
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
	if page := shownOf(t, bodyOf(t, "/explain?m=random&pin=2.3")); !strings.Contains(page,
		"This is a number of layer 1/mixer/R, which is stored with the model") {
		t.Error("the page does not say that a learned number is a parameter")
	}
	if page := bodyOf(t, "/explain?m=bigbird&pin=8.6"); !strings.Contains(page, "row “because”, column “the”") {
		t.Error("the page does not say which number of BigBird's it is")
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

// shownOf returns the text of a page without elements, because words of the glossary are links.
func shownOf(t *testing.T, page string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	must(t, err)
	return webtest.TextOf(doc)
}
