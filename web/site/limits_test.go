package site_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// everyRoute has one address of every kind, to which a parameter can be added.
var everyRoute = []string{"/?text=a", "/m?x=1", "/m/dense?text=a", "/m/encoder-decoder?text=a", "/about?x=1",
	"/export/dense.png?text=a",
	"/api/v1/attend?text=a", "/api/v1/write?text=a", "/api/v1/drawing?text=a", "/api/v1/mechanisms?x=1", "/healthz?x=1",
	"/nowhere?x=1"}

// TestQueriesAreBoundedBeforeTheyAreRead: on every route, a query that is too long or has too many parameters gets a
// small answer. It takes less memory than twice its own size, because it is not parsed.
func TestQueriesAreBoundedBeforeTheyAreRead(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for name, query := range map[string]string{
		"names":   "&" + strings.Repeat("q&", 90_000),
		"percent": "&" + strings.Repeat("%&", 90_000),
		"ids":     "&m=" + strings.Repeat("a,", 300_000),
		"long":    "&q=" + strings.Repeat("%", 300_000),
	} {
		for _, path := range everyRoute {
			w, taken := weighed(s, path+query)
			if w.Code != http.StatusRequestURITooLong && w.Code != http.StatusBadRequest || w.Body.Len() > 16<<10 ||
				taken > 2*len(query) {
				t.Errorf("%s, %s: %d, %d bytes, which took %d of memory for %d of query", path, name, w.Code, w.Body.Len(), taken,
					len(query))
			}
		}
	}
}

// weighed returns an answer, and the number of bytes allocated for it, most of which were freed before its end.
func weighed(s http.Handler, target string) (w *httptest.ResponseRecorder, taken int) {
	webtest.Get(s, strings.SplitN(target, "&", 2)[0]) // computes what is computed once
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "localhost"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w = webtest.Record(s, r)
	runtime.ReadMemStats(&after)
	return w, int(after.TotalAlloc - before.TotalAlloc)
}

// TestAnswersAreNotLongerThanQuestions: requests within the limits have small answers, too. Repeated names count
// once, and only the first of many errors are listed. A page without errors allocates 3 MB.
func TestAnswersAreNotLongerThanQuestions(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	many := strings.Repeat
	for name, query := range map[string]string{
		"maps":       "&map=" + many("cross,", 30_000),
		"attend map": "&map=" + many("weights,", 20_000),
		"ids":        "&m=" + many("a,", 90_000),
		"other ids":  "&m=" + numbers(30_000),
		"unknown":    many("&q", 2000),
		"percent":    many("&%", 2000),
		"values":     "&pin=" + many("9", 200_000),
	} {
		for _, path := range everyRoute {
			if w, taken := weighed(s, path+query); w.Code >= 500 || w.Body.Len() > 512<<10 || taken > 16<<20 {
				t.Errorf("%s, %s: %d, %d bytes, which took %d of memory", path, name, w.Code, w.Body.Len(), taken)
			}
		}
	}
}

// TestFewMistakesAreTold: an answer lists only the first of many errors.
func TestFewMistakesAreTold(t *testing.T) {
	w := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/api/v1/attend?text=a&"+
		strings.ReplaceAll(numbers(1500), ",", "=1&"))
	if w.Code != http.StatusBadRequest || w.Body.Len() > 8<<10 ||
		!strings.Contains(w.Body.String(), "more parameters are wrong") {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,", i)
	}
	return b.String()
}

// TestTextsThatNobodyReadsAreSmallPages: a page shows the beginning of a text of thousands of tokens, and its form
// has the whole text.
func TestTextsThatNobodyReadsAreSmallPages(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	text := strings.Repeat("漢", 21_000)
	for _, path := range []string{"/", "/m/dense", "/m/encoder-decoder", "/m/nonsense", "/m",
		"/?m=dense,random,nonsense"} {
		sep := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
		w := webtest.Get(s, path+sep+"text="+url.QueryEscape(text), "Accept", "text/html")
		if w.Code >= 500 || w.Body.Len() > len(text)+512<<10 {
			t.Errorf("%s: %d, %d bytes", path, w.Code, w.Body.Len())
		}
		if path == "/" || path == "/m/dense" {
			if body := w.Body.String(); !strings.Contains(body, text) || !strings.Contains(body, "64 positions") {
				t.Errorf("%s: %.3000s", path, body)
			}
		}
	}
}

