package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// hosting serves the published folder like a file host. The program's files arrive after the delay late.
func (p portable) hosting(t *testing.T, late time.Duration) (base string) {
	t.Helper()
	files := http.FileServer(http.Dir(p.site))
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/atlas.wasm.gz") {
			time.Sleep(late)
		}
		files.ServeHTTP(w, r)
	}))
	browsertest.AtEnd(host.Close)
	return host.URL + "/deep/atlas/"
}

// TestPublishedPageKeepsItsVisitor: a text that is typed before the engine is ready is answered on the same page,
// which keeps the focus, the selection and the scroll position.
func TestPublishedPageKeepsItsVisitor(t *testing.T) {
	base := publishing(t).hosting(t, 3*time.Second)
	ctx := tabFor(t, 8*time.Minute)
	do := func(what string) { t.Helper(); ask[bool](t, ctx, `(() => { `+what+`; return true; })()`) }
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(900, 500), chromedp.Navigate(base+"?theme=dark")))
	eventually(t, ctx, `document.getElementById('atlas-state')?.textContent.includes('loading')`)
	do(`window.stayed = true; const text = document.getElementById('c-text'); text.focus(); text.select()`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("My own words")))
	do(`scrollTo({ top: 90, behavior: 'instant' }); document.getElementById('c-text').setSelectionRange(3, 6)`)
	if !ask[bool](t, ctx, `Boolean(document.getElementById('atlas-state'))`) {
		t.Fatal("the engine was there before anything was typed")
	}
	booted(t, ctx)
	const kept = `JSON.stringify([window.stayed ?? false, document.activeElement.id, text.value, text.selectionStart, text.selectionEnd, scrollY])`
	if got := ask[string](t, ctx, `(() => { const text = document.getElementById('c-text'); return `+kept+
		`; })()`); got != `[true,"c-text","My own words",3,6,90]` {
		t.Errorf("the page has become another one: %s", got)
	}
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((c) => c.textContent === 'own')`)
	if got := ask[string](t, ctx, `location.search`); !strings.Contains(got, "text=My+own+words") ||
		!strings.Contains(got, "theme=dark") {
		t.Errorf("the page is at %s", got)
	}
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("new")))
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((c) => c.textContent === 'new')
		&& location.search.includes('My+new+words')`)
}

// TestPublishedFirstWords: the small program answers a typed text, and the text of an address, while the large one
// loads. A browser fetches at most 3 MB for the first answer, and no model twice.
func TestPublishedFirstWords(t *testing.T) {
	p := publishing(t)
	files := http.FileServer(http.Dir(p.site))
	var mu sync.Mutex
	var bytes int64
	asked := map[string]int{}
	large := make(chan struct{})
	arrives := sync.OnceFunc(func() { close(large) })
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		if name == "atlas.wasm.gz" {
			<-large
		}
		counted := &counting{ResponseWriter: w}
		files.ServeHTTP(counted, r)
		mu.Lock()
		defer mu.Unlock()
		if asked[name]++; asked["dot-product.safetensors.gz"] == 0 { // the second model
			bytes += counted.bytes
		}
	}))
	browsertest.AtEnd(host.Close)
	browsertest.AtEnd(arrives)
	ctx := tabFor(t, 8*time.Minute)
	words := func(id string) string {
		return fmt.Sprintf(`(document.querySelector('#card-%s attention-map')?.shadowRoot.querySelector('.rows')?.textContent ?? '')`, id)
	}
	must(t, chromedp.Do(ctx, chromedp.Navigate(host.URL+"/deep/atlas/?text=A+blue+bird")))
	for _, id := range []string{"fastformer", "dot-product", "dense", "random"} {
		lasting(t, ctx, words(id)+` === '[CLS]Abluebird[SEP]'`, words(id))
	}
	mu.Lock()
	if bytes > 3e6 {
		t.Errorf("%.2f MB were fetched for the first answer", float64(bytes)/1e6)
	}
	mu.Unlock()
	if ask[bool](t, ctx, `[...document.querySelectorAll('.token, .figure, .note')].some((one) => one.checkVisibility({ visibilityProperty: true }))`) {
		t.Error("the page shows what was computed for another text")
	}
	ask[bool](t, ctx, `(() => { const text = document.getElementById('c-text'); text.focus(); text.select(); return true; })()`)
	must(t, chromedp.Do(ctx, chromedp.KeyEvent("My own words")))
	lasting(t, ctx, words("dense")+` === '[CLS]Myownwords[SEP]'`, words("dense"))
	arrives()
	booted(t, ctx)
	eventually(t, ctx, `!document.querySelector('.first-answer')
		&& [...document.querySelectorAll('.token')].some((c) => c.textContent === 'own')`)
	mu.Lock()
	defer mu.Unlock()
	for name, times := range asked {
		if strings.HasSuffix(name, ".safetensors.gz") && times > 1 {
			t.Errorf("%s was fetched %d times", name, times)
		}
	}
}

