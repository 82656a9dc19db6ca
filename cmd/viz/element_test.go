package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"attnatlas/static"
)

// course is a site of another origin: pages with a policy of their own, the module and a data file, and no atlas.
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

// TestElementFromAFile draws a map from a data file, with axes, legend, values under hand and keys, and a table, in a
// page that can reach nothing but its own site.
func TestElementFromAFile(t *testing.T) {
	ctx := tab(t)
	_, data := fetch(t, pages(t).URL+"/export/dense.json?text=the+old+cat")
	site := course(t, map[string]string{
		"/attention-map.js": string(static.Content(static.Element)), "/dense.json": data,
		"/": strings.Replace(fmt.Sprintf(elementPage, "attention-map.js", `src="dense.json" norm="absolute"`), "<title>", `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self'"><title>`, 1),
	})
	must(t, chromedp.Do(ctx, chromedp.Navigate(site+"/")))
	eventually(t, ctx, shadow+`?.querySelector('canvas')?.clientHeight > 100`)
	becomes(t, ctx, `[...`+shadow+`.querySelectorAll('.rows bdi')].map((w) => w.textContent).join()`, "[CLS],the,old,cat,[SEP]")
	becomes(t, ctx, shadow+`.querySelector('figcaption .ends').innerText.replace(/\s+/g, ' ')`, "0 probability, absolute scale 1")
	becomes(t, ctx, shadow+`.querySelector('.title').checkVisibility()`, true)
	becomes(t, ctx, shadow+`.querySelector('.corner').textContent`, "is read →\nreads ↓")
	settled(t, ctx)
	at := ask[[]float64](t, ctx, `(() => { const b = `+shadow+`.querySelector('canvas').getBoundingClientRect(); return [b.left + b.width * 1.5 / 5, b.top + b.height * 2.5 / 5]; })()`)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])))
	// row 2 (old) and column 1 (the), as the data file has it
	eventually(t, ctx, shadow+`.querySelector('.says').textContent.startsWith('old reads the: ') && Number(`+shadow+`.querySelector('.says b').title) === document.getElementById('map').figure.values[2][1]`)
	must(t, chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1]), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.End)))
	eventually(t, ctx, shadow+`.querySelector('.says').textContent.startsWith('cat reads [SEP]: ')`)
	painted := ask[[]int](t, ctx, `[...`+shadow+`.querySelector('canvas').getContext('2d').getImageData(0, 1, 1, 1).data]`)
	if value := ask[float64](t, ctx, `document.getElementById('map').figure.values[1][0]`); value < 0.9 || painted[0] < 200 || painted[2] > 120 {
		t.Errorf("%v is painted %v", value, painted)
	}
	becomes(t, ctx, `(() => { const d = `+shadow+`.querySelector('details'); d.open = true; const r = d.querySelectorAll('tbody tr'); return [r.length, r[2].querySelector('th').textContent, r[2].querySelectorAll('td').length].join('/'); })()`, "5/old/5")
	light := ask[string](t, ctx, `getComputedStyle(document.getElementById('map')).color`)
	ask[bool](t, ctx, `document.getElementById('map').setAttribute('theme', 'dark') ?? true`)
	eventually(t, ctx, `getComputedStyle(document.getElementById('map')).color !== '`+light+`'`)
	ask[bool](t, ctx, `(() => { document.getElementById('map').figure = { rows: ['a', '猫'], cols: ['a', '猫'], values: [[0.5, null], [0.5, 0]], nothing: ['.f', '..'], reasons: { f: 'out of reach' } }; return true; })()`)
	inked := func(x, y string) string {
		return `(() => { const c = ` + shadow + `.querySelector('.hatch'); return new Set(c.getContext('2d').getImageData(` + x + `, ` + y + `, c.width / 2 - 4, c.height / 2 - 4).data).size > 1; })()`
	}
	eventually(t, ctx, inked("c.width / 2 + 2", "2"))
	becomes(t, ctx, inked("2", "2")+` || `+inked("c.width / 2 + 2", "c.height / 2 + 2"), false)
	becomes(t, ctx, `(document.getElementById('map').point(0, 1), `+shadow+`.querySelector('.says b').textContent)`, "out of reach")
	becomes(t, ctx, shadow+`.querySelectorAll('.cols .square').length`, 1)
	ask[bool](t, ctx, `(() => { document.getElementById('map').figure = { rows: ['a'], cols: ['b'], values: [[1, 2]] }; return true; })()`)
	becomes(t, ctx, shadow+`.querySelector('[role=alert]').textContent`, "attention-map: values: 1 × 1")
}

