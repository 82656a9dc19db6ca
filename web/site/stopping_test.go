package site_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestStopping: a server that is stopping is not ready. Requests in progress have some seconds, then get an error, and
// the server ends.
func TestStopping(t *testing.T) {
	started := make(chan struct{}, 2)
	f := &webtest.FakeEngine{Before: func(ctx context.Context, _ engine.Request) error {
		started <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}}
	s := webtest.ServerWith(t, f, func(o *site.Options) { o.Finish, o.Refuse = 200*time.Millisecond, time.Minute })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended, answers := make(chan error, 1), make(chan *http.Response, 2)
	go func() { ended <- s.Serve(ctx, l) }()
	for i := range 2 {
		go func() {
			r, err := http.Get(fmt.Sprintf("http://%s/?text=a+%d", l.Addr(), i))
			if err != nil {
				t.Error(err)
			}
			answers <- r
		}()
		<-started
	}
	ready := func() int { return webtest.Get(s, "/readyz").Code }
	if status := ready(); status != http.StatusOK {
		t.Errorf("running: %d", status)
	}
	stop()
	for end := time.Now().Add(time.Minute); ready() != http.StatusServiceUnavailable; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a server that is stopping is ready")
		}
	}
	for range 2 {
		if r := <-answers; r != nil {
			body, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(body), "shutting down") ||
				r.Header.Get("Retry-After") == "" {
				t.Errorf("%d %v %.300s", r.StatusCode, r.Header, body)
			}
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
