package cost_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestListeningWaitsForItsTurn: a long computation waits for its turn, like all long work; a short
// one does not wait.
func TestListeningWaitsForItsTurn(t *testing.T) {
	s := webtest.Costly(t, &webtest.FakeEngine{}, nil)
	running, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- s.Long.Do(context.Background(), site.OperationsPerSecond*100,
			func() error { close(running); <-end; return nil })
	}()
	<-running
	ask := func(query string) int {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/reach"+query, nil)
		r.Header.Set("Prefer", "wait=1")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	if code := ask("?of=random&mask=causal&n=128&layers=12"); code != http.StatusServiceUnavailable {
		t.Errorf("the longest: %d", code)
	}
	if code := ask("?of=longformer&n=16&layers=2"); code != http.StatusOK {
		t.Errorf("what is short: %d", code)
	}
	close(end)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
