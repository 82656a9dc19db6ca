package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/method"
	"attnatlas/web/address"
	"attnatlas/web/browsertest"
	"attnatlas/web/live"
	plates "attnatlas/web/live/figures"
	"attnatlas/web/publish"
	"attnatlas/web/site"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// numbered is the part of a data file that is drawn.
type numbered struct {
	Title      string
	Rows, Cols []string
	Values     [][]*float32
	Kind       string
}

// TestLiveFiguresAreExports: for every mechanism and architecture, a live figure gets the same numbers as /export.
func TestLiveFiguresAreExports(t *testing.T) {
	server, err := weights{}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	e := engine.New()
	const text = "The old cat sat on the mat, and the cat slept."
	arranged := engine.Arrangement{Words: true, Similar: true}
	for _, id := range browsertest.OwnModels() {
		for _, c := range []struct {
			layer, head, show string
			plates.Request
		}{
			{"", "auto", "maps", plates.Request{Head: plates.Distinctive}},
			{"2", "mean", "maps", plates.Request{Layer: 2, Head: plates.Mean}},
			{"1", "2", "maps", plates.Request{Layer: 1, Head: 2}},
			{"1", "mean", "influence", plates.Request{Layer: 1, Map: method.Influence}},
			{"1", "mean", "influence", plates.Request{Layer: 1, Map: method.Influence, Arrangement: arranged}},
			{"2", "2", "maps", plates.Request{Layer: 2, Head: 2, Arrangement: arranged}},
		} {
			if id == encoder.EncoderDecoder.ID && c.show != "maps" {
				continue // it is not measured for two stacks
			}
			q := url.Values{"text": {text}, "head": {c.head}, "show": {c.show}}
			if c.layer != "" {
				q.Set("layer", c.layer)
			}
			if c.Arrangement == arranged {
				q.Set(address.Arrange, "similarity")
				q.Set(address.Special, "0")
			}
			c.Text, c.Mechanism = text, id
			body, err := askServer(t.Context(), server, "/export/"+id+".json", q)
			must(t, err)
			got := plates.Of(t.Context(), e, c.Request)
			if got.Figure == nil {
				t.Errorf("%s %v: %s", id, q, got.Error)
				continue
			}
			if want := drawnIn(t, body); !reflect.DeepEqual(*drawnOf(got.Figure), want) {
				t.Errorf("%s %v: %v is not %v", id, q, got.Figure.Title, want.Title)
			}
		}
	}
}

func drawnOf(f *plates.Figure) *numbered { return &numbered{f.Title, f.Rows, f.Cols, f.Values, f.Kind} }

func drawnIn(t *testing.T, data []byte) (d numbered) {
	t.Helper()
	must(t, json.Unmarshal(data, &d))
	return d
}

var compiled browsertest.Shared[*publish.Program]

// forBrowsers returns the programs for browsers, which viz publish compiles once.
func forBrowsers(t *testing.T) *publish.Program {
	t.Helper()
	if testing.Short() {
		t.Skip("go test -short does not compile for browsers")
	}
	return compiled.Get(t, func() *publish.Program {
		var c publishCmd
		c.programs = newPrograms(context.Background(), root, nil)
		var said bytes.Buffer
		p, err := c.program(context.Background(), &said)
		must(t, err)
		if !strings.Contains(said.String(), "Building") {
			t.Errorf("it says %q", said.String())
		}
		return p
	})
}

// liveServer returns a server that makes live figures.
func liveServer(t *testing.T) *site.Server {
	t.Helper()
	p := &programs{}
	p.keep(forBrowsers(t).Live)
	server, err := weights{programs: p}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	return server
}

