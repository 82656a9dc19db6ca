package export_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"attnatlas/static"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestSnippetsWork copies every snippet of /embedding into a page of another origin, and looks at what it shows.
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
