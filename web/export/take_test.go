package export_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/web/export"
	"attnatlas/web/webtest"
)

// TestTakeItWithYou: the export page offers every choice and states the size of the file, and the
// URLs in its snippets work.
func TestTakeItWithYou(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, path := range []string{
		"/take/dense?text=hello+%22you%22+%3Cb%3E&head=2&preset=slide&format=pdf",
		"/take/wall?text=hello&m=dense,fastformer&format=zip&theme=dark",
		"/take/fastformer?map=beta&format=csv&preset=&dpi=", "/take/dense",
	} {
		w := webtest.Get(s, path)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		page := w.Body.String()
		file := html.UnescapeString(regexp.MustCompile(`class="take-file" href="([^"]*)"`).FindStringSubmatch(page)[1])
		answer := webtest.Get(s, file)
		size := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, regexp.MustCompile(`class="take-size">([^<]*)`).FindStringSubmatch(page)[1])
		if answer.Code != http.StatusOK || size != strconv.Itoa(answer.Body.Len()) {
			t.Errorf("%s: %d, %d bytes, said to be %s", file, answer.Code, answer.Body.Len(), size)
		}
		if n := strings.Count(page, "copy-text"); n != 4+len(export.SnippetOrder) {
			t.Errorf("%s has %d texts to copy", path, n)
		}
		text := html.UnescapeString(html.UnescapeString(page)) // HTML snippets are escaped twice
		if strings.Contains(text, ".”.") {
			t.Errorf("the caption of %s has two full stops", path)
		}
		addresses := regexp.MustCompile(`https?://(?:example\.com|localhost)(?::\d+)?(/[^"'<)\s}]*)`).FindAllStringSubmatch(text, -1)
		kinds := map[string]bool{}
		for _, a := range addresses {
			u, err := url.Parse(a[1])
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(a[1], "?") {
				t.Errorf("%s of %s asks for nothing", a[1], path)
			}
			kinds[u.Path[strings.LastIndexAny(u.Path, "./")+1:]] = true
			if w := webtest.Get(s, a[1]); w.Code != http.StatusOK {
				t.Errorf("%s of %s: %d %.200s", a[1], path, w.Code, w.Body)
			}
		}
		for _, kind := range []string{"embed", "png", "svg", "pdf", "json"} {
			if !kinds[kind] {
				t.Errorf("%s names no %s: %v", path, kind, kinds)
			}
		}
	}
}

// TestPublishedFigures: on a published site, snippets name its files. For other figures they
// contain the picture itself, and the page states that there is no URL.
func TestPublishedFigures(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	s.Published = true
	s.Figures = map[string]string{"/export/dense.png?layer=2&text=hello": "figures/a-dense.png",
		"/export/dense.json?layer=2&text=hello": "figures/a-dense.json"}
	const here = "http://localhost/figures/a-dense."
	for path, has := range map[string]bool{
		"/take/dense?text=hello&layer=2": true, "/take/dense?text=hello&layer=2&format=png&preset=&theme=light": true,
		"/take/dense?text=another": false, "/take/dense?text=hello&layer=2&theme=dark": false,
	} {
		page := html.UnescapeString(html.UnescapeString(webtest.Get(s, path).Body.String()))
		if got := strings.Count(page, here+"png"); got > 0 != has {
			t.Errorf("%s names the file %d times", path, got)
		}
		if got := strings.Contains(page, messages.English.T("take.published")); got == has {
			t.Errorf("%s says that there is no address: %v", path, got)
		}
		if got := strings.Contains(page, `<img src="data:image/png;base64,iVBOR`); got == has {
			t.Errorf("%s has the picture itself: %v", path, got)
		}
		if got := strings.Contains(page, here+"json"); got != strings.Contains(path, "text=hello") {
			t.Errorf("%s names numbers: %v", path, got)
		}
	}
}

