package wall_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestWallMeasuresWhatIsCheap: a wall measures cheap mechanisms at once, and links to the others in the order of
// their cost. A measured result is reused on every wall.
func TestWallMeasuresWhatIsCheap(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	f := &webtest.FakeEngine{Before: func(_ context.Context, r engine.Request) error {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, strings.Join(r.Mechanisms, ","))
		return nil
	}}
	s := webtest.Costly(t, f, map[string]float64{"dense": 1, "random": site.SoonOperations * 2,
		"fastformer": site.SoonOperations * 3, "dot-product": site.SoonOperations})
	const wall = "/?show=influence&m=fastformer,random,dense,dot-product"
	w := webtest.Get(s, wall)
	page := w.Body.String()
	if w.Code != http.StatusOK || !slices.Equal(asked, []string{"dense"}) ||
		strings.Count(page, `data-map="influence"`) != 1 {
		t.Errorf("%d: measured %q", w.Code, asked)
	}
	for id, order := range map[string]int{"dot-product": 1, "random": 2, "fastformer": 3} {
		want := regexp.MustCompile(fmt.Sprintf(`data-src="/\?[^"]*m=%s&amp;[^"]*show=influence[^"]*" data-order="%d"`,
			id, order))
		if !want.MatchString(page) {
			t.Errorf("no %s", want)
		}
	}
	if drawn := regexp.MustCompile(`data-src="/api/v1/drawing\?[^"]*m=dense&amp;`); !strings.Contains(page,
		"1 of 4 cards are measured") || !drawn.MatchString(page) {
		t.Error("the page does not say what is measured, or asks for the numbers of more")
	}
	if one := webtest.Get(s, "/?show=influence&m=fastformer").Body.String(); !strings.Contains(one,
		`data-map="influence"`) {
		t.Error("a card alone is not measured")
	}
	asked = nil
	if page := webtest.Get(s, wall).Body.String(); strings.Count(page, `data-map="influence"`) != 3 ||
		!strings.Contains(page, "3 of 4 cards") || !slices.Equal(asked, []string{"dot-product"}) {
		t.Errorf("the next time %q is measured", asked)
	}
	if w := webtest.Get(s, "/api/v1/attend?text=a&map=influence&m=fastformer,random,dense"); strings.Count(w.Body.String(),
		`"name":"influence"`) != 3 {
		t.Error("numbers are not whole")
	}
}

// TestTwoTextsAreMeasuredCardByCard: the cost of a card is that of both of its maps, and both maps appear
// together.
func TestTwoTextsAreMeasuredCardByCard(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	f := &webtest.FakeEngine{Before: func(_ context.Context, r engine.Request) error {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, strings.Join(r.Mechanisms, ",")+" of "+r.Text)
		return nil
	}}
	s := webtest.Costly(t, f, map[string]float64{"dense": 1, "random": site.SoonOperations * 0.6,
		"fastformer": site.SoonOperations * 3})
	const wall = "/?show=influence&text=one+two&other=two+one&m="
	page := webtest.Get(s, wall+"fastformer,random,dense").Body.String()
	if want := []string{"dense of one two", "dense of two one"}; !slices.Equal(asked, want) ||
		strings.Count(page, `class="second-map"`) == 0 || !strings.Contains(page, "1 of 3 cards are measured") {
		t.Errorf("measured %q", asked)
	}
	for id, order := range map[string]int{"random": 1, "fastformer": 2} {
		want := regexp.MustCompile(fmt.Sprintf(`data-src="/\?[^"]*m=%s&amp;other=two\+one&amp;show=influence[^"]*" data-order="%d"`, id, order))
		if !want.MatchString(page) {
			t.Errorf("no %s", want)
		}
	}
	asked = nil
	if one := webtest.Get(s, wall+"random").Body.String(); len(asked) != 2 ||
		!strings.Contains(one, `data-map="second"`) || !strings.Contains(one, `data-map="influence"`) {
		t.Errorf("a card alone is not measured for both texts: %q", asked)
	}
	asked = nil
	page = webtest.Get(s, wall+"fastformer,random,dense").Body.String()
	if want := []string{"fastformer of one two", "fastformer of two one"}; !slices.Equal(asked, want) ||
		strings.Count(page, `data-map="influence"`) != 3 {
		t.Errorf("the next time %q is measured", asked)
	}
}

// TestWhoIsPatientIsTold: a request waits as long as the client asks, and then gets the expected time.
func TestWhoIsPatientIsTold(t *testing.T) {
	running, end := make(chan struct{}), make(chan struct{})
	f := &webtest.FakeEngine{Before: func(_ context.Context, r engine.Request) error {
		if r.Text == "first" {
			close(running)
			<-end
		}
		return nil
	}}
	s := webtest.Costly(t, f, map[string]float64{"random": site.OperationsPerSecond * 100})
	var all sync.WaitGroup
	all.Go(func() { webtest.Get(s, "/?show=influence&m=random&text=first") })
	<-running
	began := time.Now()
	r := httptest.NewRequest(http.MethodGet, "http://localhost/?show=influence&m=random&text=second", nil)
	r.Header.Set("Prefer", "wait=2")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if after := w.Header().Get("Retry-After"); w.Code != http.StatusServiceUnavailable || after == "" || after == "1" ||
		time.Since(began) > 20*time.Second {
		t.Errorf("%d after %v, come back after %q", w.Code, time.Since(began), after)
	}
	if w := webtest.Get(s, "/?show=influence&m=dense&text=third"); w.Code != http.StatusOK {
		t.Errorf("what is short: %d", w.Code)
	}
	close(end)
	all.Wait()
}
