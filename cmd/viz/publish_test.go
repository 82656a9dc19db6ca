package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// portable is the program of a release, which the tests run without the processor's vector instructions, as in a
// browser, and the site that it has published under /deep/atlas/.
type portable struct {
	viz, site string // the program, and the folder above deep
	said      string // output of publishing
}

// command prepares a run of the program.
func (p portable) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.viz, args...)
	cmd.Env = append(os.Environ(), "VIZ_COMPUTE=portable")
	return cmd
}

var published browsertest.Shared[portable]

// publishing builds the program and publishes a folder, once.
func publishing(t *testing.T) portable {
	t.Helper()
	programs := forBrowsers(t)
	return published.Get(t, func() portable {
		dir, err := os.MkdirTemp("", "viz-published-")
		must(t, err)
		browsertest.AtEnd(func() { _ = os.RemoveAll(dir) })
		p := portable{viz: filepath.Join(dir, "viz"), site: filepath.Join(dir, "site")}
		must(t, programs.WritePrebuilt(dir))
		output(t, exec.Command("go", "build", "-buildvcs=false", "-tags", "release", "-overlay", carrying(t, dir),
			"-o", p.viz, "."))
		p.said = output(t, p.command("publish", filepath.Join(p.site, "deep", "atlas")))
		return p
	})
}

// carrying returns a file for go build -overlay that puts the programs for browsers in dir where a release embeds them.
func carrying(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "prebuilt", "*"))
	must(t, err)
	embedded, err := filepath.Abs(filepath.Join(root, "web", "publish", "prebuilt"))
	must(t, err)
	replace := map[string]string{}
	for _, file := range files {
		replace[filepath.Join(embedded, filepath.Base(file))] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	must(t, err)
	name := filepath.Join(dir, "overlay.json")
	must(t, os.WriteFile(name, overlay, 0o600))
	return name
}

// output runs a program that must succeed, and returns its output.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	errs := &bytes.Buffer{}
	cmd.Stderr = errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, errs)
	}
	return string(out)
}

// serve starts viz serve of the portable program with more arguments, and returns its address.
func (p portable) serve(t *testing.T, more ...string) string {
	t.Helper()
	cmd := p.command(append([]string{"serve", "--addr", "127.0.0.1:0"}, more...)...)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var said []byte
	for part := make([]byte, 256); !bytes.Contains(said, []byte("Ctrl-C")); {
		n, err := out.Read(part)
		must(t, err)
		said = append(said, part[:n]...)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return regexp.MustCompile(`http://([^/]+)/`).FindStringSubmatch(string(said))[1]
}

// nodeFor returns the path of Node, which runs the program for browsers without a browser.
func nodeFor(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal("node is missing, so the program for browsers cannot be tested")
	} else if err != nil {
		t.Skip("SKIPPED, NOT CHECKED: node is not installed, so the program for browsers was not tested")
	}
	return node
}

// publishedAnswer is what the program of a published folder answers, and the files that it had fetched then.
type publishedAnswer struct {
	Status  int
	Headers [][2]string
	Body    []byte
	Fetched []string
}

// publishedAnswers runs the program of a published folder in Node, and returns its answers to these paths.
func publishedAnswers(t *testing.T, site string, paths ...string) []publishedAnswer {
	t.Helper()
	out := output(t, exec.Command(nodeFor(t), append([]string{"testdata/published.cjs", site}, paths...)...))
	answers, decoder := make([]publishedAnswer, len(paths)), json.NewDecoder(strings.NewReader(out))
	for i := range answers {
		must(t, decoder.Decode(&answers[i]))
	}
	return answers
}

