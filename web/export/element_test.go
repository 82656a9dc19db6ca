package export_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/static"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// course returns a site of another origin: pages with their own policy, the module and a data file,
// without an Atlas server.
func course(t *testing.T, files map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := files[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
			return
		case strings.HasSuffix(r.URL.Path, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
		case strings.HasSuffix(r.URL.Path, ".json"):
			w.Header().Set("Content-Type", "application/json")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		fmt.Fprint(w, file)
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

const elementPage = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>A lesson</title><script type="module" src="%s"></script>
<main><h1>A lesson</h1><attention-map id="map" %s></attention-map></main></html>`

const shadow = `document.getElementById('map').shadowRoot`

// TestElementFromAFile draws a map from a data file, with axes, legend, values for pointer and
// keys, and a table. The page can reach only its own site.
func TestElementFromAFile(t *testing.T) {
	tab := browsertest.Open(t)
	_, data := browsertest.Fetch(t, browsertest.Server(t).URL+"/export/dense.json?text=the+old+cat")
	site := course(t, map[string]string{
		"/attention-map.js": string(static.Content(static.Element)), "/dense.json": data,
		"/": strings.Replace(fmt.Sprintf(elementPage, "attention-map.js", `src="dense.json" norm="absolute"`), "<title>",
			`<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self'"><title>`, 1),
	})
	tab.Do(chromedp.Navigate(site + "/"))
	tab.Eventually(shadow + `?.querySelector('canvas')?.clientHeight > 100`)
	browsertest.Becomes(tab, `[...`+shadow+`.querySelectorAll('.rows bdi')].map((w) => w.textContent).join()`,
		"[CLS],the,old,cat,[SEP]")
	browsertest.Becomes(tab, shadow+`.querySelector('figcaption .ends').innerText.replace(/\s+/g, ' ')`,
		"0 probability, from 0 to 1 1")
	browsertest.Becomes(tab, shadow+`.querySelector('.title').checkVisibility()`, true)
	browsertest.Becomes(tab, shadow+`.querySelector('.corner').textContent`, "attended to →\nattends ↓")
	tab.Settled()
	at := browsertest.Ask[[]float64](tab, `(() => { const b = `+shadow+
		`.querySelector('canvas').getBoundingClientRect(); return [b.left + b.width * 1.5 / 5, b.top + b.height * 2.5 / 5]; })()`)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	// row 2 (old) and column 1 (the), as in the data file
	tab.Eventually(shadow + `.querySelector('.says').textContent.startsWith('old → the: ') && Number(` + shadow +
		`.querySelector('.says b').title) === document.getElementById('map').figure.values[2][1]`)
	tab.Do(chromedp.MouseClickXY(at[0], at[1]), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.End))
	tab.Eventually(shadow + `.querySelector('.says').textContent.startsWith('cat → [SEP]: ')`)
	painted := browsertest.Ask[[]int](tab, `[...`+shadow+
		`.querySelector('canvas').getContext('2d').getImageData(0, 3, 1, 1).data]`)
	if value := browsertest.Ask[float64](tab, `document.getElementById('map').figure.values[3][0]`); value < 0.9 ||
		painted[0] < 200 || painted[2] > 120 {
		t.Errorf("%v is painted %v", value, painted)
	}
	browsertest.Becomes(tab, `(() => { const d = `+shadow+
		`.querySelector('details'); d.open = true; const r = d.querySelectorAll('tbody tr'); return [r.length, r[2].querySelector('th').textContent, r[2].querySelectorAll('td').length].join('/'); })()`, "5/old/5")
	light := browsertest.Ask[string](tab, `getComputedStyle(document.getElementById('map')).color`)
	browsertest.Ask[bool](tab, `document.getElementById('map').setAttribute('theme', 'dark') ?? true`)
	tab.Eventually(`getComputedStyle(document.getElementById('map')).color !== '` + light + `'`)
	browsertest.Ask[bool](tab, `(() => { document.getElementById('map').figure = { rows: ['a', '猫'], cols: ['a', '猫'], values: [[0.5, null], [0.5, 0]], nothing: ['.f', '..'], reasons: { f: 'out of reach' } }; return true; })()`)
	inked := func(x, y string) string {
		return `(() => { const c = ` + shadow + `.querySelector('.hatch'); return new Set(c.getContext('2d').getImageData(` +
			x + `, ` + y + `, c.width / 2 - 4, c.height / 2 - 4).data).size > 1; })()`
	}
	tab.Eventually(inked("c.width / 2 + 2", "2"))
	browsertest.Becomes(tab, inked("2", "2")+` || `+inked("c.width / 2 + 2", "c.height / 2 + 2"), false)
	browsertest.Becomes(tab, `(document.getElementById('map').point(0, 1), `+shadow+
		`.querySelector('.says b').textContent)`, "out of reach")
	browsertest.Becomes(tab, shadow+`.querySelectorAll('.cols .square').length`, 1)
	browsertest.Ask[bool](tab, `(() => { document.getElementById('map').figure = { rows: ['a'], cols: ['b'], values: [[1, 2]] }; return true; })()`)
	browsertest.Becomes(tab, shadow+`.querySelector('[role=alert]').textContent`, "attention-map: values: 1 × 1")
}

