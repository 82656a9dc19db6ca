package export_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/web/webtest"
)

// TestWallFiles: all cards of a page are one figure with the same bytes on every server. It names
// each card and states how to reproduce it.
func TestWallFiles(t *testing.T) {
	const query = "?text=hello+%26+you&m=dense,fastformer,random&head=2"
	for _, extension := range []string{"png", "svg", "pdf", "zip"} {
		one, two := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/export/wall."+
			extension+query), webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/export/wall."+extension+query)
		if one.Code != http.StatusOK || !bytes.Equal(one.Body.Bytes(), two.Body.Bytes()) {
			t.Errorf("%s: %d; the bytes of two servers are the same: %v", extension, one.Code,
				bytes.Equal(one.Body.Bytes(), two.Body.Bytes()))
		}
	}
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	if c, err := png.DecodeConfig(webtest.Get(s, "/export/wall.png"+query+"&preset=slide").Body); err != nil ||
		c.Width != 1920 || c.Height != 1080 {
		t.Errorf("a slide of %d × %d: %v", c.Width, c.Height, err)
	}
	words := svgWords(t, webtest.Get(s, "/export/wall.svg"+query).Body)
	for _, want := range []string{"Dense synthesizer · A", "\nα\n", "\nβ\n", "Learned random · A"} {
		if strings.Count(words, want) != 1 {
			t.Errorf("%q stands %d times in %q", want, strings.Count(words, want), words)
		}
	}
	if body := webtest.Get(s, "/export/wall.png"+query+"&dpi=120").Body.String(); !strings.Contains(body,
		"/export/wall.png?dpi=120&head=2&m=dense%2Cfastformer%2Crandom&text=hello+%26+you") {
		t.Error("the file does not say its address")
	}
}

// svgWords returns the selectable words of a figure.
func svgWords(t *testing.T, file io.Reader) string {
	t.Helper()
	words := ""
	for d := xml.NewDecoder(file); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return words
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
			var inner string
			if err := d.DecodeElement(&inner, &start); err != nil {
				t.Fatal(err)
			}
			words += inner + "\n"
		}
	}
}

// TestWallZip: an archive has every map of the cards in every format, as in the single files, and
// lists maps that could not be drawn.
func TestWallZip(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		r.Mechanisms[2] = engine.Result{ID: r.Mechanisms[2].ID,
			Err: fault.Errorf(fault.Unsupported, "error.no-map", "name", "x", "map", "y")}
	}})
	w := webtest.Get(s, "/export/wall.zip?text=hello+you&m=dense,fastformer,random&head=2&layer=1")
	archive, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(w.Code, err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	if want := 1 + (len(figure.Formats)-1)*strings.Count(files["README.txt"], ".*\n"); len(files) != want {
		t.Errorf("%d files, want %d", len(files), want)
	}
	for name, address := range map[string]string{
		"dense/dense-layer1-2.png":                 "/export/dense.png?map=weights",
		"fastformer/fastformer-alpha-layer1-2.csv": "/export/fastformer.csv?map=alpha",
		"fastformer/fastformer-beta-layer1-2.pdf":  "/export/fastformer.pdf?map=beta",
		"dense/dense-layer1-2.json":                "/export/dense.json?map=weights",
	} {
		if want := webtest.Get(s, address+"&text=hello+you&head=2&layer=1&m=dense,fastformer,random").Body.String(); files[name] != want {
			t.Errorf("%s has %d bytes, alone %d", name, len(files[name]), len(want))
		}
	}
	for _, want := range []string{"/export/wall.zip?", "random has no map here",
		"fastformer/fastformer-alpha-layer1-2.*"} {
		if !strings.Contains(files["README.txt"], want) {
			t.Errorf("README.txt does not say %q:\n%s", want, files["README.txt"])
		}
	}
}

// TestWallFilesRefuse: unknown formats, and parameters without a meaning for all cards, give an
// error.
func TestWallFilesRefuse(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for target, want := range map[string]struct {
		status int
		says   string
	}{
		"/export/wall.csv": {http.StatusNotFound, ".png, .svg, .pdf, .tex.zip, .html, or .zip"},
		"/export/compare.csv": {http.StatusNotFound,
			"compare takes one of .png, .svg, .pdf, .tex.zip, .html."},
		"/export/dense.doc": {http.StatusNotFound,
			".png, .svg, .pdf, .tex.zip, .html, .csv, .npy, .npz, .json;"},
		"/export/wall.png?map=alpha":             {http.StatusBadRequest, "name a mechanism instead"},
		"/export/wall.zip?preset=poster":         {http.StatusBadRequest, "half-slide"},
		"/export/dense.png?preset=slide&scale=4": {http.StatusBadRequest, "remove scale"},
		"/export/wall.png?m=dens":                {http.StatusNotFound, "dense"},
		"/export/wall.png?preset=a1&dpi=1200":    {http.StatusBadRequest, "million"},
	} {
		if w := webtest.Get(s, target); w.Code != want.status || !strings.Contains(w.Body.String(), want.says) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

// TestStripsBelongToTheFigure: a figure without a named map has all maps of its card; with a named
// map it has only this one.
func TestStripsBelongToTheFigure(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	all := svgWords(t, webtest.Get(s, "/export/fastformer.svg?text=hello+you").Body)
	if !strings.Contains(all, "\nα\n") || !strings.Contains(all, "\nβ\n") {
		t.Errorf("the figure says %q", all)
	}
	if one := svgWords(t, webtest.Get(s, "/export/fastformer.svg?text=hello+you&map=beta").Body); strings.Contains(one, "α") {
		t.Errorf("the figure of β says %q", one)
	}
	if w := webtest.Get(s, "/export/compare.svg?text=hello+you&a=dense&b=random"); w.Code != http.StatusOK ||
		!strings.Contains(svgWords(t, w.Body), "A − B") {
		t.Errorf("a comparison as shapes: %d", w.Code)
	}
}