// TestPublishedProgramAnswersAsAServer: the program for browsers answers with the bytes of a server without vector
// instructions, and fetches weights only when it needs them.
func TestPublishedProgramAnswersAsAServer(t *testing.T) {
	nodeFor(t)   // skips without Node
	t.Parallel() // it mostly waits for compilers
	p := publishing(t)
	server := p.serve(t)
	static := func(path string) bool { return strings.HasPrefix(path, "/static/") } // files of the folder
	paths := append([]string{"/about", "/results", "/docs/guide"}, slices.DeleteFunc(sameEverywhere(), static)...)
	for i, got := range publishedAnswers(t, filepath.Join(p.site, "deep", "atlas"), paths...) {
		path := paths[i]
		want, body := asking(t, server, path)
		if got.Status != want.StatusCode || !bytes.Equal(got.Body, body) {
			t.Errorf("%s: %d with %d bytes, of a server %d with %d others: %s", path, got.Status, len(got.Body), want.StatusCode,
				len(body), apart(got.Body, body))
		}
		for _, key := range []string{"ETag", "Content-Type", "Content-Security-Policy", "Location"} {
			if value := want.Header.Get(key); value != "" &&
				!slices.Contains(got.Headers, [2]string{http.CanonicalHeaderKey(key), value}) {
				t.Errorf("%s has no %s: %s", path, key, value)
			}
		}
		if weights := strings.Contains(strings.Join(got.Fetched, " "), "weights/"); weights != (i > 2) {
			t.Errorf("after %s these files were fetched: %v", path, got.Fetched)
		}
	}
}

// apart returns the place where two texts begin to differ.
func apart(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	part := func(s []byte) []byte { return s[max(0, i-60):min(len(s), i+60)] }
	return fmt.Sprintf("%q and %q", part(a), part(b))
}

// TestPublishedTransfer: a browser fetches at most 8 MB before the engine answers, with room to grow.
func TestPublishedTransfer(t *testing.T) {
	said := publishing(t).said
	var size float64
	if _, err := fmt.Sscanf(said[strings.Index(said, ": ")+1:], "%f MB to load", &size); err != nil || size < 5 ||
		size > 7.3 {
		t.Errorf("%g MB (%v) are too many or no size: %s", size, err, said)
	}
}