// TestElementFromAServer requests a map from a server of another origin, shows the server's errors,
// and follows its attributes.
func TestElementFromAServer(t *testing.T) {
	tab := browsertest.Open(t)
	atlas := browsertest.Server(t).URL
	site := course(t, map[string]string{"/": fmt.Sprintf(elementPage, atlas+"/attention-map.js", `server="`+atlas+
		`/" mechanism="random" text="the old cat"`)})
	tab.Do(chromedp.Navigate(site + "/"))
	tab.Eventually(shadow + `?.querySelector('.title')?.textContent.startsWith('Learned random')`)
	browsertest.Ask[bool](tab, `document.getElementById('map').setAttribute('text', 'a red bird') ?? true`)
	tab.Eventually(shadow + `.querySelector('.rows')?.textContent.includes('bird')`)
	browsertest.Ask[bool](tab, `document.getElementById('map').setAttribute('layer', '99') ?? true`)
	tab.Eventually(shadow + `.querySelector('[role=alert]')?.textContent.includes('layer')`)
}

// TestElementAsAWidget: a notebook's model is drawn, followed, informed of pins, and removed.
func TestElementAsAWidget(t *testing.T) {
	tab := browsertest.Open(t)
	_, data := browsertest.Fetch(t, browsertest.Server(t).URL+"/export/dense.json?text=the+old+cat")
	site := course(t, map[string]string{"/attention-map.js": string(static.Content(static.Element)),
		"/": `<!DOCTYPE html><div id="cell"></div>`})
	tab.Do(chromedp.Navigate(site + "/"))
	browsertest.Ask[bool](tab, `widget(`+data+`)`)
	tab.Eventually(`document.querySelector('#cell attention-map').shadowRoot.querySelectorAll('.rows bdi').length === 5`)
	browsertest.Ask[bool](tab, `(() => { change('figure', { rows: ['x', 'y'], cols: ['x', 'y'], values: [[0.5, 0.5], [1, 0]] }); return true; })()`)
	tab.Eventually(`document.querySelector('#cell attention-map').shadowRoot.querySelectorAll('.rows bdi').length === 2
		&& document.querySelector('#cell attention-map').shadowRoot.querySelector('canvas')`)
	browsertest.Ask[bool](tab, `(() => { const map = document.querySelector('#cell attention-map'); map.point(1, 0); map.shadowRoot.querySelector('.map').click(); return true; })()`)
	tab.Eventually(`window.saved?.value === 1 && window.saved.words.join() === 'y,x'`)
	if !browsertest.Ask[bool](tab, `(() => { leave(); return !document.querySelector('attention-map')
		&& !heard.change; })()`) {
		t.Error("the widget stays")
	}
}
