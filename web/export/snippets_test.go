package export_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"attnatlas/static"
	"attnatlas/web/browsertest"
	"attnatlas/web/webtest"

	"github.com/chromedp/chromedp"
)

// TestSnippetsWork copies every snippet of /embedding into a page of another origin, and checks
// what it shows.
func TestSnippetsWork(t *testing.T) {
	tab := browsertest.Open(t)
	_, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/embedding")
	_, data := browsertest.Fetch(t, browsertest.Server(t).URL+"/export/dense.json?text=the+old+cat")
	files := map[string]string{"/attention-map.js": string(static.Content(static.Element)), "/dense.json": data}
	shown := map[string]string{
		"frame":    `said.some((one) => one.startsWith('red/a')) && said.some((one) => one.includes('"layer":"2"')) && document.getElementById('atlas').clientHeight > 300`,
		"messages": `said.some((one) => one.startsWith('one') && one.includes('the old cat')) && document.getElementById('atlas').clientHeight !== 600`,
		"element":  `document.querySelector('attention-map').shadowRoot?.querySelectorAll('.rows bdi').length === 5`,
		"file":     `document.querySelector('attention-map').shadowRoot?.querySelectorAll('.rows bdi').length === 5`,
	}
	for _, m := range regexp.MustCompile(`(?s)<h2 id="h-(\w+)".*?<code>(.*?)</code>`).FindAllStringSubmatch(page, -1) {
		files["/"+m[1]] = `<!DOCTYPE html><meta charset="utf-8"><script>
			const said = [], plain = (one) => Array.isArray(one) ? one.join('/') : typeof one === 'object' ? JSON.stringify(one) : String(one);
			console.log = (...list) => said.push(list.map(plain).join(' '));</script>` + html.UnescapeString(m[2])
	}
	site := course(t, files)
	for name, is := range shown {
		if !strings.Contains(files["/"+name], "attention") {
			t.Errorf("there is no snippet %s", name)
			continue
		}
		tab.Do(chromedp.Navigate(site + "/" + name))
		tab.Eventually(is)
	}
}

// TestSnippetsSayWhoReachesThem: snippets of a published site name its files and pages, and no URL
// that needs a server. Those of a server for its own machine come with a note.
func TestSnippetsSayWhoReachesThem(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	const path = "/take/dense?text=hello&format=svg"
	const note = `class="take-reachable"`
	for host, local := range map[string]bool{"localhost:8080": true, "127.0.0.1:80": true, "atlas.example.org": false} {
		r := httptest.NewRequest(http.MethodGet, "http://"+host+path, nil)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if strings.Contains(w.Body.String(), note) != local && w.Code == http.StatusOK {
			t.Errorf("%s is said to be reached by this machine alone: %t", host, !local)
		}
	}
	s.Published = true
	if page := webtest.Get(s, "/embedding").Body.String(); strings.Contains(page, "server=&#34;") ||
		!strings.Contains(page, "dense.json") {
		t.Error("an element of a published folder asks a server, or none is left")
	}
	page := html.UnescapeString(html.UnescapeString(webtest.Get(s, path).Body.String()))
	_, snippets, _ := strings.Cut(page, `id="h-snippets"`)
	for _, address := range regexp.MustCompile(`https?://[^"'<)\s}]*`).FindAllString(snippets, -1) {
		if !strings.Contains(address, "/embed?") && !strings.HasSuffix(address, "/attention-map.js") {
			t.Errorf("a published folder has no %s", address)
		}
	}
	for _, want := range []string{note, "](dense-layer1-mean.png)", "dense-layer1-mean.svg",
		`src="dense-layer1-mean.json"`, "{dense-layer1-mean.pdf}"} {
		if !strings.Contains(snippets, want) {
			t.Errorf("a published folder does not name %s", want)
		}
	}
}