// TestLiveFigureComputes: one file, opened from a folder, makes no requests and computes the maps of the typed text,
// with the numbers of the program without vector instructions.
func TestLiveFigureComputes(t *testing.T) {
	server := liveServer(t)
	folder := t.TempDir()
	page, most := livePage(t, server, "/export/wall.html",
		"live=1&text=what+was+there+before&head=mean&norm=map&arrange=similarity&special=0"), 9_000_000
	if len(page) > most {
		t.Errorf("four mechanisms have %d bytes, more than %d", len(page), most)
	}
	file := filepath.Join(folder, "wall.html")
	must(t, os.WriteFile(file, page, 0o600))
	if status, out, errs := viz(t, "inspect", file); status != 0 || !strings.Contains(out,
		"viz render --address '/export/wall.html?arrange=similarity&head=mean&live=1") {
		t.Errorf("inspect: %d %s %s", status, out, errs)
	}
	wall := "file://" + filepath.ToSlash(file)
	ctx := tab(t)
	asked := listening(t, ctx)
	must(t, chromedp.Do(ctx, chromedp.Navigate(wall)))
	becomes(t, ctx, `document.querySelectorAll('attention-map')[1].figure.rows.toSorted().join()`, "before,there,was,what")
	eventually(t, ctx, `document.documentElement.dataset.ready === 'true' && document.documentElement.dataset.shows`)
	const text = "The old cat sat on the mat."
	choose := func(head string) {
		ask[bool](t, ctx, fmt.Sprintf(`(() => { const set = (id, value, event) => { const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event(event)); };
			set('layer', '2', 'change'); set('head', %q, 'change'); set('text', %q, 'input'); return true; })()`, head, text))
	}
	choose("3")
	eventually(t, ctx, fmt.Sprintf(`document.documentElement.dataset.shows.startsWith(JSON.stringify([%q, '2', '3']).slice(0, -1))`, text))
	portable := func(id string, more ...string) numbered {
		file := filepath.Join(folder, id+".json")
		p := start(t, "viz", append([]string{"--compute", "portable", "render", "--mechanism", id, "--text", text, "--layer",
			"2", "--arrange", "similarity", "--special=0", "--out", file}, more...)...)
		if status := p.ends(t); status != 0 {
			t.Fatalf("%d: %s", status, p.said)
		}
		data, err := os.ReadFile(file)
		must(t, err)
		return drawnIn(t, data)
	}
	shown := func(id string) numbered {
		return drawnIn(t, []byte(ask[string](t, ctx, `JSON.stringify(document.querySelector('section[data-mechanism=`+id+
			`] attention-map').figure)`)))
	}
	eventually(t, ctx, `[...document.querySelectorAll('attention-map')].every((m) => m.shadowRoot.querySelector('canvas')?.height === m.figure.rows.length)`)
	for _, id := range []string{"dot-product", "random", "dense", "fastformer"} {
		if got, want := shown(id), portable(id, "--head", "3"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v is not %v; %s", id, got, want, ask[string](t, ctx, `document.body.innerText`))
		}
	}
	ask[bool](t, ctx, `(() => { const e = document.querySelector('section[data-mechanism=dense] [name=map]'); e.value = 'influence'; e.dispatchEvent(new Event('change')); return true; })()`)
	eventually(t, ctx, `document.documentElement.dataset.shows.includes('influence')`)
	if got, want := shown("dense"), portable("dense", "--map", "influence"); !reflect.DeepEqual(got, want) {
		t.Errorf("influence: %v is not %v", got, want)
	}
	ask[bool](t, ctx, `(() => { const m = document.querySelector('attention-map').shadowRoot.querySelector('.map'); m.focus(); m.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' })); return true; })()`)
	eventually(t, ctx, `/: [0-9.]+/.test(document.querySelector('attention-map').shadowRoot.querySelector('.says').textContent)`)
	ask[bool](t, ctx, `(() => { const e = document.getElementById('text'); e.value = ' '; e.dispatchEvent(new Event('input')); return true; })()`)
	eventually(t, ctx, `[...document.querySelectorAll('.wrong')].every((w) => !w.hidden && w.textContent.length > 10)`)
	for _, address := range asked.paths() {
		if address != wall && !strings.HasPrefix(address, "blob:") {
			t.Errorf("the page asked for %s", address)
		}
	}
}

// livePage returns a live figure, and checks the size that the export page names.
func livePage(t *testing.T, server *site.Server, path, query string) []byte {
	t.Helper()
	q, err := url.ParseQuery(query)
	must(t, err)
	page, err := askServer(t.Context(), server, path, q)
	must(t, err)
	q.Del(address.Live)
	take, err := askServer(t.Context(), server, strings.TrimSuffix(strings.Replace(path, "export", "take", 1), ".html"), q)
	must(t, err)
	var said float64
	_, rest, _ := strings.Cut(string(take), ">About ")
	if _, err := fmt.Sscanf(rest, "%f MB", &said); err != nil || math.Abs(said*1e6-float64(len(page))) > 150_000 {
		t.Errorf("%s has %d bytes and is said to have %g MB: %v", path, len(page), said, err)
	}
	return page
}

// TestLiveFiguresAreSmall: a live figure of any mechanism or architecture is one file of at most 4 MB.
func TestLiveFiguresAreSmall(t *testing.T) {
	server := liveServer(t)
	for _, id := range browsertest.OwnModels() {
		const most = 4_000_000
		page := livePage(t, server, "/export/"+id+".html", "live=1")
		t.Logf("%s: %d bytes", id, len(page))
		if len(page) > most {
			t.Errorf("%s has %d bytes, more than %d", id, len(page), most)
		}
	}
}

