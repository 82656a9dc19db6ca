package mechanism_test

import (
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/web/webtest"
)

// TestSourcePage: every mechanism and architecture has its source file with syntax highlighting.
func TestSourcePage(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, id := range append(engine.IDs(), engine.StackIDs()...) {
		w := webtest.Get(s, "/m/"+id+"/source")
		for _, want := range []string{`id="line-1"`, `<span class="keyword">package</span>`, `<span class="comment">// `} {
			if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d without %s", id, w.Code, want)
			}
		}
	}
	if w := webtest.Get(s, "/m/dence/source"); w.Code != 404 || !strings.Contains(w.Body.String(), "/m/dense") {
		t.Errorf("unknown: %d", w.Code)
	}
}