// TestPublishedFolder: a plain file host shows the pages, and the browser then computes a typed text like a server.
// Everything comes from the folder, and only its files are requested.
func TestPublishedFolder(t *testing.T) {
	p := publishing(t)
	var asked recorderOf
	host := httptest.NewServer(asked.around(http.FileServer(http.Dir(p.site))))
	browsertest.AtEnd(host.Close)
	ctx := tabFor(t, 8*time.Minute)
	base := host.URL + "/deep/atlas/"
	must(t, chromedp.Do(ctx, chromedp.Navigate(base+"m/dense?text=the+old+cat")))
	booted(t, ctx)
	if got := ask[string](t, ctx, `location.href`); got != base+"m/dense?text=the+old+cat" {
		t.Errorf("the page is at %s", got)
	}
	drawn := `[...document.querySelectorAll('.map')].length > 0 && [...document.querySelectorAll('.map')].every((m) => m.querySelector('canvas'))`
	eventually(t, ctx, drawn)
	visit(t, ctx, base)
	eventually(t, ctx, drawn)
	ask[bool](t, ctx, `(() => { const b = document.getElementById('c-text'); b.value = 'my own words here'; b.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `location.search.includes('my+own+words+here')
		&& [...document.querySelectorAll('.token')].some((c) => c.textContent === 'own')`)
	eventually(t, ctx, drawn)
	ask[bool](t, ctx, `document.getElementById('look-next').click() || true`)
	eventually(t, ctx, `location.search.includes('walk=1') && document.getElementById('look-up')
		&& document.getElementById('c-text').value.startsWith('The cat')`)
	ask[bool](t, ctx, `setTimeout(() => document.getElementById('look-up').click()) > 0`)
	eventually(t, ctx, `location.href.startsWith('`+base+
		`?') && location.search.endsWith('&text=my+own+words+here') && document.documentElement.dataset.ready === 'true' && document.getElementById('c-text')?.value === 'my own words here'`)
	eventually(t, ctx, drawn)
	const numbers = "api/v1/attend?text=my+own+words+here&m=dot-product,random,dense,fastformer"
	got := ask[string](t, ctx, `fetch('`+numbers+`').then((r) => r.text())`)
	if _, want := asking(t, p.serve(t), "/"+numbers); got != string(want) {
		t.Errorf("numbers are not those of a server: %s", apart([]byte(got), want))
	}
	ask[bool](t, ctx, `saving()`)
	ask[bool](t, ctx, `document.querySelector('#card-dense a.export[download]').click() || true`)
	eventually(t, ctx, `window.kept?.download === 'dense-layer2-3.png'`) // saved by the page, not the browser
	path := ask[string](t, ctx, `document.querySelector('#card-dense a.export[download]').getAttribute('href')`)
	if _, want := asking(t, p.serve(t), strings.TrimPrefix(path, ".")); ask[string](t, ctx,
		`new Response(window.file).bytes().then((b) => b.toBase64())`) != base64.StdEncoding.EncodeToString(want) {
		t.Error("the figure is not that of a server")
	}
	visit(t, ctx, base+"?m=dense&race=all&text=my+own+words")
	eventually(t, ctx, fmt.Sprintf(`document.querySelectorAll('#race .turn').length === %d * 3`, len(browsertest.OwnModels())-1)+
		` && !document.querySelector('.race-waits') && document.getElementById('race-progress').textContent === ''`)
	// at the next visit the file is shown at once, while the engine starts
	always(t, ctx, `addEventListener('DOMContentLoaded', () => {
		if (performance.getEntriesByType('navigation')[0].workerStart > 0 && document.getElementById('atlas-state')) sessionStorage.meanwhile = 1; })`)
	for tries := 0; !ask[bool](t, ctx, `'meanwhile' in sessionStorage`); tries++ {
		if tries == 20 {
			t.Fatal("a page is not shown before its engine has started again")
		}
		_, err := chromedp.Call(ctx, serviceworker.Enable, cdp.Empty{})
		must(t, err)
		_, err = chromedp.Call(ctx, serviceworker.StopAllWorkers, cdp.Empty{})
		must(t, err)
		must(t, chromedp.Do(ctx, chromedp.Navigate(base)))
		booted(t, ctx)
	}
	eventually(t, ctx, drawn)
	for _, path := range asked.paths() {
		name := filepath.Join(p.site, filepath.FromSlash(path))
		if _, err := os.Stat(name); err != nil && path != "/favicon.ico" {
			t.Errorf("the host was asked for %s", path)
		}
	}
	if got := ask[[]string](t, ctx, `performance.getEntriesByType('resource').map((e) => e.name).filter((u) => !u.startsWith('`+base+`') && !u.startsWith('data:') && !u.startsWith('blob:'))`); len(got) > 0 {
		t.Errorf("asked outside of the folder: %v", got)
	}
	host.Close() // fetched files are there without a network
	visit(t, ctx, base+"?text=nobody+serves+this")
	eventually(t, ctx, `[...document.querySelectorAll('.token')].some((c) => c.textContent === 'nobody')`)
	eventually(t, ctx, drawn)
}

// TestPublishedAddressesWithoutFiles: an export without a file is answered at the first visit, at a host with a 404
// page. An address that the engine does not know is not found.
func TestPublishedAddressesWithoutFiles(t *testing.T) {
	p := publishing(t)
	atlas := filepath.Join(p.site, "deep", "atlas")
	files := http.StripPrefix("/deep/atlas", http.FileServer(http.Dir(atlas)))
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := os.Stat(filepath.Join(p.site, filepath.FromSlash(r.URL.Path))); err == nil {
			files.ServeHTTP(w, r)
			return
		}
		page, err := os.ReadFile(filepath.Join(atlas, "404.html"))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(page)
	}))
	browsertest.AtEnd(host.Close)
	ctx := tabFor(t, 8*time.Minute)
	const path = "/export/dense.json?text=nobody+wrote+this+file"
	must(t, chromedp.Do(ctx, chromedp.Navigate(host.URL+"/deep/atlas"+path)))
	eventually(t, ctx, `document.body?.innerText.includes('"nobody"')`)
	must(t, chromedp.Do(ctx, chromedp.Navigate(host.URL+"/elsewhere/no-such-file")))
	eventually(t, ctx, `document.getElementById('atlas-state')?.textContent === 'Check the address, or start from the first page.'`)
}

