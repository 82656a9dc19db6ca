package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// One server for each kind of models serves all tests: opening models, and a browser's first
// look at style sheets, fonts and scripts, take longer than most tests. Tests only read.

// shared is made by the first test that asks for it.
type shared[T any] struct {
	once  sync.Once
	made  bool
	value T
}

func (s *shared[T]) get(t *testing.T, build func() T) T {
	t.Helper()
	s.once.Do(func() { s.value, s.made = build(), true })
	if !s.made {
		t.Fatal("an earlier test could not make what this one needs too")
	}
	return s.value
}

// serving serves models until all tests are done.
func serving(t *testing.T, w weights) *httptest.Server {
	t.Helper()
	handler, err := w.server(slog.New(slog.DiscardHandler))
	must(t, err)
	return started(handler)
}

func started(handler http.Handler) *httptest.Server {
	server := httptest.NewServer(handler)
	atEnd.add(server.Close)
	return server
}

// atEnd is what remains to be done when all tests are.
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