// TestLiveFigureOnTheWay: the usual changes on the way do not harm a file, such as a wrong charset from a server, or
// other line ends. If characters were changed or the end is missing, the page says so and shows the maps that were
// computed before.
func TestLiveFigureOnTheWay(t *testing.T) {
	page := livePage(t, liveServer(t), "/export/albert.html", "live=1&text=what+was+there")
	const ready, changed = `document.documentElement.dataset.ready === 'true'`,
		`document.getElementById('state').textContent.startsWith('This file was changed')`
	middle := bytes.Index(page, []byte(`id="kernel.wasm"`))
	if middle < 0 {
		t.Fatal("there is no kernel")
	}
	another := byte('?')
	if page[middle-900] == another {
		another = '!'
	}
	for _, c := range []struct {
		name, charset, becomes string
		page                   []byte
	}{
		{"as it is, said to be Latin", "iso-8859-1", ready, page},
		{"without its mark, said to be nothing", "", ready,
			bytes.TrimPrefix(page, []byte("\ufeff"))}, // the page declares it, too
		{"as Windows copies texts", "utf-8", ready, windows(page)},
		{"read as Latin", "utf-8", changed, []byte(latin(page))},
		{"with another character", "utf-8", changed, slices.Concat(page[:middle-900], []byte{another}, page[middle-899:])},
		{"half of it", "utf-8", changed, page[:len(page)/2]},
		{"without its last files", "utf-8", changed, page[:middle-200]},
	} {
		t.Run(c.name, func(t *testing.T) {
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", strings.TrimSuffix("text/html; charset="+c.charset, "; charset="))
				_, _ = w.Write(c.page)
			}))
			defer host.Close()
			ctx := tab(t)
			must(t, chromedp.Do(ctx, chromedp.Navigate(host.URL)))
			eventually(t, ctx, c.becomes)
			eventually(t, ctx, `document.querySelector('attention-map').figure.rows.includes('there')
				&& !document.querySelector('attention-map').hidden`)
		})
	}
}

// windows returns a page as Windows programs copy text: up to the character that ends files there, with CR and LF at
// line ends.
func windows(page []byte) []byte {
	text, _, _ := bytes.Cut(page, []byte("\x1a"))
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}

// latin returns UTF-8 that was mistaken for Latin-1 and encoded as UTF-8 again.
func latin(page []byte) string {
	all := make([]rune, len(page))
	for i, b := range page {
		all[i] = rune(b)
	}
	return string(all)
}

// listening records the addresses that a page requests.
func listening(t *testing.T, ctx context.Context) *recorderOf {
	t.Helper()
	r := &recorderOf{}
	must(t, chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			r.mu.Lock()
			r.all = append(r.all, e.Request.URL)
			r.mu.Unlock()
		}
	}))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	must(t, err)
	return r
}

// TestLiveFiguresRefuse: impossible requests are refused with a sentence on what is possible.
func TestLiveFiguresRefuse(t *testing.T) {
	never := &programs{life: t.Context(), source: t.TempDir()}
	server, err := weights{programs: never}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	none, err := weights{}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	for _, c := range []struct{ path, query, says string }{
		{"/export/dense.png", "live=1", "wall.html"},
		{"/export/compare.html", "live=1&a=dense&b=random", "wall.html"},
		{"/export/dense.html", "live=2", "live"},
		{"/export/dense.html", "live=1&norm=log", "absolute"},
		{"/export/dense.html", "live=1&cmap=ink", "cividis"},
		{"/export/dense.html", "live=1&show=rollout", "influence"},
		{"/export/dense.html", "live=1&scale=4", "scale"},
		{"/export/nothing.html", "live=1", "nothing"},
		{"/export/dense.html", "live=1", "--source"},
	} {
		q, err := url.ParseQuery(c.query)
		must(t, err)
		if _, err := askServer(t.Context(), server, c.path, q); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s?%s: %v", c.path, c.query, err)
		}
	}
	if _, err := askServer(t.Context(), none, "/export/dense.html", url.Values{"live": {"1"}}); err == nil ||
		!strings.Contains(err.Error(), "source") {
		t.Error(err)
	}
}

// TestLiveWaits: a request during the compilation is told to retry.
func TestLiveWaits(t *testing.T) {
	p := &programs{run: &compilation{done: make(chan struct{})}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.live(ctx); err == nil || !strings.Contains(err.Error(), "again") {
		t.Error(err)
	}
	p.run.program = &live.Program{}
	close(p.run.done)
	if got, err := p.live(t.Context()); err != nil || got != p.run.program {
		t.Error(got, err)
	}
}