// TestElementFromAServer asks a server of another origin, says what it answers when it cannot, and follows its attributes.
func TestElementFromAServer(t *testing.T) {
	ctx := tab(t)
	atlas := pages(t).URL
	site := course(t, map[string]string{"/": fmt.Sprintf(elementPage, atlas+"/attention-map.js", `server="`+atlas+`/" mechanism="random" text="the old cat"`)})
	must(t, chromedp.Do(ctx, chromedp.Navigate(site+"/")))
	eventually(t, ctx, shadow+`?.querySelector('.title')?.textContent.startsWith('Learned random')`)
	ask[bool](t, ctx, `document.getElementById('map').setAttribute('text', 'a red bird') ?? true`)
	eventually(t, ctx, shadow+`.querySelector('.rows')?.textContent.includes('bird')`)
	ask[bool](t, ctx, `document.getElementById('map').setAttribute('layer', '99') ?? true`)
	eventually(t, ctx, shadow+`.querySelector('[role=alert]')?.textContent.includes('layer')`)
}

// TestElementAsAWidget: a notebook's model is drawn, followed, told of pins, and left.
func TestElementAsAWidget(t *testing.T) {
	ctx := tab(t)
	_, data := fetch(t, pages(t).URL+"/export/dense.json?text=the+old+cat")
	site := course(t, map[string]string{"/attention-map.js": string(static.Content(static.Element)), "/": `<!DOCTYPE html><div id="cell"></div>`})
	must(t, chromedp.Do(ctx, chromedp.Navigate(site+"/")))
	ask[bool](t, ctx, `(async () => {
		const widget = (await import('/attention-map.js')).default;
		const values = { figure: `+data+`, norm: 'map' }, heard = {};
		window.model = { get: (key) => values[key], set: (key, value) => { values[key] = value; }, on: (name, f) => { heard[name] = f; }, off: (name) => { delete heard[name]; }, save_changes: () => { window.saved = values.pin; } };
		window.change = (key, value) => { values[key] = value; heard.change(); };
		window.heard = heard;
		window.leave = widget.render({ model, el: document.getElementById('cell') });
		return true;
	})()`)
	eventually(t, ctx, `document.querySelector('#cell attention-map').shadowRoot.querySelectorAll('.rows bdi').length === 5`)
	ask[bool](t, ctx, `(() => { change('figure', { rows: ['x', 'y'], cols: ['x', 'y'], values: [[0.5, 0.5], [1, 0]] }); return true; })()`)
	eventually(t, ctx, `document.querySelector('#cell attention-map').shadowRoot.querySelectorAll('.rows bdi').length === 2 && document.querySelector('#cell attention-map').shadowRoot.querySelector('canvas')`)
	ask[bool](t, ctx, `(() => { const map = document.querySelector('#cell attention-map'); map.point(1, 0); map.shadowRoot.querySelector('.map').click(); return true; })()`)
	eventually(t, ctx, `window.saved?.value === 1 && window.saved.words.join() === 'y,x'`)
	if !ask[bool](t, ctx, `(() => { leave(); return !document.querySelector('attention-map') && !heard.change; })()`) {
		t.Error("the widget stays")
	}
}

// TestConnect: the module's other half drives a frame with promises.
func TestConnect(t *testing.T) {
	atlas := pages(t).URL
	ctx := lecture(t, fmt.Sprintf(`<!DOCTYPE html><iframe id="atlas" src="%s/embed?text=the+old+cat&m=dense" width="700" height="100"></iframe><script type="module">
		import { connect } from '%[1]s/attention-map.js';
		const atlas = await connect(document.getElementById('atlas'));
		await atlas.on('pin', (pin) => { window.pinned = pin; });
		window.before = await atlas.getState();
		window.after = await atlas.setState({ m: ['random'], pin: '2.3' });
		window.refused = await atlas.setState({ nothing: 1 }).catch((error) => error.message);
	</script>`, atlas))
	eventually(t, ctx, `window.before?.m === 'dense' && window.after?.m === 'random' && window.pinned?.col === 3 && window.refused?.includes('No parameter named nothing') && document.getElementById('atlas').clientHeight > 250`)
}
