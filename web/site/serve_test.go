package site_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/web/webtest"
)

// serve runs a server on a free port. stop ends it and returns the error of Serve.
func serve(t *testing.T, f *webtest.FakeEngine) (base string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	s := webtest.NewServer(t, f)
	go func() { ended <- s.Serve(ctx, l) }()
	return "http://" + l.Addr().String(), func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(time.Minute):
			t.Fatal("Serve does not end")
			return nil
		}
	}
}

// TestServeLetsRequestsFinish stops a server while it is answering.
func TestServeLetsRequestsFinish(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	base, stop := serve(t, &webtest.FakeEngine{Before: func(context.Context, engine.Request) error {
		close(started)
		<-release
		return nil
	}})
	status := make(chan int, 1)
	go func() {
		r, err := http.Get(base + "/api/v1/attend?text=hello")
		if err != nil {
			status <- 0
			return
		}
		defer r.Body.Close()
		io.Copy(io.Discard, r.Body)
		status <- r.StatusCode
	}()
	<-started
	time.AfterFunc(50*time.Millisecond, func() { close(release) })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := <-status; got != http.StatusOK {
		t.Errorf("the request under way was answered with %d", got)
	}
	if r, err := http.Get(base + "/healthz"); err == nil {
		r.Body.Close()
		t.Error("it still answers")
	}
}

// TestLongTextsOverTheWire: a text that is too long is refused on a page with its form. A text that exceeds the limit
// of a query is refused on a small page.
func TestLongTextsOverTheWire(t *testing.T) {
	base, stop := serve(t, &webtest.FakeEngine{})
	defer stop()
	for text, want := range map[string]struct {
		status int
		has    string
	}{
		strings.Repeat("x", 100_000):    {http.StatusRequestEntityTooLarge, "<form"},
		strings.Repeat("<", 66_000):     {http.StatusRequestEntityTooLarge, "<form"},
		strings.Repeat("<", 100_000):    {http.StatusRequestURITooLong, "bytes of parameters"},
		strings.Repeat("\xff", 100_000): {http.StatusRequestURITooLong, "bytes of parameters"},
	} {
		r, err := http.Get(base + "/?text=" + url.QueryEscape(text))
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != want.status || !strings.Contains(string(page), want.has) {
			t.Errorf("%.3q…: %d, %v, %.1000s", text, r.StatusCode, err, page)
		}
	}
}