// counting counts the bytes of an answer.
type counting struct {
	http.ResponseWriter
	bytes int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// framing is a page of another site with a published folder in a frame, from which it requests the words.
const framing = `<!DOCTYPE html><meta charset="utf-8"><iframe id="atlas" %s src="%sembed?text=A+blue+whale&m=dense" width="900" height="500"></iframe><script>
	const frame = document.getElementById('atlas');
	addEventListener('message', ({ source, data }) => {
		if (source !== frame.contentWindow || !data.attentionAtlas) return;
		if (data.event === 'height') frame.contentWindow.postMessage({ attentionAtlas: 1, id: 1, call: 'getState' }, '*');
		if (data.result) window.shown = data.result.text + '/' + data.result.m;
	});
</script>`

// TestPublishedFramesOfEveryHost: a frame of a published folder shows the requested map, never the map of another
// text or an error in the words of programs. In a sandbox it has no service worker.
func TestPublishedFramesOfEveryHost(t *testing.T) {
	base := publishing(t).hosting(t, 0)
	for name, attribute := range map[string]string{
		"other site":  "",
		"WordPress":   `sandbox="allow-scripts" security="restricted"`,
		"same origin": `sandbox="allow-scripts allow-same-origin"`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := otherSite(t, fmt.Sprintf(framing, attribute, base))
			lasting(t, ctx, `window.shown === 'A blue whale/dense'`, `String(window.shown)`)
		})
	}
}

// lasting waits until something holds, which can take long while a busy machine compiles the program.
func lasting(t *testing.T, ctx context.Context, what, instead string) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !ask[bool](t, ctx, what); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("shown is %s", ask[string](t, ctx, instead))
		}
	}
}

// TestPublishedPageWithoutServiceWorkers: without service workers, a worker of the page computes. If no worker can
// compute, the maps of another text are hidden.
func TestPublishedPageWithoutServiceWorkers(t *testing.T) {
	base := publishing(t).hosting(t, 0)
	const words = `[...document.querySelectorAll('.token')].map((c) => c.textContent).join(' ')`
	const refused = `ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('The user denied permission.', 'SecurityError'))`
	for name, before := range map[string]string{
		"no service workers": `delete Navigator.prototype.serviceWorker`,
		"storage refused":    refused,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := tabFor(t, 8*time.Minute)
			always(t, ctx, before)
			must(t, chromedp.Do(ctx, chromedp.Navigate(base+"embed?text=A+blue+whale&m=dense")))
			booted(t, ctx)
			if got := ask[string](t, ctx, words); !strings.Contains(got, "blue") || strings.Contains(got, "cat") {
				t.Errorf("the page shows %s", got)
			}
			eventually(t, ctx, `document.querySelectorAll('.card').length === 1
				&& document.querySelector('#card-dense .map canvas')`)
		})
	}
	t.Run("nothing computes", func(t *testing.T) {
		ctx := tabFor(t, 8*time.Minute)
		always(t, ctx, refused+`; delete globalThis.Worker`)
		must(t, chromedp.Do(ctx, chromedp.Navigate(base+"embed?text=A+blue+whale&m=dense")))
		lasting(t, ctx, `document.getElementById('atlas-state')?.textContent.includes('cannot be shown')`,
			`document.body.innerText.slice(0, 200)`)
		if got := ask[string](t, ctx, `document.body.innerText`); strings.Contains(got, "denied") ||
			strings.Contains(got, "cat") {
			t.Errorf("the page says %.200s", got)
		}
	})
}

