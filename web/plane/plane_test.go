package plane_test

import (
	"encoding/json"
	"math"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/api"
	"attnatlas/web/browsertest"
	"attnatlas/web/plane"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

const hostile = `the <b>cat</b> "sat" & 'ran' שלום ` + "\u202e"

// get returns the page for a query, or, at another path, its numbers.
func get(t *testing.T, path, query string) (int, string) {
	t.Helper()
	return browsertest.Fetch(t, browsertest.Server(t).URL+path+"?"+query)
}

// TestPage: the page and its numbers agree for a head. Every point is a link that pins its word, and a pinned word
// has lines to the keys with its largest weights.
func TestPage(t *testing.T) {
	query := "m=dot-product&layer=2&head=3&pin=4&text=" + url.QueryEscape(hostile)
	var a plane.Plane
	var attend api.Attend
	status, body := get(t, "/api/v1/plane", query)
	if err := json.Unmarshal([]byte(body), &a); status != 200 || err != nil {
		t.Fatalf("%d %v %.300s", status, err, body)
	}
	if _, body = get(t, "/api/v1/attend", query); json.Unmarshal([]byte(body), &attend) != nil {
		t.Fatalf("%.300s", body)
	}
	n := len(a.Tokens)
	kept, all := 0.0, 0.0
	for i, v := range a.Values {
		if all += v * v; i < 2 {
			kept += v * v
		}
	}
	if a.Layer != 2 || a.Head != 3 || len(a.Queries) != n || len(a.Keys) != n || math.Abs(kept/all-a.Share) > 1e-12 {
		t.Errorf("%+v", a)
	}
	status, page := get(t, "/plane", query)
	if status != 200 || strings.Contains(page, "<b>cat") || strings.Contains(page, "\u202e</text>") ||
		!strings.Contains(page, "keeps "+messages.Percent(a.Share)+" of") {
		t.Errorf("%d %.3000s", status, page)
	}
	if points := strings.Count(page, `<circle r="4">`) + strings.Count(page, `<rect x="-3.5"`); points != 2*n {
		t.Errorf("%d points for %d tokens", points, n)
	}
	if lines := strings.Count(page, `class="weight"`); lines != 6 || strings.Count(page, "pin=5") < 3 {
		t.Errorf("%d lines, %d links to the fifth word", lines, strings.Count(page, "pin=5"))
	}
	row := attend.Mechanisms[0].Layers[0].Maps[0].Values[3*n : 4*n]
	largest := 0
	for j, v := range row {
		if v > row[largest] {
			largest = j
		}
	}
	if weight := messages.Percent(float64(row[largest])); !strings.Contains(page, ": "+weight+"</title>") {
		t.Errorf("no line has the weight %s", weight)
	}
}

// TestPageWithoutPlane: if there is no plane, the page has the reason and the form.
func TestPageWithoutPlane(t *testing.T) {
	for query, want := range map[string]int{"": 200, "m=longformer": 200, "m=reformer": 200, "m=random": 422,
		"m=fastformer": 422, "m=shuffle-exchange": 422, "m=none": 404, "m=dot-product&layer=9": 404, "m=dot-product&head=9": 404,
		"m=dot-product&pin=99": 404, "m=%3Cb%3E": 404} {
		status, page := get(t, "/plane", "text=the+cat&"+query)
		if status != want || strings.Contains(page, "<b>") || query != "m=none" && !strings.Contains(page, `name="m"`) ||
			strings.Contains(page, "plane-picture") != (want == 200) {
			t.Errorf("%s: %d, wanted %d: %.300s", query, status, want, page)
		}
	}
}
