package long_test

import (
	"bytes"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestFigureFile: a figure claims all pixels that it draws, and an HTML file may run its own script.
func TestFigureFile(t *testing.T) {
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) { o.Inspector = engine.New() })
	at := "/export/long.png?m=dot-product&text=" + url.QueryEscape(text)
	s.Drawing.Peak()
	w := webtest.Get(s, at+"&scale=28")
	drawn, err := png.DecodeConfig(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatalf("%d %v %.300s", w.Code, err, w.Body)
	}
	if pixels, claimed := drawn.Width*drawn.Height, s.Drawing.Peak(); pixels < 16_000_000 || claimed < int64(pixels) {
		t.Errorf("%d pixels are drawn, %d claimed", pixels, claimed)
	}
	page := webtest.Get(s, strings.Replace(at, ".png", ".html", 1))
	policy := page.Header().Get("Content-Security-Policy")
	if page.Code != 200 || !strings.HasPrefix(policy, figure.PagePolicy) {
		t.Errorf("%d: the policy %q does not let the page run its own script", page.Code, policy)
	}
}

// TestFigureParameters: a figure of a long text is one map, so a choice of maps is refused; paper has its own colours.
func TestFigureParameters(t *testing.T) {
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) { o.Inspector = engine.New() })
	at := "/export/long.svg?m=dot-product&text=" + url.QueryEscape(text)
	for _, key := range []string{"map", "plane", "live"} {
		if w := webtest.Get(s, at+"&"+key+"=1"); w.Code != 400 {
			t.Errorf("%s: %d", key, w.Code)
		}
	}
	at += "&rows=1-10&cols=1-10&preset=text"
	ink, usual := webtest.Get(s, at), webtest.Get(s, at+"&cmap=cividis")
	if ink.Code != 200 || usual.Code != 200 || ink.Body.String() == usual.Body.String() {
		t.Errorf("%d, %d: paper has the colours of the page", ink.Code, usual.Code)
	}
}

// TestSymbols: variables in the meaning of a cell are set as on other pages.
func TestSymbols(t *testing.T) {
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) { o.Inspector = engine.New() })
	if page := webtest.Get(s, "/long?m=fastformer").Body.String(); strings.Contains(page, "W_T") ||
		!strings.Contains(page, "<i>W</i><sub>T</sub>") {
		t.Errorf("%.3000s", page)
	}
}
