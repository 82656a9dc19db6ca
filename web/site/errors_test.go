package site_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

func TestStatusOfErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{
		{fault.Errorf(fault.Invalid, "error.no-model", "id", 7), 400, "No trained model of 7"},
		{fmt.Errorf("outer: %w", webtest.Refused(fault.NotFound, "gone")), 404, "gone"},
		{webtest.Refused(fault.Unsupported, "undefined"), 422, "undefined"},
		{webtest.Refused(fault.Busy, "wait"), 503, "wait"},
		{webtest.Refused(fault.TooLarge, "long"), 413, "long"},
		{&fault.Error{Kind: fault.Internal, Msg: messages.Text("secret"), Err: errors.New("secret")}, 500,
			"Something went wrong"},
		{errors.New("secret"), 500, "Something went wrong"},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), 503, "took too long"},
		{&fault.Error{Kind: fault.Busy, Msg: messages.Text("stopped"), Err: context.Canceled}, 503, "stopped"},
		{fmt.Errorf("%w: too large", figure.ErrInvalid), 400, "too large"},
		{&site.StatusError{Status: http.StatusTeapot, Msg: messages.Text("short and stout")}, 418, "short and stout"},
		{address.Invalid("layer", "param.no-mechanism", "key", "layer"), 400, "layer is empty"},
	} {
		if got := site.StatusOf(c.err); got != c.status {
			t.Errorf("%v: status %d, want %d", c.err, got, c.status)
		}
		if got := site.MessageOf(c.err).String(); !strings.Contains(got, c.says) || strings.Contains(got, "secret") {
			t.Errorf("%v: says %q", c.err, got)
		}
	}
}

var anyRoute = []string{"/?text=hello", "/api/v1/attend?text=hello", "/export/dense.png?text=hello"}

func TestPanicIsAnInternalError(t *testing.T) {
	s, log := webtest.Failing(t, func(context.Context, engine.Request) error { panic("the secret") })
	for _, path := range anyRoute {
		log.Reset()
		w := webtest.Get(s, path, "Accept", "text/html")
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "Something went wrong") ||
			strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		if !strings.Contains(log.String(), "the secret") || !strings.Contains(log.String(), "errors_test.go") {
			t.Errorf("%s: the log does not tell: %s", path, log)
		}
		if w.Header().Get("Content-Security-Policy") != site.Policy {
			t.Errorf("%s: policy %q", path, w.Header().Get("Content-Security-Policy"))
		}
	}
}

