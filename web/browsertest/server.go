package browsertest

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/address"
	"attnatlas/web/atlas"
	"attnatlas/web/site"
)

// One server for each kind of models serves all tests of a package. Opening models, and loading style sheets,
// fonts and scripts for the first time, take longer than most tests. Tests only read.

// Server returns a server with the pages and models of viz serve.
func Server(t *testing.T) *httptest.Server {
	t.Helper()
	return shipped.Get(t, func() *httptest.Server {
		handler, err := atlas.New(nil, site.Options{Log: slog.New(slog.DiscardHandler)})
		Must(t, err)
		return Serve(handler)
	})
}

var shipped Shared[*httptest.Server]

// Serve starts a server that runs until all tests of the package are done.
func Serve(handler http.Handler) *httptest.Server {
	server := httptest.NewServer(handler)
	AtEnd(server.Close)
	return server
}

// Shared holds a value that tests share. The first test that needs the value makes it. The zero value is ready for
// use, and safe for concurrent use.
type Shared[T any] struct {
	once  sync.Once
	made  bool
	value T
}

// Get returns the value. The first call makes it with build.
func (s *Shared[T]) Get(t *testing.T, build func() T) T {
	t.Helper()
	s.once.Do(func() { s.value, s.made = build(), true })
	if !s.made {
		t.Fatal("an earlier test could not make what this one needs too")
	}
	return s.value
}

// AtEnd registers a function to call when all tests of the package are done.
func AtEnd(do func()) { atEnd.add(do) }

var atEnd chores

type chores struct {
	sync.Mutex
	all []func()
}

func (c *chores) add(f func()) {
	c.Lock()
	defer c.Unlock()
	c.all = append(c.all, f)
}

func (c *chores) do() {
	for _, f := range c.all {
		f()
	}
}

// Fetch requests an address without a browser.
func Fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	response, err := http.Get(address)
	Must(t, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	Must(t, err)
	return response.StatusCode, string(raw)
}

// Body returns the answer of the shared server at a path.
func Body(t *testing.T, path string) string {
	t.Helper()
	_, body := Fetch(t, Server(t).URL+path)
	return body
}

// MapCell is a cell of a map of a mechanism. Rows and columns count from 0.
type MapCell struct {
	ID, Map  string
	Row, Col int
}

// Value returns one cell of a map of the worked example from the API, for the head that its card shows.
func Value(t *testing.T, server string, c MapCell) float64 {
	t.Helper()
	values, cols := Values(t, server, c.ID, c.Map)
	return values[c.Row*cols+c.Col]
}

// Values returns all cells of a map of the worked example from the API, row by row, for the head that its card
// shows. It also returns the number of columns.
func Values(t *testing.T, server, id, name string) (values []float64, cols int) {
	t.Helper()
	_, body := Fetch(t, server+"/api/v1/attend?layer=1&head=auto&m="+id+"&map="+url.QueryEscape(name)+"&text="+
		url.QueryEscape(address.DefaultText))
	var answer struct {
		Mechanisms []struct {
			Layers []struct {
				Maps []struct {
					Shape  []int
					Values []float64
				}
			}
		}
	}
	Must(t, json.Unmarshal([]byte(body), &answer))
	m := answer.Mechanisms[0].Layers[0].Maps[0]
	return m.Values, m.Shape[len(m.Shape)-1]
}

// Gate stands in front of a server. A request that it holds waits until the test sends to Open. Arrived receives
// when a request begins to wait, and Departed when a request ends without an answer.
type Gate struct {
	http.Handler
	Holds                   func(*http.Request) bool
	Arrived, Open, Departed chan struct{}
}

// Gated serves the bundled models behind a gate that holds some requests. The cost of requests is as given.
func Gated(t *testing.T, cost site.Cost, holds func(*http.Request) bool) (Gate, *httptest.Server) {
	t.Helper()
	handler, err := atlas.New(nil, site.Options{Log: slog.New(slog.DiscardHandler), Cost: cost})
	Must(t, err)
	g := Gate{handler, holds, make(chan struct{}, 9), make(chan struct{}), make(chan struct{}, 9)}
	return g, Serve(g)
}

// Dear is a cost that is too high for pages to wait for.
func Dear(r engine.Request) engine.Cost {
	return engine.Cost{Operations: 2e10 * float64(len(r.Mechanisms))}
}

// ServeHTTP answers a request, at once or after its wait.
func (g Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.Holds(r) {
		g.Arrived <- struct{}{}
		select {
		case <-g.Open:
		case <-r.Context().Done():
			g.Departed <- struct{}{}
			return
		}
	}
	g.Handler.ServeHTTP(w, r)
}