// TestAnswersHaveABound: the size of an answer is limited, whatever a handler writes.
func TestAnswersHaveABound(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	s.Register(site.Page{Path: "/endless", Serve: func(w http.ResponseWriter, r *http.Request) error {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
	}})
	if w := webtest.Get(s, "/endless"); w.Code != http.StatusRequestEntityTooLarge || w.Body.Len() > 1<<16 {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
	if used := s.Budget().Used(); used != 0 {
		t.Errorf("%d bytes are not given back", used)
	}
}

// TestAnswersThatAreNotReadHaveABoundTogether: answers that clients do not read stay in memory, and take at most one
// and a half budgets together.
func TestAnswersThatAreNotReadHaveABoundTogether(t *testing.T) {
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) { o.Memory = 32 << 20 }) // answers: 8 MB
	written, fetched := make(chan int, 1), make(chan struct{})
	s.Register(site.Page{Path: "/large", Serve: func(w http.ResponseWriter, r *http.Request) error {
		_, err := w.Write(make([]byte, 2<<20))
		return err
	}})
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			r := httptest.NewRequest(http.MethodGet, "http://localhost/large", nil)
			s.ServeHTTP(&unread{httptest.NewRecorder(), written, fetched}, r)
		})
		if status := <-written; status != map[bool]int{true: http.StatusOK, false: http.StatusServiceUnavailable}[i < 6] {
			t.Errorf("answer %d: %d", i, status)
		}
	}
	close(fetched)
	all.Wait()
	if used := s.Budget().Used(); used != 0 {
		t.Errorf("%d bytes are not given back", used)
	}
}

// unread is a client that does not read.
type unread struct {
	*httptest.ResponseRecorder
	written chan<- int
	fetched <-chan struct{}
}

func (u *unread) Write(p []byte) (int, error) {
	u.written <- u.Code
	<-u.fetched
	return len(p), nil
}

// TestWhoAsks: requests for foreign host names, which others could bind to our address, and requests from other sites
// are refused.
func TestWhoAsks(t *testing.T) {
	local := webtest.NewServer(t, &webtest.FakeEngine{})
	named := webtest.ServerWith(t, &webtest.FakeEngine{},
		func(o *site.Options) { o.Access = site.Access{Hosts: []string{"Atlas.example.org"}, Network: true} })
	for host, want := range map[string][2]int{
		"localhost": {200, 200}, "localhost:8080": {200, 200}, "LOCALHOST.": {200, 200}, "127.0.0.1:1": {200, 200},
		"[::1]:80": {200, 200}, "[::1]": {200, 200},
		"localhost:1;x": {421, 421}, "[[localhost": {421, 421}, "[localhost]": {421, 421}, "localhost:99999": {421, 421},
		"localhost:": {421, 421}, "[::1": {421, 421}, "localhost:80:80": {421, 421},
		"evil.example": {421, 421}, "localhost.evil.example": {421, 421}, "": {421, 421},
		"127.0.0.1.evil.example:80": {421, 421},
		"atlas.example.org":         {421, 200}, "192.0.2.7:8080": {421, 200}, "[2001:db8::1]:8080": {421, 200},
	} {
		for i, s := range []*site.Server{local, named} {
			for _, path := range []string{"/?text=a", "/export/dense.png?bare=1", "/api/v1/mechanisms", "/healthz", "/nowhere"} {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.Host = host
				w := webtest.Record(s, r)
				if refused := w.Code == http.StatusMisdirectedRequest; refused != (want[i] == 421 &&
					!strings.HasPrefix(path, "/healthz")) {
					t.Errorf("server %d, %q%s: %d", i, host, path, w.Code)
				}
			}
		}
	}
}