// TestLookOfAFigure: the page offers the title, values in cells, the width of the paper and the size of type. An empty
// field stands for the default.
func TestLookOfAFigure(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	w := webtest.Get(s, "/take/dense?text=hello&preset=&title=0&numbers=1&width=12&type=8")
	page := w.Body.String()
	for _, want := range []string{`<option value="0" title="" selected>none`, `<option value="1" title="" selected>shown`,
		`name="width" value="12"`, `name="type" value="8" min="4" max="72"`} {
		if !strings.Contains(page, want) {
			t.Errorf("%d: the page has no %s", w.Code, want)
		}
	}
	file := html.UnescapeString(regexp.MustCompile(`class="take-file" href="([^"]*)"`).FindStringSubmatch(page)[1])
	for _, want := range []string{"title=0", "numbers=1", "width=12", "type=8"} {
		key, _, _ := strings.Cut(want, "=")
		if !strings.Contains(file, want) || strings.Count(page, `name="`+key+`"`) != 1 {
			t.Errorf("%s has no %s, or the form has two", file, want)
		}
	}
	w = webtest.Get(s, "/take/dense?text=hello&preset=column&title=&numbers=&width=&type=")
	if page := w.Body.String(); w.Code != http.StatusOK || strings.Contains(page, "width=&amp;") {
		t.Errorf("empty fields: %d %.300s", w.Code, page)
	}
}

// TestWithoutSpecialTokens: figures and numbers contain only the words, with the same values, and
// state it.
func TestWithoutSpecialTokens(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	read := func(query string) (n struct {
		Rows, Cols []string
		Values     [][]*float64
	}) {
		w := webtest.Get(s, "/export/dense.json?text=one+two+three"+query)
		if err := json.Unmarshal(w.Body.Bytes(), &n); err != nil {
			t.Fatalf("%s: %v", w.Body, err)
		}
		return n
	}
	whole, words := read(""), read("&special=0")
	last := len(whole.Rows) - 1
	if whole.Rows[0] != "[CLS]" || !slices.Equal(words.Rows, whole.Rows[1:last]) ||
		!slices.Equal(words.Cols, whole.Cols[1:last]) {
		t.Fatalf("%v × %v of %v × %v", words.Rows, words.Cols, whole.Rows, whole.Cols)
	}
	for r, row := range words.Values {
		for c, v := range row {
			if *v != *whole.Values[r+1][c+1] {
				t.Errorf("row %d, column %d is %v, want %v", r, c, *v, *whole.Values[r+1][c+1])
			}
		}
	}
	for _, file := range []string{"dense.svg", "wall.svg", "fastformer.svg"} {
		figure := webtest.Get(s, "/export/"+file+"?text=one+two+three&special=0&m=dense,fastformer").Body.String()
		said := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(figure, " ")), " ") // its lines
		if !strings.Contains(said, messages.English.T("figure.words-alone")) || strings.Contains(figure, ">[CLS]<") {
			t.Errorf("%s has tokens that stand for no word, or does not say so", file)
		}
	}
	if page := webtest.Get(s, "/take/dense?text=one+two+three&special=0").Body.String(); !strings.Contains(page,
		"special=0") || !strings.Contains(page, "3×3") || strings.Contains(page, "→ [CLS]") {
		t.Errorf("the page is of another figure: %s", page)
	}
}

// TestTakeRefuses: an unknown format, paper, map or mechanism gives an error. The error for a
// figure that is too large is next to the settings.
func TestTakeRefuses(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for path, want := range map[string]struct {
		status int
		says   string
	}{
		"/take/dense?format=gif":           {http.StatusBadRequest, "tex.zip"},
		"/take/wall?format=csv":            {http.StatusBadRequest, "zip"},
		"/take/dense?preset=poster":        {http.StatusBadRequest, "half-slide"},
		"/take/dens":                       {http.StatusNotFound, "dense"},
		"/take/dense?preset=a1&dpi=1200":   {http.StatusBadRequest, `<select`},
		"/take/dense?preset=slide&scale=3": {http.StatusBadRequest, "remove scale"},
	} {
		if w := webtest.Get(s, path); w.Code != want.status || !strings.Contains(w.Body.String(), want.says) {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
	}
}

// TestCardsLeadToTheirFile: every card, the main view and a mechanism's page link to the export
// page in the state of the page.
func TestCardsLeadToTheirFile(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for path, want := range map[string][]string{
		"/?text=hello&m=dense,fastformer&norm=log": {"/take/dense?", "/take/fastformer?", "/take/wall?"},
		"/m/dense?text=hello&norm=log":             {"/take/dense?"},
	} {
		links := webtest.LinksOf(webtest.Parse(t, webtest.Get(s, path)))
		for _, start := range want {
			found := false
			for _, link := range links {
				if strings.HasPrefix(link, start) {
					found = strings.Contains(link, "norm=log") && strings.Contains(link, "text=hello") &&
						webtest.Get(s, link).Code == http.StatusOK
				}
			}
			if !found {
				t.Errorf("%s leads to no %s…", path, start)
			}
		}
	}
}