// otherSite opens a page of another site.
func otherSite(t *testing.T, page string) context.Context {
	t.Helper()
	around := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(around.Close)
	ctx := tabFor(t, 8*time.Minute)
	must(t, chromedp.Do(ctx, chromedp.Navigate(strings.Replace(around.URL, "127.0.0.1", "localhost", 1))))
	return ctx
}

// TestPublishedFolderWithoutNetwork: after one visit, a folder answers without a network: its pages, its figures, and
// the models of the first view. The program and these models were requested once. Missing files are fetched when the
// network is back.
func TestPublishedFolderWithoutNetwork(t *testing.T) {
	p := publishing(t)
	files := http.FileServer(http.Dir(p.site))
	var down atomic.Bool
	var mu sync.Mutex
	asked := map[string]int{}
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		mu.Lock()
		asked[path.Base(r.URL.Path)]++
		mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	browsertest.AtEnd(host.Close)
	base := host.URL + "/deep/atlas/"
	ctx := tabFor(t, 8*time.Minute)
	must(t, chromedp.Do(ctx, chromedp.Navigate(base)))
	booted(t, ctx)
	eventually(t, ctx, `[...document.querySelectorAll('.map')].length > 0
		&& [...document.querySelectorAll('.map')].every((m) => m.querySelector('canvas'))`)
	const kept = `caches.keys().then((all) => caches.open(all[0])).then((c) => c.keys()).then((all) => all.map(({ url }) => url.split('/').pop()))`
	const needed = `['dejavu-sans.ttf', 'dejavu-sans-bold.ttf', 'late.css', 'cost.js'].every((name) => all.includes(name))`
	lasting(t, ctx, kept+`.then((all) => `+needed+`)`, kept+`.then(String)`)
	down.Store(true)
	const status = `fetch('%s').then((r) => r.status, () => 0)`
	for _, address := range []string{"export/dense.png?text=nobody+serves+this",
		"export/dense.pdf?text=nobody+serves+this", "take/dense?text=nobody+serves+this", "m/dense?text=nobody+serves+this"} {
		if got := ask[int](t, ctx, fmt.Sprintf(status, address)); got != http.StatusOK {
			t.Errorf("without a network %s is %d", address, got)
		}
	}
	const missing = "export/longformer.png?text=nobody+serves+this"
	if got := ask[int](t, ctx, fmt.Sprintf(status, missing)); got != http.StatusServiceUnavailable {
		t.Errorf("without a network %s is %d, though nobody fetched its model", missing, got)
	}
	const says = `fetch('hashing?text=x', { headers: { Accept: 'text/html' } }).then((r) => r.text())`
	if got := ask[string](t, ctx, says); !strings.Contains(got, "Check your network connection") {
		t.Errorf("without a network the page of a model that nobody fetched says %s", got)
	}
	visit(t, ctx, base+"cost?text=nobody+serves+this")
	visit(t, ctx, base+"?text=nobody+serves+this")
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((c) => c.textContent === 'nobody')
		&& [...document.querySelectorAll('link[rel=stylesheet]')].every((l) => l.sheet?.cssRules.length > 20)`)
	down.Store(false)
	if got := ask[int](t, ctx, fmt.Sprintf(status, missing)); got != http.StatusOK {
		t.Errorf("with the network again %s is %d", missing, got)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, name := range []string{"atlas.wasm.gz", "files.json", "kernel.wasm", "dense.safetensors.gz",
		"dot-product.safetensors.gz", "random.safetensors.gz", "fastformer.safetensors.gz"} {
		if asked[name] != 1 {
			t.Errorf("%s was asked for %d times", name, asked[name])
		}
	}
}