func TestOtherSites(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	framed := webtest.ServerWith(t, &webtest.FakeEngine{},
		func(o *site.Options) { o.Access.Frames = []string{"https://example.org"} })
	for _, path := range everyRoute {
		if strings.HasPrefix(path, "/healthz") {
			continue
		}
		figure := strings.HasPrefix(path, "/export/")
		for _, site := range []string{"cross-site", "same-site"} {
			for dest, allowed := range map[string]bool{"empty": figure, "image": figure, "script": figure, "iframe": false} {
				w := webtest.Get(s, path, "Sec-Fetch-Site", site, "Sec-Fetch-Dest", dest, "Sec-Fetch-Mode", "no-cors")
				if (w.Code == http.StatusForbidden) == allowed {
					t.Errorf("%s as %s, %s: %d", path, dest, site, w.Code)
				}
			}
			if w := webtest.Get(s, path, "Sec-Fetch-Site", site, "Sec-Fetch-Dest", "document", "Sec-Fetch-Mode",
				"navigate"); w.Code == http.StatusForbidden {
				t.Errorf("a link to %s: %d", path, w.Code)
			}
			if w := webtest.Get(framed, path, "Sec-Fetch-Site", site, "Sec-Fetch-Dest", "iframe", "Sec-Fetch-Mode",
				"navigate"); w.Code == http.StatusForbidden ||
				!strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'self' https://example.org") {
				t.Errorf("%s in a frame: %d %v", path, w.Code, w.Header())
			}
		}
		want := map[bool]string{true: "cross-origin", false: "same-origin"}[figure]
		if w := webtest.Get(s, path, "Sec-Fetch-Site", "same-origin"); w.Code == http.StatusForbidden ||
			w.Header().Get("Cross-Origin-Resource-Policy") != want {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

// TestClientsAskOnlySoOften: each client has its own limit. Behind a trusted proxy, the proxy names the client.
func TestClientsAskOnlySoOften(t *testing.T) {
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) {
		o.Access = site.Access{PerSecond: 0.001, Burst: 3, Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	})
	from := func(remote, forwarded string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/about", nil)
		r.Host, r.RemoteAddr = "localhost", remote
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		return webtest.Record(s, r)
	}
	spent := func(remote, forwarded string) bool { return from(remote, forwarded).Code == http.StatusTooManyRequests }
	for i := range 3 {
		if spent("192.0.2.1:"+strconv.Itoa(i+1), strconv.Itoa(i)+".1.1.1") {
			t.Fatalf("request %d is refused", i)
		}
	}
	if !spent("192.0.2.1:99", "9.9.9.9") { // an untrusted client cannot name another one
		t.Error("the fourth is not refused")
	}
	if after, err := strconv.Atoi(from("192.0.2.1:99", "").Header().Get("Retry-After")); err != nil || after < 500 ||
		after > 1000 {
		t.Errorf("try again after %d s, %v", after, err)
	}
	for range 3 {
		if spent("10.1.2.3:1", "1.2.3.4, 192.0.2.2, 10.9.9.9") {
			t.Error("another client is refused")
		}
	}
	if !spent("10.1.2.3:1", "5.6.7.8, 192.0.2.2") || spent("10.1.2.3:1", "192.0.2.3") {
		t.Error("clients of a proxy are not told apart by the last address that is none of its own")
	}
	if !spent("10.1.2.3:1", "192.0.2.2:5678") || spent("10.1.2.3:1", "[2001:db8::1]:5678") { // some proxies add a port
		t.Error("a client with a port is another one, or everybody")
	}
	if w := webtest.Get(s, "/healthz"); w.Code != http.StatusOK {
		t.Errorf("/healthz: %d", w.Code)
	}
}

// TestLongComputationsWaitInTurn: with ten long requests for each core, the first one is answered in its own time.
// Those that cannot end in time get the time of a retry at once. Short requests do not wait.
func TestLongComputationsWaitInTurn(t *testing.T) { synctest.Test(t, longOnesWait) }

func longOnesWait(t *testing.T) {
	const own = 400 * time.Millisecond
	lanes := max(1, runtime.GOMAXPROCS(0)-1)
	var together atomic.Int64
	f := &webtest.FakeEngine{Before: func(ctx context.Context, r engine.Request) error {
		if webtest.LayerOf(r, method.Influence) > 0 {
			if at := together.Add(1); at > int64(lanes) {
				t.Errorf("%d are computed together", at)
			}
			time.Sleep(own)
			together.Add(-1)
		}
		return ctx.Err()
	}}
	s := webtest.ServerWith(t, f, func(o *site.Options) {
		o.Timeout = 3 * own
		o.Cost = func(r engine.Request) engine.Cost {
			return engine.Cost{Operations: float64(webtest.LayerOf(r,
				method.Influence)) * site.OperationsPerSecond * own.Seconds() * 4}
		}
	})
	began := time.Now()
	var all sync.WaitGroup
	var mu sync.Mutex
	times := map[int][]time.Duration{}
	for i := range 10 * lanes {
		all.Go(func() {
			w := webtest.Get(s, fmt.Sprintf("/api/v1/attend?m=dense&show=influence&text=a+%d", i))
			mu.Lock()
			defer mu.Unlock()
			times[w.Code] = append(times[w.Code], time.Since(began))
			if after, err := strconv.Atoi(w.Header().Get("Retry-After")); w.Code == 503 &&
				(err != nil || after < 1 || after > 4) {
				t.Errorf("try again after %q", w.Header().Get("Retry-After"))
			}
		})
	}
	for range 20 {
		if w := webtest.Get(s, "/?text=short"); w.Code != http.StatusOK {
			t.Errorf("a short one: %d", w.Code)
		}
	}
	all.Wait()
	if len(times[200]) < 1 || len(times[200]) > 3*lanes || len(times[200])+len(times[503]) != 10*lanes {
		t.Fatalf("%v", times)
	}
	early := 0
	for _, took := range times[503] {
		if took < times[200][0] {
			early++
		}
	}
	if early < 6*lanes {
		t.Errorf("refused after %v, the first was answered after %v", times[503], times[200])
	}
}

// TestReportsHaveRoom: a request for more memory than is free waits, and is then refused with the time of a retry.
func TestReportsHaveRoom(t *testing.T) {
	release := make(chan struct{})
	f := &webtest.FakeEngine{Before: func(ctx context.Context, r engine.Request) error {
		if strings.HasPrefix(r.Text, "large") {
			<-release
		}
		return nil
	}}
	s := webtest.ServerWith(t, f, func(o *site.Options) {
		o.Memory, o.Patience = 64<<20, 50*time.Millisecond // answers: 16 MB
		o.Cost = func(r engine.Request) engine.Cost {
			return engine.Cost{Bytes: map[bool]int64{true: 5 << 20, false: 1 << 10}[strings.HasPrefix(r.Text, "large")]}
		}
	})
	var all sync.WaitGroup
	codes := make(chan int, 8)
	for i := range 8 {
		all.Go(func() { codes <- webtest.Get(s, fmt.Sprintf("/api/v1/attend?text=large+%d", i)).Code })
	}
	refused := 0
	for range 7 {
		if <-codes == http.StatusServiceUnavailable {
			refused++
		}
		if refused == 7 {
			break
		}
	}
	if w := webtest.Get(s, "/api/v1/attend?text=small"); w.Code != http.StatusOK {
		t.Errorf("a small one has no room: %d", w.Code)
	}
	close(release)
	all.Wait()
	if last := <-codes; refused != 7 || last != http.StatusOK {
		t.Errorf("%d were refused, then %d", refused, last)
	}
	if used := s.Budget().Used(); used != 0 {
		t.Errorf("%d bytes are not given back", used)
	}
	huge := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) {
		o.Cost = func(engine.Request) engine.Cost { return engine.Cost{Bytes: 1 << 40} }
	})
	if w := webtest.Get(huge, "/api/v1/attend?text=a"); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("what can never have room: %d", w.Code)
	}
}