// TestPublishedFolderFromFiles: opened from files, without a host, the folder is the whole product. Pages compute
// typed texts, links lead from page to page and back, pictures and figures equal a server's, and nothing outside of
// the folder is requested.
func TestPublishedFolderFromFiles(t *testing.T) {
	p := publishing(t)
	ctx := tabFor(t, 8*time.Minute)
	base := "file://" + filepath.ToSlash(filepath.Join(p.site, "deep", "atlas")) + "/"
	at := func(path string) { t.Helper(); must(t, chromedp.Do(ctx, chromedp.Navigate(base+path))); booted(t, ctx) }
	do := func(what string) { t.Helper(); ask[bool](t, ctx, `(() => { `+what+`; return true; })()`) }
	leave := func(by string) {
		t.Helper()
		do(`setTimeout(() => { ` + by +
			`; })`)
	} // the page may be gone before it reports that it will be
	const drawn = `[...document.querySelectorAll('.map')].length > 0 && [...document.querySelectorAll('.map')].every((m) => m.querySelector('canvas'))`
	const pictured = `document.querySelector('main img') && [...document.querySelectorAll('main img')].every((i) => { i.loading = 'eager'; return i.complete && i.naturalWidth > 0; })`
	const answered = `document.querySelector('main') && !document.getElementById('atlas-state')`
	word := func(s string) string {
		return `[...document.querySelectorAll('.token')].some((c) => c.textContent === '` + s + `')`
	}
	at("m/dense/index.html?text=the+old+cat")
	eventually(t, ctx, drawn)
	eventually(t, ctx, word("old"))
	at("index.html")
	do(`const b = document.getElementById('c-text'); b.value = 'my own words 漢'; b.dispatchEvent(new Event('input', { bubbles: true }))`)
	eventually(t, ctx, `location.search.includes('my+own+words') && `+word("own"))
	eventually(t, ctx, drawn)
	eventually(t, ctx, `[...document.fonts].some((f) => f.family.includes('Atlas') && f.unicodeRange.includes('U+6F00')
		&& f.status === 'loaded')`)
	server := p.serve(t)
	const numbers = "api/v1/attend?text=my+own+words&m=dot-product,random,dense,fastformer"
	if _, want := asking(t, server, "/"+numbers); ask[string](t, ctx, `fetch('`+numbers+
		`').then((r) => r.text())`) != string(want) {
		t.Error("numbers are not those of a server")
	}
	// a saved file: the saving click is on a link with the file's name
	do(`window.kept = null; const click = HTMLAnchorElement.prototype.click; HTMLAnchorElement.prototype.click = function () { if (this.download) window.kept = this; else click.call(this); }`)
	do(`[...document.querySelectorAll('#card-dense a')].find((a) => a.textContent.trim() === 'PNG').click()`)
	eventually(t, ctx, `window.kept`)
	if got := ask[string](t, ctx, `window.kept.download`); got != "dense-layer2-3.png" {
		t.Errorf("the figure is kept as %s", got)
	}
	path := ask[string](t, ctx, `[...document.querySelectorAll('#card-dense a')].find((a) => a.textContent.trim() === 'PNG').getAttribute('href')`)
	if _, want := asking(t, server, strings.TrimPrefix(path, ".")); ask[string](t, ctx,
		`fetch(window.kept.href).then((r) => r.bytes()).then((b) => b.toBase64())`) != base64.StdEncoding.EncodeToString(want) {
		t.Error("the figure is not that of a server")
	}
	leave(`document.querySelector('#pages a[href*="compare"]').click()`)
	eventually(t, ctx, `location.href.startsWith('`+base+`compare/index.html?')`)
	booted(t, ctx)
	eventually(t, ctx, `document.querySelectorAll('main canvas').length >= 3`) // two maps and their difference
	leave(`document.querySelector('#pages a[href*="gallery"]').click()`)
	eventually(t, ctx, `location.href.startsWith('`+base+`gallery/index.html') && `+answered)
	eventually(t, ctx, pictured)
	leave(`history.go(-2)`)
	eventually(t, ctx, `location.href.startsWith('`+base+
		`index.html?') && document.getElementById('c-text')?.value.startsWith('my own')`)
	booted(t, ctx)
	eventually(t, ctx, drawn)
	do(`document.getElementById('look-next').click()`)
	eventually(t, ctx, `location.href.startsWith('`+base+
		`index.html?') && location.search.includes('walk=1') && document.getElementById('look-up') && document.getElementById('c-text').value.startsWith('The cat')`)
	leave(`document.getElementById('look-up').click()`)
	eventually(t, ctx, `location.href.startsWith('`+base+
		`index.html?') && location.search.includes('&text=my+own+words') && document.getElementById('c-text')?.value.startsWith('my own')`)
	booted(t, ctx)
	eventually(t, ctx, drawn)
	leave(`[...document.querySelectorAll('#controls a')].find((a) => a.pathname.endsWith('take/wall')).click()`)
	eventually(t, ctx, `location.href.startsWith('`+base+`take/wall/index.html?') && `+answered)
	eventually(t, ctx, pictured)
	if got := ask[[]string](t, ctx, `performance.getEntriesByType('resource').map((e) => e.name).filter((u) => !u.startsWith('`+base+`') && !u.startsWith('data:') && !u.startsWith('blob:'))`); len(got) > 0 {
		t.Errorf("asked outside of the folder: %v", got)
	}
	leave(`const link = document.createElement('a'); link.href = new URL('../export/dense.png?layer=99', document.baseURI); link.download = 'dense.png'; document.body.append(link); link.click()`)
	eventually(t, ctx, `location.protocol === 'blob:' && document.body.innerText.includes('99')`) // not saved
}

