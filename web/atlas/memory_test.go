package atlas_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/recording"
	"attnatlas/engine/tokenizer"
	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/atlas"
	"attnatlas/web/live"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"github.com/go-chi/chi/v5"
)

// route is a route of the server, with the parameters of its page.
type route struct {
	method, pattern string
	params          []address.Parameter
	names           []string // values of the parameter of the path
}

// routesOf returns all routes of a server.
func routesOf(t *testing.T, s *site.Server) (all []route) {
	t.Helper()
	of := map[string]site.Page{}
	for _, p := range s.Pages() {
		of[p.Path] = p
		if p.Data != nil {
			of[p.Data.Beside], of[site.APIPath(p.Data.ID)] = p, p
		}
	}
	err := chi.Walk(s.Routes(), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		r := route{method: method, pattern: pattern}
		if p, ok := of[pattern]; ok {
			if p.Data != nil {
				r.params = append(p.Data.Takes.Parameters(), p.Data.Takes.Carrying().Parameters()...)
			}
			if p.Names != nil {
				r.names = p.Names()
			}
		}
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// asker makes addresses, some of them without odd values.
type asker struct {
	*rand.Rand
	asked int
	odd   bool
}

func pick[T any](a *asker, from []T) T { return from[a.IntN(len(from))] }

// path returns a path of a route.
func (a *asker) path(r route) string {
	from, to := strings.IndexByte(r.pattern, '{'), strings.IndexByte(r.pattern, '}')
	if from < 0 {
		return strings.TrimSuffix(r.pattern, "*")
	}
	names := append([]string{"nonsense", "%3Cscript%3E"}, engine.IDs()...)
	if strings.HasPrefix(r.pattern, "/export/") {
		for i, name := range names {
			names[i] = name + pick(a, []string{".png", ".svg", ".pdf", ".csv", ".json", ".html", ".npy", ".zip", ".gif",
				".tex", ".x"})
		}
		names = append(names, "wall.zip", "wall.png", "wall.svg", "wall.html", "wall.json")
	}
	return r.pattern[:from] + pick(a, append(names, r.names...)) + r.pattern[to+1:]
}

// text returns a new text, for which nothing is cached.
func (a *asker) text() string {
	a.asked++
	words := []string{"cat", "[MASK]", "sat", "漢", "unbelievable", "."}
	n := pick(a, []int{0, 1, 3, 10, 30, 60, 120, 250, 500, 520})
	text := fmt.Sprint(a.asked)
	for range n {
		text += " " + pick(a, words)
	}
	return text
}

// value returns a likely or an odd value of a parameter.
func (a *asker) value(p address.Parameter) string {
	switch {
	case a.odd && a.IntN(4) == 0:
		return pick(a, odd)
	case p.Values != nil:
		return pick(a, p.Values)
	case p.Key == address.Text || p.Key == address.Other:
		return a.text()
	case p.Key == address.Mechanisms || p.Key == "of":
		return pick(a, append(engine.IDs(), strings.Join(engine.IDs(), ",")))
	}
	return pick(a, likely)
}

var (
	likely = []string{"1", "2", "3", "4", "5", "8", "16", "64", "128", "512", "600", "1024", "4096", "65536", "0.5", "1.1",
		"2.3", "20.20", "all", "it", "png", "svg", "weights", "influence", "dense", "dot-product"}
	odd = []string{"", "0", "-1", "99999999999999999999", "1e9", "NaN", "%00", "<script>", strings.Repeat("9", 50_000),
		strings.Repeat("dense,", 20_000), strings.Repeat("漢", 20_000)}
)

// target returns an address of a route.
func (a *asker) target(r route) string {
	v := url.Values{}
	a.odd = a.IntN(2) == 0
	for _, p := range r.params {
		if a.IntN(len(r.params)) >= 5 && p.Key != address.Text && p.Key != address.Mechanisms {
			continue
		}
		key := p.Key
		if p.Open {
			key += pick(a, options())
		}
		v.Set(key, a.value(p))
		for a.odd && a.IntN(8) == 0 {
			v.Add(key, a.value(p))
		}
	}
	target := a.path(r) + "?" + v.Encode()
	if a.odd && a.IntN(10) == 0 {
		target += strings.Repeat(pick(a, []string{"&x", "&%", "&text=a", "&option.window=4"}), 1000)
	}
	return target
}

// options returns the names of all options of mechanisms.
func options() (all []string) {
	for _, e := range attention.Catalog {
		for _, o := range e.Options {
			all = append(all, o.Name)
		}
	}
	return append(all, "1.dense", "nonsense")
}

// unclaimed is the number of bytes that a request may take beyond its claims.
const unclaimed = 16 << 20

// rounds returns the number of requests to each route. VIZ_MEMORY sets it for longer runs.
func rounds(t *testing.T) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("VIZ_MEMORY"), "12"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNoRequestTakesMoreThanItClaims requests every route with extreme, odd, repeated and missing parameters. The
// memory that an answer allocates must be small, or claimed from the budget.
func TestNoRequestTakesMoreThanItClaims(t *testing.T) {
	e := engine.New()
	webtest.Get(serverOf(t, e), "/?text=a&m="+strings.Join(engine.IDs(), ",")) // opens the models, once
	s := serverOf(t, e)
	before := heapNow()
	a := &asker{Rand: rand.New(rand.NewPCG(1, 2))}
	for _, r := range routesOf(t, s) {
		webtest.Ask(s, r.method, a.path(r)) // computes what is computed once
		for range rounds(t) {
			checkMemory(t, e, s, r, a.target(r), a.path(r))
		}
	}
	for _, target := range append(largest(), posters()...) {
		heapNow() // removes the pixels of earlier figures
		checkMemory(t, e, s, route{method: http.MethodGet}, target, "/about")
	}
	if kept := heapNow() - before; kept > site.DefaultMemory/8+unclaimed { // reports may take an eighth
		t.Errorf("%d MB are kept", kept>>20)
	}
}

// largest returns addresses that random requests seldom contain: files of all models, and of a model that reads the
// longest text.
func largest() []string {
	all, long := "m="+strings.Join(engine.IDs(), ",")+"&text=", strings.Repeat("cat+", 250)
	return []string{
		"/export/wall.html?live=1&" + all + "a+cat", "/export/wall.html?live=1&" + all + long, "/export/wall.html?" + all +
			"the+cat", "/export/wall.zip?" + all + "the+cat",
		"/export/dense.html?live=1&text=a+cat", "/wall.json?" + all + "the+cat", "/wall.json?m=linformer&text=" + long,
		"/api/v1/attend?m=dense&text=" + long,
		"/?m=" + invite() + "&text=" + long, "/api/v1/attend?m=" + invite() + "&text=" + long,
	}
}

// posters returns figures on the largest paper, of one, of some and of all models.
func posters() (all []string) {
	every := strings.Join(engine.IDs(), ",") + "&dpi=100"
	for _, format := range []string{"png", "pdf"} {
		for _, m := range []string{"dense", "dense,dot-product,linformer,longformer", every} {
			all = append(all, "/export/wall."+format+"?preset=a1&text=the+cat+sat&m="+m)
		}
	}
	return append(all, "/export/dense.png?preset=a1&text="+strings.Repeat("cat+", 250))
}

// heapNow returns the number of live bytes.
func heapNow() int64 {
	runtime.GC()
	runtime.GC() // frees memory of pools, too
	return heap()
}

// heap returns the bytes of objects that are not collected yet.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// TestGreedyRoutesAreFound: the test finds a page that claims nothing or too little, whatever it answers.
func TestGreedyRoutesAreFound(t *testing.T) {
	e := engine.New()
	s := serverOf(t, e)
	for name, want := range map[string]bool{"nothing": true, "little": true, "refuses": true, "claims": false,
		"garbage": false} {
		path := "/greedy-" + name
		page := site.Page{Path: path, Serve: func(w http.ResponseWriter, r *http.Request) error { return greedy(r, name) }}
		s.Register(page)
		took, claimed := weigh(s, http.MethodGet, path)
		if at := liveOf(s, http.MethodGet, path); (took > claimed+unclaimed && at > claimed+unclaimed) != want {
			t.Errorf("%s: %d MB are allocated, %d live, %d claimed", name, took>>20, at>>20, claimed>>20)
		}
	}
}

// greedy takes 24 MB, all at once or one after the other.
func greedy(r *http.Request, kind string) error {
	claims := map[string]int64{"little": 1 << 20, "claims": 12 << 20} // Claim claims as much again for the answer
	if err := site.Claim(r.Context(), claims[kind]); err != nil {
		return err
	}
	var all [][]byte
	for range 24 {
		all = append(all, make([]byte, 1<<20))
		if kind == "garbage" {
			all = nil
		}
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(all)
	if kind == "refuses" {
		return fault.Errorf(fault.NotFound, "error.nothing-here")
	}
	return nil
}

func serverOf(t *testing.T, e *engine.Engine) *site.Server {
	t.Helper()
	program := &live.Program{WASM: make([]byte, 2<<20), Exec: make([]byte, 16<<10),
		Kernel: make([]byte, 4<<10)} // as large as the real one
	s, err := web.New(site.Options{Inspector: atlas.Answers(e), Vocabulary: e.Vocabulary(), Entries: attention.Catalog,
		Stacks: encoder.Stacks, Models: e.Models(),
		Info: e.Info, Recordings: recording.Shipped(), Cost: e.Cost, Log: slog.New(slog.DiscardHandler),
		Live: site.Live{Weights: e.File, Program: func(context.Context) (*live.Program, error) { return program, nil }}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mostLinks limits how often a page may repeat its address, and usualPage is the size of the rest, in bytes.
const (
	mostLinks = 30
	usualPage = 1 << 20
)

// TestPagesDoNotMultiplyAddresses: links carry the parameters of an address, but a page hardly grows with them.
func TestPagesDoNotMultiplyAddresses(t *testing.T) {
	s := serverOf(t, engine.New())
	a := &asker{Rand: rand.New(rand.NewPCG(3, 4))}
	for _, r := range routesOf(t, s) {
		if r.method != http.MethodGet || strings.HasPrefix(r.pattern, "/api/") || strings.HasPrefix(r.pattern, "/export/") {
			continue
		}
		path := strings.NewReplacer("{mechanism}", "dense", "{file}", "wall", "{page}", "guide").Replace(r.pattern)
		for _, text := range sparse() {
			target := path + "?m=dense&text=" + text
			if w := webtest.Ask(s, http.MethodGet, target, "Accept",
				"text/html"); w.Body.Len() > usualPage+mostLinks*len(target) {
				t.Errorf("%d kB for a text of spaces or marks of %d kB: %.60s", w.Body.Len()>>10, len(target)>>10, target)
			}
		}
		for _, p := range append(r.params, address.Parameter{Key: "text"}, address.Parameter{Key: "other"},
			address.Parameter{Key: "share.", Open: true}, address.Parameter{Key: "option.", Open: true}) {
			target := path + "?" + a.long(p)
			if w := webtest.Ask(s, http.MethodGet, target, "Accept",
				"text/html"); w.Body.Len() > usualPage+mostLinks*len(target) {
				t.Errorf("%d kB for an address of %d kB: %.100s", w.Body.Len()>>10, len(target)>>10, target)
			}
		}
	}
}

// sparse returns texts of few tokens and many bytes: spaces, accents that the tokenizer removes, and invisible
// characters.
func sparse() []string {
	return []string{
		"cat" + strings.Repeat("+", 60_000) + "sat", "cat" + strings.Repeat("%0A", 20_000) + "sat", "ca" +
			strings.Repeat("%CC%81", 20_000) + "t",
		"cat" + strings.Repeat("%E2%80%8B", 15_000) + "sat",
	}
}

// long returns a query with the longest possible value of a parameter.
func (a *asker) long(p address.Parameter) string {
	if !p.Open {
		return p.Key + "=" + pick(a, []string{strings.Repeat("9", 60_000), strings.Repeat("dense,", 10_000),
			strings.Repeat("a+", 30_000)}) + "&m=mixture-dv"
	}
	var b strings.Builder
	for i := range address.MaxParams - 2 {
		fmt.Fprintf(&b, "%s%d.dense=1&", p.Key, i+1)
	}
	return b.String() + "m=mixture-dv"
}

// checkMemory requests an address once. If much is allocated, it repeats the request to a server without caches, and
// measures the live bytes.
func checkMemory(t *testing.T, e *engine.Engine, s *site.Server, r route, target, small string) {
	t.Helper()
	took, claimed := weigh(s, r.method, target)
	if took <= claimed+unclaimed {
		return
	}
	at := took
	for range 3 { // each is an upper bound, and a loose one while the collector waits for a processor
		if at > claimed+unclaimed {
			fresh := serverOf(t, e)
			webtest.Ask(fresh, r.method, small)
			at = min(at, liveOf(fresh, r.method, target))
		}
	}
	if at > claimed+unclaimed {
		t.Errorf("%d MB are live, %d claimed, %d allocated: %s %.600s", at>>20, claimed>>20, took>>20, r.method, target)
	}
}

// pixelBytes are the bytes of a drawn pixel, which a separate Room limits: four in the image, one in the file.
const pixelBytes = 5

// weigh returns the bytes allocated during a request, and the largest number of bytes claimed at once.
func weigh(s *site.Server, method, target string) (took, claimed int64) {
	s.Budget().Peak()
	s.Drawing.Peak()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ask(s, method, target)
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc), s.Budget().Peak() + pixelBytes*s.Drawing.Peak()
}

// unread is a client that keeps nothing, so that only the server's memory counts.
type unread struct{ header http.Header }

func (u unread) Header() http.Header         { return u.header }
func (u unread) WriteHeader(int)             {}
func (u unread) Write(p []byte) (int, error) { return len(p), nil }

// ask sends a request like a browser on the server's own pages.
func ask(s *site.Server, method, target string) {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "localhost"
	r.Header.Set("Origin", "http://localhost")
	r.Header.Set("Accept", "text/html")
	s.ServeHTTP(unread{http.Header{}}, r)
}

// guest has a tokenizer of its own, which is ours.
type guest struct{ *tokenizer.Vocabulary }

func (g guest) Tokens(text string) ([]tokenizer.Token, []int, error) { return g.Encode(text), nil, nil }
func (g guest) IDs(tokens []tokenizer.Token) []int                   { return tokenizer.IDs(tokens) }

// invite registers a guest that reads texts of 512 tokens, once for all tests, and returns its id.
var invite = sync.OnceValue(func() string {
	c := encoder.Config{Mechanism: attention.DotProduct.ID, Layers: 4, Width: 32, Heads: 4, Inner: 64, Length: 512,
		Norm: encoder.PostNorm, Vocab: tokenizer.Default().Size()}
	engine.Invite(&engine.Guest{
		ID: "hf-large", Name: "large",
		Describe: func() (engine.ModelInfo, error) {
			return engine.ModelInfo{Layers: c.Layers, Heads: c.Heads, Width: c.Width, Length: c.Length, Longest: c.Length,
				Score: map[string]float64{}}, nil
		},
		Open: func() (engine.Visit, error) {
			m, err := encoder.New(c, 1)
			return engine.Visit{Model: m, Words: guest{tokenizer.Default()}}, err
		},
	})
	return "hf-large"
})

// liveOf returns an upper bound of the bytes that a request itself has live at once: the heap is collected each time
// it has grown by 2 percent. The contents of caches do not count; they have limits of their own.
func liveOf(s *site.Server, method, target string) (most int64) {
	defer debug.SetGCPercent(debug.SetGCPercent(2))
	before, done := heapNow(), make(chan struct{})
	go func() {
		defer close(done)
		ask(s, method, target)
	}()
	for {
		select {
		case <-done:
			return most - max(0, heapNow()-before)
		default:
			most = max(most, heap()-before)
			time.Sleep(100 * time.Microsecond)
		}
	}
}
