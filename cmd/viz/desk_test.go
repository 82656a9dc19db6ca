package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/desk"
)

// deskData returns the numbers of the playground.
func deskData(t *testing.T, query string) (d desk.Desk) {
	t.Helper()
	status, body := fetch(t, pages(t).URL+"/desk.json?"+query)
	if status != 200 {
		t.Fatalf("%s: %d %.300s", query, status, body)
	}
	must(t, json.Unmarshal([]byte(body), &d))
	return d
}

// TestDeskCommand: the command has the numbers of the page, and reports errors.
func TestDeskCommand(t *testing.T) {
	const text = "The cat sat on the mat."
	d := deskData(t, "m=mixture-rv&share.1.random=0.3&text="+url.QueryEscape(text))
	status, out, errs := viz(t, "desk", "--text", text, "-m", "mixture-rv", "--share", "1.random=0.3")
	for _, want := range []string{fmt.Sprintf("learned %.3f, now %.3f", d.Learned.Loss, d.Changed.Loss),
		"layer 1, random: ", "now 0.300\n", "mat "} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%d, no %q in:\n%s%s", status, want, out, errs)
		}
	}
	status, out, _ = viz(t, "desk", "--text", text, "-m", "random", "--rank", "2", "--layer", "2")
	if status != 0 || !strings.Contains(out, "singular values of layer 2") {
		t.Errorf("%d %s", status, out)
	}
	status, out, _ = viz(t, "desk", "--text", text, "-m", "linear")
	if status != 0 || !strings.Contains(out, "32 × 32") {
		t.Errorf("%d %s", status, out)
	}
	var data desk.Desk
	status, out, _ = viz(t, "desk", "--text", text, "-m", "random", "--rank", "2", "--json")
	must(t, json.Unmarshal([]byte(out), &data))
	if status != 0 || data.Rank != 2 {
		t.Errorf("%d %+v", status, data.Rank)
	}
	for flag, value := range map[string]string{"--share": "1.random=2", "--rank": "99", "--layer": "9",
		"--mask": "sideways"} {
		if status, out, errs := viz(t, "desk", "--text", text, "-m", "mixture-rv", flag, value); status != 1 || out != "" ||
			errs == "" {
			t.Errorf("%s %s: %d %s%s", flag, value, status, out, errs)
		}
	}
}
