package wall_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TestOEmbed: every page that can be framed has a frame of at most the requested size, and the frame's page
// exists.
func TestOEmbed(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for page, want := range map[string]string{
		"http://localhost/?text=old+cat&m=dense,random":       "m=dense%2Crandom",
		"http://localhost/m/dense?text=old+cat":               "m=dense",
		"http://localhost/embed?text=old+cat&m=dense&layer=2": "layer=2",
		"https://localhost/?text=%22%3E%3Cscript%3E&m=dense":  "script",
	} {
		for _, size := range []string{"", "&maxwidth=400&maxheight=300", "&maxwidth=100", "&format=json"} {
			w := webtest.Get(s, "/oembed?url="+url.QueryEscape(page)+size)
			var a wall.OEmbed
			if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
				t.Fatalf("%s: %d, %v, %s", page, w.Code, err, w.Body)
			}
			if a.Type != "rich" || a.Version != "1.0" || a.Title == "" || a.ThumbnailURL == "" == (size != "&maxwidth=100") {
				t.Errorf("%s%s: %+v", page, size, a)
			}
			if strings.Contains(size, "400") && (a.Width != 400 || a.Height != 300 || a.ThumbnailWidth > 400 ||
				a.ThumbnailHeight > 300) {
				t.Errorf("%s: %d × %d, %d × %d", page, a.Width, a.Height, a.ThumbnailWidth, a.ThumbnailHeight)
			}
			nodes, err := html.ParseFragment(strings.NewReader(a.HTML),
				&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
			if err != nil || len(nodes) != 1 || nodes[0].Data != "iframe" || nodes[0].FirstChild != nil {
				t.Fatalf("%s: %s", page, a.HTML)
			}
			src, _ := webtest.Attr(nodes[0], "src")
			if !strings.HasPrefix(src, "http://localhost/embed?") || !strings.Contains(src, want) {
				t.Errorf("%s: %s", page, src)
			}
			for _, address := range []string{src, a.ThumbnailURL} {
				if address == "" {
					continue
				}
				if w := webtest.Get(s, strings.TrimPrefix(address, "http://localhost")); w.Code != 200 {
					t.Errorf("%s: %s: %d", page, address, w.Code)
				}
			}
		}
	}
}

// TestOEmbedRefuses: foreign pages, pages that cannot be framed, and invalid sizes or formats are refused with a
// sentence.
func TestOEmbedRefuses(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	const ok = "url=http%3A%2F%2Flocalhost%2F"
	for query, want := range map[string]int{
		"": 404, "url=/": 404, "url=http%3A%2F%2Fevil.example%2F": 404, "url=javascript%3Aalert(1)": 404,
		"url=http%3A%2F%2Flocalhost%40evil.example%2F": 404,
		"url=http%3A%2F%2Fu%3Ap%40localhost%2F":        404, "url=http%3A%2F%2Flocalhost%2Fabout": 404,
		"url=http%3A%2F%2Flocalhost%2Fm%2Fnone": 404,
		ok + "&format=yaml":                     501, ok + "&maxwidth=0": 400, ok + "&maxheight=-3": 400, ok + "&maxwidth=wide": 400, ok +
			"&maxwidth=1000000": 400,
		ok + "%3Flayer%3Dx": 400, ok + "%3Fm%3Dnone": 404, "url=%zz": 400, ok: 200,
	} {
		w := webtest.Get(s, "/oembed?"+query, "Accept", "application/json")
		if w.Code != want {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
		if want != 200 && (w.Header().Get("Content-Type") != "application/problem+json" ||
			!strings.Contains(w.Body.String(), `"detail":"`)) {
			t.Errorf("%s: %s", query, w.Body)
		}
	}
}

// TestDiscovery: a page's oEmbed link leads to a frame with the same maps, also under a path prefix and behind a
// proxy that ends TLS.
func TestDiscovery(t *testing.T) {
	s := webtest.Based(t, webtest.Prefix, site.Access{Private: true})
	for _, path := range []string{"/?text=old+cat&m=random", "/m/dense?text=old+cat"} {
		r := httptest.NewRequest(http.MethodGet, webtest.Prefix+path, nil)
		r.Host, r.RemoteAddr = "atlas.example.org", "@"
		r.Header.Set("X-Forwarded-Proto", "https")
		root, err := html.Parse(webtest.Record(s, r).Body)
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for n := range root.Descendants() {
			if kind, _ := webtest.Attr(n, "type"); n.Data == "link" && kind == "application/json+oembed" {
				found, _ = webtest.Attr(n, "href")
			}
		}
		again, ok := strings.CutPrefix(found, "https://atlas.example.org"+webtest.Prefix)
		if !ok {
			t.Fatalf("%s: %q", path, found)
		}
		r = httptest.NewRequest(http.MethodGet, webtest.Prefix+again, nil)
		r.Host, r.RemoteAddr = "atlas.example.org", "@"
		r.Header.Set("X-Forwarded-Proto", "https")
		w := webtest.Record(s, r)
		if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "https://atlas.example.org/atlas/embed?") ||
			!strings.Contains(body, "old+cat") {
			t.Errorf("%s: %d, %s", path, w.Code, body)
		}
	}
	if page := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/?m=dense&text="+"a"+strings.Repeat("+", 3000)+
		"b").Body.String(); strings.Contains(page, "json+oembed") {
		t.Error("a long text stands twice in its page")
	}
	r := httptest.NewRequest(http.MethodGet, "/?text=a", nil)
	r.Host = "localhost"
	r.Header.Set("X-Forwarded-Proto", "https")
	if strings.Contains(webtest.Record(webtest.NewServer(t, &webtest.FakeEngine{}), r).Body.String(),
		"https://localhost") {
		t.Error("a client that is no proxy is believed")
	}
}

// TestOEmbedAsXML: the XML has the data of the JSON, with every special character escaped.
func TestOEmbedAsXML(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	at := "/oembed?url=" + url.QueryEscape(`http://localhost/?m=dense&text=`+url.QueryEscape(`a <b> & "c"`))
	var a wall.OEmbed
	if err := json.Unmarshal(webtest.Get(s, at).Body.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	w := webtest.Get(s, at+"&format=xml")
	var x struct {
		XMLName         xml.Name `xml:"oembed"`
		Type            string   `xml:"type"`
		Version         string   `xml:"version"`
		Title           string   `xml:"title"`
		ProviderName    string   `xml:"provider_name"`
		ProviderURL     string   `xml:"provider_url"`
		HTML            string   `xml:"html"`
		Width           int      `xml:"width"`
		Height          int      `xml:"height"`
		ThumbnailURL    string   `xml:"thumbnail_url"`
		ThumbnailWidth  int      `xml:"thumbnail_width"`
		ThumbnailHeight int      `xml:"thumbnail_height"`
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &x); err != nil ||
		w.Header().Get("Content-Type") != "text/xml; charset=utf-8" {
		t.Fatalf("%v, %v: %s", err, w.Header(), w.Body)
	}
	got := wall.OEmbed{
		Type: x.Type, Version: x.Version, Title: x.Title, ProviderName: x.ProviderName, ProviderURL: x.ProviderURL,
		HTML: x.HTML, Width: x.Width, Height: x.Height,
		ThumbnailURL: x.ThumbnailURL, ThumbnailWidth: x.ThumbnailWidth, ThumbnailHeight: x.ThumbnailHeight,
	}
	if got != a || !strings.Contains(a.Title, "<b>") {
		t.Errorf("%+v and %+v", got, a)
	}
}
