package export_test

import (
	"cmp"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/tokenizer"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestOrientation: the weight of token 1 on token 3 is in the row of token 1 and the column of
// token 3.
func TestOrientation(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		for _, layer := range r.Mechanisms[0].Layers {
			m, _ := layer.Find("weights")
			clear(m.Value.Data)
			for h := range webtest.FakeHeads {
				m.Value.Set(1, h, 1, 3)
			}
		}
	}})
	const scale = 5
	img := webtest.Picture(t, s, "/export/dense.png?text=one+two+three&m=dense&bare=1&norm=absolute&scale=5")
	if img.Bounds().Dx() != 5*scale || img.Bounds().Dy() != 5*scale {
		t.Fatalf("%v for [CLS] one two three [SEP]", img.Bounds())
	}
	lit := webtest.Rgb(img, 3*scale+2, 1*scale+2)
	if top := figure.Cividis.Table(figure.Light)[255]; lit != top {
		t.Errorf("row 1, column 3 is %v, want %v", lit, top)
	}
	for row := range 5 {
		for col := range 5 {
			if c := webtest.Rgb(img, col*scale+2, row*scale+2); c == lit && (row != 1 || col != 3) {
				t.Errorf("row %d, column %d is lit", row, col)
			}
		}
	}
}

func TestExportHeaders(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for path, name := range map[string]string{
		"/export/dense.png?head=mean":                                  "dense-layer1-mean.png",
		"/export/dense.png?head=2&dense.head=mean&m=dense,random":      "dense-layer1-mean.png",
		"/export/random.png?head=2&dense.head=mean&m=dense,random":     "random-layer1-2.png",
		"/export/dense.png?layer=2&head=3":                             "dense-layer2-3.png",
		"/export/fastformer.png?map=alpha&m=dense&head=mean":           "fastformer-alpha-layer1-mean.png",
		"/export/random.png?bare=1&transparent=1&theme=dark&head=mean": "random-layer1-mean.png",
	} {
		w := webtest.Get(s, path)
		if got, want := w.Header().Get("Content-Disposition"), `inline; filename="`+name+`"`; w.Code != 200 || got != want {
			t.Errorf("%s: %d %s, want %s", path, w.Code, got, want)
		}
	}
}

// TestTablesNameTheirOrigin: numbers in a format without provenance come with the URL of the same
// numbers with provenance.
func TestTablesNameTheirOrigin(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, f := range figure.Formats {
		w := webtest.Get(s, "/export/dense."+f.Extension+"?text=%3Ca%3E&head=2")
		link := regexp.MustCompile(`^<(dense\.json\?[^<>]*)>; rel="describedby"`).FindStringSubmatch(w.Header().Get("Link"))
		if slices.Contains([]string{"csv", "npy", "npz"}, f.Extension) != (link != nil) {
			t.Errorf("%s: %v", f.Extension, w.Header())
		}
		if link == nil {
			continue
		}
		if origin := webtest.Get(s, "/export/"+link[1]); !strings.Contains(origin.Body.String(), `"Instructions":`) ||
			!strings.Contains(origin.Body.String(), `"Source":`) {
			t.Errorf("%s: %s", link[1], origin.Body)
		}
	}
}

// TestEveryFormat: a figure exists in each format of the table, with its media type and extension,
// and in no other.
func TestEveryFormat(t *testing.T) {
	one := figure.Format{Extension: "txt", MediaType: "text/x-figure",
		Encode: func(f figure.Figure, w io.Writer) error { _, err := io.WriteString(w, f.Title); return err },
		Bare:   func(_ figure.Figure, w io.Writer) error { _, err := io.WriteString(w, "cells"); return err }}
	figure.Formats = append(figure.Formats, one)
	defer func() { figure.Formats = figure.Formats[:len(figure.Formats)-1] }()
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, f := range figure.Formats {
		w := webtest.Get(s, "/export/dense."+f.Extension+"?text=hello&head=mean")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != f.MediaType ||
			w.Header().Get("Content-Disposition") != `inline; filename="dense-layer1-mean.`+f.Extension+`"` ||
			w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", f.Extension, w.Code, w.Header())
		}
	}
	if got := webtest.Get(s, "/export/dense.txt?text=hello&head=mean").Body.String(); got != "Dense synthesizer · A" {
		t.Errorf("the new format says %q", got)
	}
	if got := webtest.Get(s, "/export/dense.txt?text=hello&bare=1").Body.String(); got != "cells" {
		t.Errorf("bare, the new format says %q", got)
	}
	for _, name := range []string{"dense.gif", "dense.", "dense", ".png", "dense.PNG", "dense.png.zip"} {
		if w := webtest.Get(s, "/export/"+name+"?text=hello&head=mean"); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// TestExportSaysWhereItComesFrom: a file names its head, and its URL selects the same head, so that
// it reproduces the file.
func TestExportSaysWhereItComesFrom(t *testing.T) {
	for head, chosen := range map[string]string{"mean": "head=mean&", "auto": ""} {
		w := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}),
			"/export/dense.png?map=weights&text=hello+you&layer=1&norm=log&pin=1.1&head="+head)
		body := w.Body.String()
		for _, want := range []string{"Software\x00Attention Atlas test", "/export/dense.png?" + chosen +
			"layer=1&map=weights&norm=log&text=hello+you", "commit 0123456789abcdef", "colour range log"} {
			if !strings.Contains(body, want) {
				t.Errorf("the file does not say %q", want)
			}
		}
	}
}

