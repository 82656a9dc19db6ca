package mechanism_test

import (
	"strings"
	"testing"

	"attnatlas/engine/results"
	"attnatlas/web/webtest"
)

// TestDeletionOnAPage: the page of a mechanism shows the tokens on which its predictions depend,
// with the lowest accuracy in bold, or states that no head points at them.
func TestDeletionOnAPage(t *testing.T) {
	r := webtest.FakeResults()
	by := func(shares ...float64) (all []results.DeletedBy) {
		for head, share := range shares {
			all = append(all, results.DeletedBy{Map: "beta", Layer: 1, Head: head, Right: share})
		}
		return all
	}
	r.Find("fastformer").Deletions = []results.Deletion{{Task: "topic", Texts: 1234, Whole: 0.92, Random: 0.87,
		By: by(0.8, 0.61, 0.85)}}
	r.Find("random").Deletions = []results.Deletion{{Task: "feeling", Texts: 99, Whole: 0.7, Random: 0.69,
		By: by(0.7, 0.688, 0.69)}}
	s := webtest.ResultsServer(t, r)
	section := webtest.All(webtest.Parse(t, webtest.Get(s, "/m/fastformer?text=a")), "section.deletion")[0]
	said := webtest.PlainText(section)
	for _, want := range []string{"Topics of requests: 92.0 %", "1 234 validation texts", "87.0 % are right on average",
		"most decisive map points at, 61.0 % are right", "head 2", "85.0 %"} {
		if !strings.Contains(said, webtest.Spelled(want)) {
			t.Errorf("no %q in %s", want, said)
		}
	}
	if bold := webtest.All(section, "b"); len(bold) != 1 || webtest.PlainText(bold[0]) != webtest.Spelled("61.0 %") {
		t.Errorf("%d in bold", len(bold))
	}
	none := webtest.All(webtest.Parse(t, webtest.Get(s, "/m/random?text=a")), "section.deletion")[0]
	if said := webtest.PlainText(none); !strings.Contains(said,
		webtest.Spelled("No map points at the deciding token")) || len(webtest.All(none, "b")) != 0 {
		t.Error(said)
	}
	if len(webtest.All(webtest.Parse(t, webtest.Get(s, "/m/dense?text=a")), "section.deletion")) > 0 {
		t.Error("nothing was measured of dense")
	}
}