func TestBusySaysWhenToComeBack(t *testing.T) {
	s, _ := webtest.Failing(t, func(context.Context,
		engine.Request) error {
		return webtest.Refused(fault.Busy, "Full house.")
	})
	for _, path := range anyRoute {
		w := webtest.Get(s, path)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
			!strings.Contains(w.Body.String(), "Full house.") {
			t.Errorf("%s: %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
}

func TestDeadline(t *testing.T) {
	s, _ := webtest.Spoilt(t, &webtest.FakeEngine{Before: func(ctx context.Context, _ engine.Request) error {
		<-ctx.Done()
		return ctx.Err()
	}}, 100*time.Millisecond)
	for _, path := range anyRoute {
		if w := webtest.Get(s, path); w.Code != http.StatusServiceUnavailable ||
			!strings.Contains(w.Body.String(), "too long") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestProblemForm(t *testing.T) {
	w := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}), "/api/v1/attend?text=hello&m=nonsense")
	var p struct {
		Title, Detail string
		Status        int
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	if p.Status != 404 || p.Title != "Not Found" || !strings.Contains(p.Detail, `“nonsense”`) ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%+v %v", p, w.Header())
	}
}

// TestOneMechanismFails: a bug in one mechanism affects only its card, and the visitor does not see the cause.
func TestOneMechanismFails(t *testing.T) {
	s, log := webtest.Spoilt(t, &webtest.FakeEngine{Change: func(r *engine.Report) {
		r.Mechanisms[0].Layers = nil
		r.Mechanisms[0].Err = &fault.Error{Kind: fault.Internal, Msg: messages.Text("secret"), Err: errors.New("the cause")}
	}}, 0)
	page := webtest.Get(s, "/?text=hello")
	if body := page.Body.String(); page.Code != 200 || !strings.Contains(body, "Something went wrong") ||
		strings.Contains(body, "secret") || !strings.Contains(body, `id="map-dense"`) {
		t.Errorf("%d %s", page.Code, body)
	}
	if !strings.Contains(log.String(), "the cause") {
		t.Errorf("after the page the log says %q", log)
	}
	log.Reset()
	a := webtest.Attend(t, s, "text=hello")
	if !strings.Contains(log.String(), "the cause") {
		t.Errorf("after the API the log says %q", log)
	}
	if !strings.Contains(a.Mechanisms[0].Error, "Something went wrong") || a.Mechanisms[1].Error != "" {
		t.Errorf("%+v", a.Mechanisms)
	}
}

// TestPanicForTheUser: an error for the user in a panic, such as a font that could not be fetched, is the answer.
func TestPanicForTheUser(t *testing.T) {
	want := fault.Errorf(fault.Busy, "error.unfetched-font")
	if got := site.Panicked(want); !errors.Is(got, want) || !strings.Contains(site.MessageOf(got).String(), "A font") {
		t.Errorf("got %v", got)
	}
}

// TestPanicWhileAModelIsOpened: a panic while a model is opened affects only its card, on every page and at every
// time.
func TestPanicWhileAModelIsOpened(t *testing.T) {
	e := engine.NewFrom(func(id string) ([]byte, bool) {
		if id == "dense" {
			panic("the secret")
		}
		return checkpoint.Embedded(id)
	})
	s, err := web.New(site.Options{Inspector: e, Info: e.Info, Entries: attention.Catalog, Stacks: encoder.Stacks,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct{ status, maps int }{"/?m=dense,random&text=hello": {200, 1},
		"/?m=dense&text=hello": {500, 0}, "/m/dense?text=hello": {200, 0}, "/about": {200, 0}, "/m": {200, 0}} {
		for range 2 {
			w := webtest.Get(s, path)
			body := w.Body.String()
			if w.Code != want.status || strings.Count(body, `class="map"`) != want.maps ||
				strings.Contains(body, "the secret") || strings.Contains(path, "text=") != strings.Contains(body,
				"Something went wrong") {
				t.Errorf("%s: %d, %d maps", path, w.Code, strings.Count(body, `class="map"`))
			}
		}
	}
}

// TestTermsOfErrors: an error page links terms to the glossary.
func TestTermsOfErrors(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	w := webtest.Get(s, "/export/dense.png?layer=9&text=a", "Accept", "text/html")
	if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), `/glossary#layer"`) {
		t.Errorf("%d: no link to the term layer in %s", w.Code, w.Body)
	}
}

// TestHeadingsOfErrors: an error page of each status has its number and a heading in plain words.
func TestHeadingsOfErrors(t *testing.T) {
	for _, status := range []int{400, 403, 404, 405, 408, 413, 414, 421, 422, 429, 431, 500, 501, 503} {
		s, _ := webtest.Failing(t, func(context.Context, engine.Request) error {
			return &site.StatusError{Status: status, Msg: messages.Text("why")}
		})
		doc := webtest.Parse(t, webtest.Get(s, "/export/dense.png?text=hello", "Accept", "text/html"))
		number, heading := "", ""
		for _, n := range webtest.All(doc, "p.failure-status") {
			number += webtest.TextOf(n)
		}
		for _, n := range webtest.All(doc, "h1") {
			heading += webtest.TextOf(n)
		}
		if number != strconv.Itoa(status) || heading == "" || strings.Contains(heading, "failure.") ||
			heading == http.StatusText(status) {
			t.Errorf("%d: number %q, heading %q", status, number, heading)
		}
	}
}