// TestSameQueryAsThePage: the picture, the figure and the numbers of a card are linked on the page,
// and all links work.
func TestSameQueryAsThePage(t *testing.T) {
	f := &webtest.FakeEngine{}
	s := webtest.NewServer(t, f)
	for _, query := range []string{"", "text=a%26b+%23+%2B+%25+%3F&norm=shared&head=2&layer=1&cmap=ink&theme=dark&pin=1.2",
		"mask=causal&m=dense,random"} {
		page := webtest.Parse(t, webtest.Get(s, "/?"+query))
		calls := f.Calls.Load()
		links := 0
		for _, link := range webtest.LinksOf(page) {
			if strings.HasPrefix(link, "/export/") {
				links++
				webtest.Picture(t, s, link)
			}
		}
		if links < 4 {
			t.Errorf("%s: %d figures", query, links)
		}
		if now := f.Calls.Load(); now != calls {
			t.Errorf("%s: its figures asked the engine %d more times", query, now-calls)
		}
		for _, src := range webtest.SourcesOf(page) {
			webtest.Drawing(t, s, strings.TrimPrefix(src, "/api/v1/drawing?"))
		}
	}
}

// TestUnknownMechanismCostsNothing: unknown names do not reach the engine or its cache.
func TestUnknownMechanismCostsNothing(t *testing.T) {
	f := &webtest.FakeEngine{}
	if w := webtest.Get(webtest.NewServer(t, f), "/export/nonsense.png"); w.Code != http.StatusNotFound ||
		f.Calls.Load() != 0 {
		t.Errorf("%d, the engine was asked %d times", w.Code, f.Calls.Load())
	}
}

// TestNoPlaceToDraw: a figure waits for a place as long as for memory, and returns an error if none
// becomes free.
func TestNoPlaceToDraw(t *testing.T) {
	s, _ := webtest.Failing(t, nil)
	synctest.Test(t, func(t *testing.T) {
		if err := s.Drawing.Acquire(t.Context(), site.FigurePixels); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		w := webtest.Get(s, "/export/dense.png")
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "is drawing") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if waited := time.Since(began); waited != site.Patience {
			t.Errorf("it waited %v, not %v", waited, site.Patience)
		}
		s.Drawing.Release(site.FigurePixels)
		if w := webtest.Get(s, "/export/dense.png"); w.Code != http.StatusOK {
			t.Errorf("with a place free: %d %s", w.Code, w.Body)
		}
	})
}

// TestPixelsAreCountedFromAbove: the estimate is an upper bound, so that figures drawn together fit
// together.
func TestPixelsAreCountedFromAbove(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, query := range []string{"", "scale=2", "scale=40", "dpi=300", "dpi=300&scale=30", "text=" +
		strings.Repeat("word+", 60), "dpi=600&text=" + strings.Repeat("word+", 60)} {
		st, _ := url.ParseQuery(query)
		number := func(key string) int { n, _ := strconv.Atoi(st.Get(key)); return n }
		w := webtest.Get(s, "/export/dense.png?"+query)
		c, err := png.DecodeConfig(w.Body)
		if err != nil {
			t.Fatalf("%s: %d, %v", query, w.Code, err)
		}
		n := len(tokenizer.Default().Encode(cmp.Or(st.Get("text"), address.DefaultText))) + 2
		if got := site.Pixels(n, n, exhibit.Appearance{Scale: number("scale"),
			DPI: number("dpi")}); got < c.Width*c.Height*9/10 {
			t.Errorf("%.30s: %d × %d pixels were counted as %d", query, c.Width, c.Height, got)
		}
	}
}
