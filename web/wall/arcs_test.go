package wall_test

import (
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/web/webtest"
)

// strokes returns the widths of the curves of a drawing, relative to the widest.
func strokes(t *testing.T, drawing string) (list []float64) {
	t.Helper()
	widest := 0.0
	for _, curve := range regexp.MustCompile(`<path [^>]*>`).FindAllString(drawing, -1) {
		width := regexp.MustCompile(`stroke-width="([0-9.]+)"`).FindStringSubmatch(curve)
		if !strings.Contains(curve, "C") || width == nil {
			continue // the outline of a letter
		}
		w, err := strconv.ParseFloat(width[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		list, widest = append(list, w), max(widest, w)
	}
	for i := range list {
		list[i] /= widest
	}
	slices.Sort(list)
	return list
}

// TestFiguresHaveThePagesArcs: if a page draws arcs, the linked figures have the same arcs, of the pinned row.
// They name the address that reproduces them byte for byte. Data files and figures with cells only do not change.
func TestFiguresHaveThePagesArcs(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	const query = "text=one+two+three+four&m=dense&head=2"
	for _, pin := range []string{"", "&pin=3", "&pin=3.2"} {
		page := webtest.Get(s, "/?draw=arcs&"+query+pin).Body.String()
		want := strokes(t, page)
		row, _, _ := strings.Cut(pin, ".")
		target := "/export/dense.svg?draw=arcs&" + query + row
		answer := webtest.Get(s, target)
		got := strokes(t, answer.Body.String())
		if len(want) < 2 || len(got) != len(want) {
			t.Fatalf("%s: %d arcs, the page has %d", target, len(got), len(want))
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 0.01 {
				t.Errorf("%s: arc %d is %v of the widest, on the page %v", target, i, got[i], want[i])
			}
		}
		link := ""
		for _, l := range webtest.LinksOf(webtest.Parse(t, webtest.Get(s, "/?draw=arcs&"+query+pin))) {
			if strings.HasPrefix(l, "/export/dense.png?") {
				link = l
			}
		}
		u, err := url.Parse(link)
		if err != nil || u.Query().Get("draw") != "arcs" || u.Query().Get("pin") != strings.TrimPrefix(row, "&pin=") {
			t.Errorf("the page with %q leads to %q", pin, link)
		}
		for _, f := range figure.Formats {
			target := "/export/dense." + f.Extension + "?draw=arcs&" + query + row
			one := webtest.Get(s, target)
			if again := webtest.Get(s, target); one.Code != http.StatusOK || one.Body.String() != again.Body.String() {
				t.Errorf("%s: %d, and other bytes when asked again", target, one.Code)
			}
			plain := webtest.Get(s, "/export/dense."+f.Extension+"?"+query)
			if drawn := one.Body.String() != plain.Body.String(); drawn != (f.Board != nil) {
				t.Errorf("%s differs from the map: %v", target, drawn)
			}
			if meta, err := figure.OriginOf(one.Body.Bytes()); err == nil {
				checkAgain(t, s, meta, one.Body.String())
			}
		}
	}
	bare := "/export/dense.png?bare=1&" + query
	if webtest.Get(s, bare).Body.String() != webtest.Get(s, bare+"&draw=arcs&pin=3").Body.String() {
		t.Error("the cells alone are arcs")
	}
}

// checkAgain requests a file's own address.
func checkAgain(t *testing.T, s http.Handler, meta []figure.Meta, want string) {
	t.Helper()
	for _, m := range meta {
		if m.Key == "Source" && webtest.Get(s, m.Value).Body.String() != want {
			t.Errorf("%s is not the file that names it", m.Value)
		}
	}
}
