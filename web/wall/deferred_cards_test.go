package wall_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"attnatlas/engine"
	"attnatlas/engine/fault"
	"attnatlas/engine/method"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// waiting maps the mechanisms of a wall to their costs. A page that does not wait measures only the cheapest.
var waiting = map[string]float64{"dense": 1, "dot-product": site.SoonOperations, "random": site.SoonOperations * 2,
	"fastformer": site.SoonOperations * 3}

const wallOfFour = "/?m=fastformer,random,dense,dot-product&show=influence&text=one+two"

// restOf returns the link of an incomplete page to the complete one, without scripts, and the text about it.
func restOf(t *testing.T, page string) (to, says string) {
	t.Helper()
	part := regexp.MustCompile(`<noscript><p class="rest">(.*?)(?: <a id="rest" href="([^"]*)" target="_self">[^<]*</a>)?</p>`).FindStringSubmatch(page)
	if part == nil || strings.Contains(page, "http-equiv") {
		return "", ""
	}
	return strings.TrimPrefix(strings.ReplaceAll(part[2], "&amp;", "&"), "."), part[1]
}

// TestAPageWithoutScriptsBecomesWhole: the page links to the page that waits, which has all cards and no such
// link. From then on, the first page is the same.
func TestAPageWithoutScriptsBecomesWhole(t *testing.T) {
	for _, path := range []string{wallOfFour, wallOfFour + "&other=two+one",
		strings.Replace(wallOfFour, "influence", "value-zeroing", 1), strings.Replace(wallOfFour, "/?", "/embed?", 1),
		"/compare?a=random&b=fastformer&show=influence&text=one+two"} {
		s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) {
			o.Cost = func(r engine.Request) engine.Cost {
				sum := 0.0
				for _, id := range r.Mechanisms {
					sum += waiting[id]
				}
				return engine.Cost{Operations: sum * float64(webtest.LayerOf(r, method.Influence)+webtest.LayerOf(r,
					method.ValueZeroing))}
			}
		})
		page := webtest.Get(s, path).Body.String()
		to, _ := restOf(t, page)
		if !strings.HasSuffix(to, "&wait=1") || !strings.Contains(page, `class="figure refused measuring"`) {
			t.Errorf("%s leads to %q", path, to)
			continue
		}
		w := webtest.Get(s, to)
		whole := w.Body.String()
		if w.Code != http.StatusOK || strings.Contains(whole, "<noscript>") || strings.Contains(whole, "measuring\"") ||
			strings.Contains(whole, "wait=1") {
			t.Errorf("%s: %d, and it is not whole, or has links that wait", to, w.Code)
		}
		if again, now := webtest.Get(s, to).Body.String(), webtest.Get(s, path).Body.String(); again != whole ||
			now != whole {
			t.Errorf("%s has other bytes the next time, or without waiting", to)
		}
	}
}

// TestAPageThatWaitsStands: what cannot be measured in time, or is refused, stays deferred. The page says why, and
// shows all other maps.
func TestAPageThatWaitsStands(t *testing.T) {
	for name, c := range map[string]struct {
		path   string
		before func(context.Context, engine.Request) error
		bytes  int64 // of a report of more than one mechanism
		long   bool  // the measurement takes so long that it waits for its turn
		maps   int
		waits  int
		says   string
	}{
		"a time": {wallOfFour, func(ctx context.Context, r engine.Request) error {
			if r.Mechanisms[0] == "fastformer" && webtest.LayerOf(r, method.Influence) > 0 {
				<-ctx.Done()
			}
			return ctx.Err()
		}, 0, false, 3, 1, "This took too long"},
		"a queue": {wallOfFour, func(_ context.Context, r engine.Request) error {
			if waiting[r.Mechanisms[0]] >= site.SoonOperations && webtest.LayerOf(r, method.Influence) > 0 {
				return fault.Errorf(fault.Busy, "error.crowded")
			}
			return nil
		}, 0, true, 1, 3, "busy with many requests"},
		"room": {wallOfFour, nil, 1 << 40, true, 1, 3, "This needs too much memory"},
		"a comparison": {strings.Replace(wallOfFour, "/?", "/compare?a=dense&b=fastformer&", 1), func(ctx context.Context,
			r engine.Request) error {
			if r.Mechanisms[0] == "fastformer" && webtest.LayerOf(r, method.Influence) > 0 {
				<-ctx.Done()
			}
			return ctx.Err()
		}, 0, true, 1, 1, "This took too long"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := webtest.ServerWith(t, &webtest.FakeEngine{Before: c.before}, func(o *site.Options) {
					o.Cost = func(r engine.Request) engine.Cost {
						cost := engine.Cost{Operations: waiting[r.Mechanisms[0]] / site.SoonOperations * float64(webtest.LayerOf(r,
							method.Influence))}
						if c.long {
							cost.Operations *= site.SoonOperations
						}
						if len(r.Mechanisms) > 1 {
							cost.Bytes = c.bytes
						}
						return cost
					}
				})
				w := webtest.Get(s, c.path+"&wait=1")
				page := w.Body.String()
				to, says := restOf(t, page)
				if again := c.bytes == 0; (to != "") != again {
					t.Errorf("it leads to %q: that it can be asked for again is %v", to, again)
				}
				if maps, waits := strings.Count(page, `data-map="influence"`), strings.Count(page,
					"refused measuring"); w.Code != http.StatusOK || maps != c.maps || waits != c.waits ||
					!strings.Contains(says, c.says) {
					t.Errorf("%d, %d maps and %d that wait: %s", w.Code, maps, waits, says)
				}
			})
		})
	}
}
