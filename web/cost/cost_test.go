package cost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/web/admission"
	"attnatlas/web/cost"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"github.com/danielgtaylor/huma/v2"
)

// A complete measurement can be repeated after rest. A measurement stops if no visitor looks for
// unwatched. These are copies of the limits in measurement.go.
const (
	rest      = 10 * time.Minute
	unwatched = 20 * time.Second
)

// quickCosts returns a server with a short measurement.
func quickCosts(t *testing.T) *site.Server {
	t.Helper()
	s, err := site.New(site.Options{Inspector: &webtest.FakeEngine{}, Entries: attention.Catalog,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	quick := costs.Usual()
	quick.Width, quick.Heads, quick.Sample, quick.List = 8, 2, time.Nanosecond, []int{16, 32}
	s.Register(cost.Pages(s, quick)...)
	return s
}

func costsOf(t *testing.T, s http.Handler, query string) (r costs.Report) {
	t.Helper()
	w := webtest.Get(s, "/api/v1/cost"+query)
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v: %s", w.Code, w.Header(), w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// untilMeasured waits until a measurement has ended.
func untilMeasured(t *testing.T, s *site.Server) costs.Report {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if r := costsOf(t, s, ""); !r.Measured.Running {
			return r
		}
	}
	t.Fatal("the measurement does not end")
	return costs.Report{}
}

// TestMeasuringOnce: a visitor starts the measurement for all. Its results are on the page, and it
// does not repeat within ten minutes.
func TestMeasuringOnce(t *testing.T) { synctest.Test(t, measuringOnce) }

func measuringOnce(t *testing.T) {
	s := quickCosts(t)
	w := webtest.Ask(s, http.MethodPost, "/cost?text=hello&n=20&measure=now")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/cost?n=20&text=hello" {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	r := untilMeasured(t, s)
	if want := 2 * len(attention.Catalog); r.Measured.Done != want || r.Measured.All != want || len(r.Points) != want ||
		r.Roof == nil {
		t.Fatalf("%+v, %d points", r.Measured, len(r.Points))
	}
	page := webtest.Get(s, "/cost?n=20").Body.String()
	webtest.CheckDocument(t, page, webtest.WantPage{Path: "/cost?n=20", Has: []string{
		"figure#plot-time", "figure#plot-bytes", "figure#plot-roof", "text.mark-label N = 20",
		fmt.Sprintf("section#cost-measure All %d points", r.Measured.All), "circle.own",
	}, Not: []string{"button#cost-ask .", "progress"}})
	again := webtest.Ask(s, http.MethodPost, "/cost?measure=now")
	if after, err := strconv.Atoi(again.Header().Get("Retry-After")); again.Code != http.StatusServiceUnavailable ||
		err != nil || after < 500 || after > 600 {
		t.Errorf("%d, Retry-After %q", again.Code, again.Header().Get("Retry-After"))
	}
	time.Sleep(rest)
	if w := webtest.Get(s, "/cost"); !strings.Contains(w.Body.String(), `measure=now`) {
		t.Error("it cannot be measured again later")
	}
	if w := webtest.Ask(s, http.MethodPost, "/cost?measure=now"); w.Code != http.StatusSeeOther {
		t.Errorf("%d", w.Code)
	}
	untilMeasured(t, s)
}

// occupied starts a long job on a server with turns for a single one. The returned function ends the
// job.
func occupied(t *testing.T, s *site.Server) (end func()) {
	t.Helper()
	release, busy := make(chan bool), make(chan bool)
	go s.Long.Spend(t.Context(), time.Second, func() error { close(busy); <-release; return nil })
	<-busy
	return func() { close(release) }
}

// TestMeasuringStops: the measurement stops on request, and when no visitor looks. It resumes where
// it stopped, and waits for its turn among the long jobs of the server.
func TestMeasuringStops(t *testing.T) { synctest.Test(t, measuringStops) }

func measuringStops(t *testing.T) {
	s := quickCosts(t)
	s.Long = admission.NewQueue(1, 1e9)
	end := occupied(t, s)
	webtest.Ask(s, http.MethodPost, "/cost?measure=now")
	if page := webtest.Get(s, "/cost").Body.String(); !strings.Contains(page, `measure=stop`) ||
		!strings.Contains(page, `http-equiv="refresh"`) || !strings.Contains(page, "<progress") {
		t.Error("a page of what runs has no progress, no way to stop it or, without scripts, to follow it")
	}
	if w := webtest.Get(s, "/api/v1/cost"); w.Header().Get("Retry-After") == "" {
		t.Error("nothing says when it will be done")
	}
	webtest.Ask(s, http.MethodPost, "/cost?measure=stop")
	if r := untilMeasured(t, s); r.Measured.Done != 0 || len(r.Points) != 0 {
		t.Fatalf("it did not wait for its turn: %+v", r.Measured)
	}
	end()
	// after starts the measurement, which gets its turn after a time without visitors.
	after := func(alone time.Duration) costs.Report {
		end := occupied(t, s)
		webtest.Ask(s, http.MethodPost, "/cost?measure=now")
		time.Sleep(alone)
		end()
		synctest.Wait()
		r := costsOf(t, s, "")
		if r.Measured.Running {
			t.Fatalf("it does not end: %+v", r.Measured)
		}
		return r
	}
	var stopped costs.Report
	for done := range 3 { // the roof, the first point, the second point
		stopped = after(unwatched + time.Second)
		if stopped.Measured.Done != done || len(stopped.Points) != done || stopped.Roof == nil {
			t.Fatalf("nobody looks, and it goes on or begins anew: %+v, want %d points", stopped.Measured, done)
		}
	}
	if w := webtest.Get(s, "/cost"); !strings.Contains(w.Body.String(),
		fmt.Sprintf("%d of %d points measured.", stopped.Measured.Done, stopped.Measured.All)) {
		t.Error("a page does not say what was measured when it was stopped")
	}
	r := after(unwatched - time.Second)
	if r.Measured.Done != r.Measured.All || len(r.Points) != r.Measured.All {
		t.Errorf("a visitor looks, and it does not go on: %+v", r.Measured)
	}
	for _, p := range stopped.Points {
		if !slices.Contains(r.Points, p) {
			t.Errorf("it began anew, without %+v", p)
		}
	}
}

// TestMeasuringEndsWithItsServer: the measurement stops when the server ends.
func TestMeasuringEndsWithItsServer(t *testing.T) { synctest.Test(t, measuringEndsWithItsServer) }

func measuringEndsWithItsServer(t *testing.T) {
	s := quickCosts(t)
	s.Long = admission.NewQueue(1, 1e9)
	end := occupied(t, s)
	webtest.Ask(s, http.MethodPost, "/cost?measure=now")
	ctx, stop := context.WithCancel(t.Context())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if err := s.Serve(ctx, l); err != nil {
		t.Fatal(err)
	}
	end()
	if r := untilMeasured(t, s); r.Measured.Done != 0 || r.Roof == nil {
		t.Errorf("the server has stopped, and it goes on: %+v", r.Measured)
	}
}

// TestOnlyOurPagesMeasure: links, pictures, crawlers and forms of other sites cannot start a
// measurement.
func TestOnlyOurPagesMeasure(t *testing.T) {
	s := quickCosts(t)
	for _, path := range []string{"/cost?measure=now", "/api/v1/cost?measure=now"} {
		webtest.Get(s, path)
		webtest.Ask(s, http.MethodHead, path)
	}
	for _, from := range [][]string{
		{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "document", "Sec-Fetch-Mode", "navigate"},
		{"Sec-Fetch-Site", "same-site"},
		{"Origin", "https://evil.example"}, {"Origin", "null"},
	} {
		if w := webtest.Ask(s, http.MethodPost, "/cost?measure=now", from...); w.Code != http.StatusForbidden {
			t.Errorf("%v: %d", from, w.Code)
		}
	}
	if r := costsOf(t, s, ""); r.Measured.Running || r.Measured.Done != 0 {
		t.Errorf("%+v", r.Measured)
	}
}

func TestCostFitsItsSchema(t *testing.T) {
	s := quickCosts(t)
	webtest.Ask(s, http.MethodPost, "/cost?measure=now")
	untilMeasured(t, s)
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	webtest.Valid[costs.Report](t, registry, webtest.Get(s, "/cost.json?n=300&of=linformer&option.slots=4").Body.Bytes())
	r := costsOf(t, s, "?n=300&of=linformer&option.slots=4")
	c := r.Sizes.Config(map[string]string{"slots": "4"})
	if r.Chosen == nil || r.Chosen.Parameters.Value != int64(attention.Linformer.Params(c)) ||
		r.Chosen.Parameters.Formula != "" || r.Sizes.Length != 300 || r.Sizes.Positions != 300 {
		t.Errorf("%+v, %+v", r.Sizes, r.Chosen)
	}
}
