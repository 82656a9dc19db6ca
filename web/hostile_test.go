package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

var hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`</textarea><script>alert(1)</script>`,
	`</title></head><body onload=alert(1)>`,
	`javascript:alert(1)`,
	"{{.}} ${7*7} <%= 7 %>",
	"\u202E\u2066right to left\u2069",
	"\u200F\u061C שלום مرحبا",
	"a\x00b\x00",
	"\xff\xfe\xe2\x82 \xed\xa0\x80",
	"\x1b[31mred\x07\x08",
	"\r\n\r\nHTTP/1.1 200 OK",
	"👩‍👩‍👧‍👦🏳️‍🌈🙂",
	strings.Repeat("a", 60_000),
	strings.Repeat("<", 100_000),
	strings.Repeat("\u0301", 200),
	"\uFEFF\uFFFE\U0010FFFF",
}

// TestHostileText sends each text wherever a visitor's text can go.
func TestHostileText(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for i, text := range hostile {
		q := url.QueryEscape(text)
		for _, path := range []string{
			"/?text=" + q, "/?text=hello&m=" + q, "/?text=hello&m=dense," + q, "/?layer=" + q + "&head=" + q + "&norm=" + q +
				"&pin=" + q,
			"/?theme=" + q + "&mask=" + q + "&cmap=" + q, "/?show=" + q, "/?show=influence&text=" + q + "&layer=" + q,
			"/api/v1/attend?text=hello&show=" + q, "/export/dense.png?show=" + q, "/?" + q + "=1", "/?text=hello&" +
				strings.ReplaceAll(text, "\n", "%"),
			"/about?theme=" + q, "/m/" + url.PathEscape(text), "/m/dense?text=" + q, "/m/encoder-decoder?text=" + q,
			"/m/encoder-decoder?step=" + q, "/?text=hello&hide=" + q, "/?was=" + q + "&text=%5BMASK%5D" + q, "/?race=" + q,
			"/?race=1&text=%5BMASK%5D+x+" + q + "&was=cat", "/?race=1&text=" + q, "/?race=all&text=" + q,
			"/api/v1/race?race=all&text=" + q, "/api/v1/race?text=hello&hide=" + q, "/m/fastformer?layer=" + q + "&head=" +
				q + "&" + q, "/m?theme=" + q,
			"/api/v1/attend?text=" + q, "/api/v1/attend?text=hello&m=dense," + q, "/api/v1/attend?text=hello&map=" + q,
			"/api/v1/attend?text=hello&" + q + "=" + q, "/export/dense.png?text=" + q, "/export/dense.png?map=" + q +
				"&scale=" + q,
			"/write?text=" + q, "/write?take=" + q + "&words=" + q + "&seed=" + q, "/api/v1/continue?text=" + q,
			"/api/v1/write?text=" + q + "&map=" + q, "/api/v1/drawing?text=" + q, "/api/v1/drawing?text=hello&of=" + q,
			"/export/dense." + url.PathEscape(text), "/export/" + url.PathEscape(text) + ".png", "/" + url.PathEscape(text),
			"/static/" + url.PathEscape(text),
		} {
			t.Run(fmt.Sprintf("%d %.30s", i, path), func(t *testing.T) { checkHostile(t, s, path) })
		}
	}
}

func checkHostile(t *testing.T, s http.Handler, path string) {
	r, err := http.NewRequest(http.MethodGet, "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	at, query, _ := strings.Cut(path, "?")
	if r.URL.Path, err = url.PathUnescape(at); err != nil {
		t.Fatal(err)
	}
	r.URL.RawPath, r.URL.RawQuery = at, query
	r.Header.Set("Accept", "text/html")
	w := webtest.Record(s, r)
	if w.Code >= 500 {
		t.Fatalf("%d %.500s", w.Code, w.Body)
	}
	if w.Header().Get("Content-Security-Policy") != site.Policy {
		t.Errorf("policy %q", w.Header().Get("Content-Security-Policy"))
	}
	if strings.HasPrefix(w.Header().Get("Content-Type"), webtest.HtmlType) {
		webtest.CheckEscaped(t, w.Body.String())
	}
}

func TestTextIsKept(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, text := range []string{"\nfirst line empty", "</textarea>", "a & b", "tab\there", " spaces  kept ",
		strings.Repeat("long ", 14_000)} {
		w := webtest.Get(s, "/?layer=nonsense&text="+url.QueryEscape(text)+"&other="+url.QueryEscape(text))
		doc, err := html.Parse(strings.NewReader(w.Body.String()))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			_, sent := webtest.Attr(n, "name") // the field of an own matrix never leaves the browser
			if webtest.IsElement(n, "textarea") && sent && webtest.TextOf(n) != text {
				t.Errorf("%.20q became %.20q", text, webtest.TextOf(n))
			}
		}
	}
}