// TestDeparturesAreNoFaults: a client that leaves is counted but not logged, and the log contains no text of
// visitors.
func TestDeparturesAreNoFaults(t *testing.T) {
	var log bytes.Buffer
	var fault error
	f := &webtest.FakeEngine{Before: func(ctx context.Context, _ engine.Request) error {
		if fault != nil {
			return fault
		}
		<-ctx.Done()
		return errors.New("whatever breaks when nobody waits")
	}}
	s := webtest.ServerWith(t, f, func(o *site.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for _, path := range everyRoute[:8] {
		ctx, leave := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Millisecond, leave)
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
		r.Host = "localhost"
		webtest.Record(s, r)
	}
	if log.Len() > 0 {
		t.Errorf("departures are logged: %s", &log)
	}
	fault = errors.New("our mistake")
	webtest.Get(s, "/?text=secret+words&m=dense", "X-Request-Id", strings.Repeat("loud", 1000))
	if line := log.String(); strings.Count(line, "\n") != 1 || strings.Contains(line, "secret") ||
		strings.Contains(line, "loud") || !strings.Contains(line, "request=") || !strings.Contains(line, "our mistake") {
		t.Errorf("a fault is logged as %q", line)
	}
	var metrics bytes.Buffer
	s.Metrics(&metrics)
	for _, want := range []string{`viz_request_seconds_count{route="/",status="499"} 1`,
		`viz_request_seconds_count{route="/",status="500"} 1`, "viz_memory_bytes ", "viz_requests_running 0"} {
		if !strings.Contains(metrics.String(), want) {
			t.Errorf("no %s in %s", want, &metrics)
		}
	}
}

// TestModelsOfOnePosition: models with one position have no room for any text, so cards give no advice.
func TestModelsOfOnePosition(t *testing.T) {
	for _, length := range []int{0, 1, 2, 3} {
		f := &webtest.FakeEngine{Change: func(r *engine.Report) {
			m := &r.Mechanisms[0]
			info := *m.Model
			info.Length, info.Longest = length, length
			*m = engine.Result{ID: m.ID, Entry: m.Entry, Stack: m.Stack, Model: &info,
				Err: webtest.Refused(fault.Unsupported, "too long")}
		}}
		if w := webtest.Get(webtest.NewServer(t, f), "/?m=dense&text=one+two+three"); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("length %d: %d", length, w.Code)
		}
	}
}