// TestPublishedFolderInOldBrowsers: in browsers without import maps, pages from files show the maps that were
// computed before, and link to the page that computes.
func TestPublishedFolderInOldBrowsers(t *testing.T) {
	p := publishing(t)
	ctx := tab(t)
	base := "file://" + filepath.ToSlash(filepath.Join(p.site, "deep", "atlas"))
	always(t, ctx, `delete HTMLScriptElement.supports`)
	must(t, chromedp.Do(ctx, chromedp.Navigate(base+"/m/dense/index.html")))
	eventually(t, ctx, `document.querySelector('#atlas-state a')`)
	ask[bool](t, ctx, `(() => { setTimeout(() => document.querySelector('#atlas-state a').click()); return true; })()`)
	eventually(t, ctx, `location.href === '`+base+`/open.html' && document.documentElement.dataset.ready === 'true'`)
	ask[bool](t, ctx, `(() => { const e = document.getElementById('text'); e.value = 'from a stick'; e.dispatchEvent(new Event('input')); return true; })()`)
	eventually(t, ctx, `[...document.querySelectorAll('attention-map')].every((m) => m.figure?.rows.includes('from'))`)
}

// booted waits until the engine has replaced the published page, which can take long on a busy machine.
func booted(t *testing.T, ctx context.Context) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if is, err := browsertest.Evaluate[bool](ctx,
			`!document.getElementById('atlas-state') && document.documentElement.dataset.ready === 'true'`); err == nil && is {
			return
		}
	}
	t.Fatalf("no engine: %s", ask[string](t, ctx, `document.getElementById('atlas-state')?.textContent + location.href`))
}

// always runs a script in every page before the page's own, as long as the test has the tab.
func always(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	added, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	must(t, err)
	t.Cleanup(func() {
		_, err := chromedp.Call(ctx, cdppage.RemoveScriptToEvaluateOnNewDocument,
			cdppage.RemoveScriptToEvaluateOnNewDocumentParams(added))
		must(t, err)
	})
}

// recorderOf records the paths of requests to a handler.
type recorderOf struct {
	mu  sync.Mutex
	all []string
}

func (r *recorderOf) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		r.all = append(r.all, q.URL.Path)
		r.mu.Unlock()
		next.ServeHTTP(w, q)
	})
}

func (r *recorderOf) paths() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(r.all)))
}
