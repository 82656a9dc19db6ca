package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/web/address"
	"attnatlas/web/admission"

	"github.com/danielgtaylor/huma/v2"
)

// quickCosts is a server that measures little.
func quickCosts(t *testing.T) *Server {
	t.Helper()
	s := newServer(t, &fakeEngine{})
	s.costs.lengths.Width, s.costs.lengths.Heads, s.costs.lengths.Sample = 8, 2, time.Microsecond
	s.costs.lengths.List = []int{16, 32}
	return s
}

func costsOf(t *testing.T, s http.Handler, query string) (r costs.Report) {
	t.Helper()
	w := get(s, "/api/v1/cost"+query)
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v: %s", w.Code, w.Header(), w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// untilMeasured waits until a measurement has ended.
func untilMeasured(t *testing.T, s *Server) costs.Report {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if r := costsOf(t, s, ""); !r.Measured.Running {
			return r
		}
	}
	t.Fatal("the measurement does not end")
	return costs.Report{}
}

// TestMeasuringOnce: who asks begins it for all; what was measured is on the page, and is not measured again at once.
func TestMeasuringOnce(t *testing.T) {
	s := quickCosts(t)
	w := get(s, "/cost?text=hello&n=20&measure=now")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/cost?n=20&text=hello" {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	r := untilMeasured(t, s)
	if want := 2 * len(attention.Catalog); r.Measured.Done != want || r.Measured.All != want || len(r.Points) != want || r.Roof == nil {
		t.Fatalf("%+v, %d points", r.Measured, len(r.Points))
	}
	checkDocument(t, get(s, "/cost?n=20").Body.String(), wantPage{path: "/cost?n=20", has: []string{
		"figure#plot-time", "figure#plot-bytes", "figure#plot-roof", "text.mark-label N = 20", "section#cost-measure All 38 points", "circle.own",
	}, not: []string{"button[name=measure] .", "progress"}})
	again := get(s, "/cost?measure=now")
	if after, err := strconv.Atoi(again.Header().Get("Retry-After")); again.Code != http.StatusServiceUnavailable || err != nil || after < 500 || after > 600 {
		t.Errorf("%d, Retry-After %q", again.Code, again.Header().Get("Retry-After"))
	}
	s.costs.mu.Lock()
	s.costs.began = time.Now().Add(-rest)
	s.costs.mu.Unlock()
	if w := get(s, "/cost"); !strings.Contains(w.Body.String(), `value="now"`) {
		t.Error("it cannot be measured again later")
	}
	if w := get(s, "/api/v1/cost?measure=now"); w.Code != http.StatusOK {
		t.Errorf("%d", w.Code)
	}
	untilMeasured(t, s)
}

// TestMeasuringStops: when somebody says so, when nobody looks, when the server ends; and goes on where it was. It
// waits for its turn among the long work of the server.
func TestMeasuringStops(t *testing.T) {
	s := quickCosts(t)
	s.costs.long = admission.NewQueue(1, 1e9)
	release, busy := make(chan bool), make(chan bool)
	go s.costs.long.Spend(t.Context(), time.Second, func() error { close(busy); <-release; return nil })
	<-busy
	get(s, "/cost?measure=now")
	if page := get(s, "/cost").Body.String(); !strings.Contains(page, `value="stop"`) || !strings.Contains(page, `http-equiv="refresh"`) || !strings.Contains(page, "<progress") {
		t.Error("a page of what runs has no progress, no way to stop it or, without scripts, to follow it")
	}
	if w := get(s, "/api/v1/cost"); w.Header().Get("Retry-After") == "" {
		t.Error("nothing says when it will be done")
	}
	get(s, "/cost?measure=stop")
	if r := untilMeasured(t, s); r.Measured.Done != 0 || len(r.Points) != 0 {
		t.Fatalf("it did not wait for its turn: %+v", r.Measured)
	}
	close(release)
	for name, end := range map[string]func(){
		"nobody looks":   func() { s.costs.looked = time.Now().Add(-2 * unwatched) },
		"the server has": func() { s.costs.looked = time.Now(); s.stopping.Store(true) },
	} {
		s.costs.mu.Lock()
		end()
		s.costs.mu.Unlock()
		if _, ok := s.costs.next(); ok {
			t.Errorf("%s, and it goes on", name)
		}
		s.stopping.Store(false)
	}
	s.costs.mu.Lock()
	s.costs.todo = s.costs.todo[30:]
	s.costs.mu.Unlock()
	get(s, "/cost?measure=now")
	if r := untilMeasured(t, s); r.Measured.Done != r.Measured.All-30 {
		t.Errorf("it began anew: %+v", r.Measured)
	}
	if w := get(s, "/cost"); !strings.Contains(w.Body.String(), "8 of 38 points are measured.") {
		t.Error("a page does not say what was measured when it was stopped")
	}
}

// TestHeadMeasuresNothing: who only asks for headers begins nothing.
func TestHeadMeasuresNothing(t *testing.T) {
	s := quickCosts(t)
	ask(s, http.MethodHead, "/cost?measure=now")
	ask(s, http.MethodHead, "/api/v1/cost?measure=now")
	if r := costsOf(t, s, ""); r.Measured.Running || r.Measured.Done != 0 {
		t.Errorf("%+v", r.Measured)
	}
}

func TestCostFitsItsSchema(t *testing.T) {
	s := quickCosts(t)
	get(s, "/cost?measure=now")
	untilMeasured(t, s)
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	valid[costs.Report](t, registry, get(s, "/cost.json?n=300&of=linformer&option.slots=4").Body.Bytes())
	r := costsOf(t, s, "?n=300&of=linformer&option.slots=4")
	c := r.Sizes.Config(map[string]string{"slots": "4"})
	if r.Chosen == nil || r.Chosen.Parameters.Value != int64(attention.Linformer.Params(c)) || r.Chosen.Parameters.Formula != "" || r.Sizes.Length != 300 || r.Sizes.Positions != 300 {
		t.Errorf("%+v, %+v", r.Sizes, r.Chosen)
	}
}

// TestCostAddresses: an address says what differs from the usual, and is read as it was written.
func TestCostAddresses(t *testing.T) {
	usual := costs.Sizes{Length: 19, Width: 128, Heads: 4}
	c := address.Cost{Sizes: costs.Sizes{Length: 300, Width: 64, Heads: 4, Positions: 512}, Mechanism: "linformer", Options: map[string]string{"slots": "4"}}
	to := address.CostOf("/cost", address.Default(), c, usual)
	if to != "/cost?n=300&of=linformer&option.slots=4&positions=512&width=64" {
		t.Error(to)
	}
	v, err := url.ParseQuery(strings.TrimPrefix(to, "/cost?"))
	if err != nil {
		t.Fatal(err)
	}
	back, bad := address.DecodeCost(v, usual)
	if len(bad) > 0 || back.Sizes != c.Sizes || back.Mechanism != c.Mechanism || back.Options["slots"] != "4" {
		t.Errorf("%+v, %v", back, bad)
	}
}
