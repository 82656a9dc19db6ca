package main

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/unroll"
)

// twenty is a text of twenty tokens, including [CLS] and [SEP], one of them masked.
const twenty = "The cat sat on the [MASK] because it was tired, and the old dog saw it."

// TestStepsCommand: the command lists the steps of the page in their order, with the prediction, gives all numbers as
// data, and reports errors.
func TestStepsCommand(t *testing.T) {
	status, out, errs := viz(t, "steps", "--text", twenty, "-m", "dense", "--layer", "2")
	page := bodyOf(t, "/steps?m=dense&layer=2&text="+url.QueryEscape(twenty))
	at := 0
	for _, part := range strings.Split(page, `data-key="`)[1:] {
		key, _, _ := strings.Cut(part, `"`)
		next := strings.Index(out[at:], "  "+key+" [")
		if next < 0 {
			t.Fatalf("%s is missing, or too early:\n%s%s", key, out, errs)
		}
		at += next
	}
	if status != 0 || !strings.Contains(out, "S = h") || !strings.Contains(out, " · ") {
		t.Errorf("%d %s", status, out)
	}
	var data unroll.Steps
	status, out, _ = viz(t, "steps", "--text", "The cat.", "-m", "gpt2", "--word", "2", "--json")
	must(t, json.Unmarshal([]byte(out), &data))
	if status != 0 || !data.Next || data.Word != 2 || len(data.Steps) < 15 {
		t.Errorf("%d %+v", status, data)
	}
	for flag, value := range map[string]string{"--word": "99", "--layer": "9", "--mask": "sideways", "--cut": "thing"} {
		if status, out, errs := viz(t, "steps", "--text", "The cat.", "-m", "dense", flag, value); status != 1 || out != "" ||
			errs == "" {
			t.Errorf("%s %s: %d %s%s", flag, value, status, out, errs)
		}
	}
}
