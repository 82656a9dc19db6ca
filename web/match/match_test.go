package match_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/web/browsertest"
	"attnatlas/web/match"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// query returns the query of a match.
func query(text string, passages ...string) string {
	return url.Values{"m": {"dot-product"}, "text": {text}, "passages": {strings.Join(passages, "\n")}}.Encode()
}

// TestPage: the page, its numbers and its files agree about two texts, and the cells sum to the cosine.
func TestPage(t *testing.T) {
	q := query("The cat sat.", "I like bread.", "The cat <sat>.", "")
	base := browsertest.Server(t).URL
	var m, same match.Match
	for path, to := range map[string]*match.Match{"/match.json?": &m, "/api/v1/match?": &same} {
		status, body := browsertest.Fetch(t, base+path+q)
		if err := json.Unmarshal([]byte(body), to); status != 200 || err != nil {
			t.Fatalf("%s: %d %v %.300s", path, status, err, body)
		}
	}
	sum := 0.0
	for _, row := range m.Cells {
		for _, v := range row {
			sum += v
		}
	}
	best := m.Passages[m.Chosen-1]
	if len(m.Passages) != 2 || m.Chosen != 2 || m.Ranking[0] != 2 || math.Abs(sum-best.Score) > 1e-6 ||
		same.Sum != m.Sum || m.Score != "mean" {
		t.Errorf("%+v sums to %v", m, sum)
	}
	status, page := browsertest.Fetch(t, base+"/match?"+q)
	if status != 200 || !strings.Contains(page, strconv.FormatFloat(best.Score, 'f', 6, 64)) ||
		!strings.Contains(page, "The cat &lt;sat&gt;.") || strings.Contains(page, "<sat>") {
		t.Errorf("%d %.300s", status, page)
	}
	_, dark := browsertest.Fetch(t, base+"/match?theme=dark&"+q)
	if strings.Count(page, "theme=dark\"") != 1 || !strings.Contains(dark, "theme=dark\" alt") {
		t.Error("the map of a dark page is light")
	}
	for _, extension := range []string{"png", "svg", "pdf", "csv", "npy", "npz", "json", "html", "tex.zip"} {
		status, body := browsertest.Fetch(t, base+"/match/map."+extension+"?"+q)
		if status != 200 || len(body) < 100 {
			t.Errorf("%s: %d %.200s", extension, status, body)
		}
		if extension == "svg" && (!strings.Contains(body, "matched text") || strings.Contains(body, "axis.")) {
			t.Errorf("the axes of the map have no names: %.2000s", body)
		}
	}
}

// TestFileRunsItsScript: an HTML file of the map is sent with the policy of such files, not of pages.
func TestFileRunsItsScript(t *testing.T) {
	r, err := http.Get(browsertest.Server(t).URL + "/match/map.html?" + query("The cat sat.", "I like bread."))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if policy := r.Header.Get("Content-Security-Policy"); r.StatusCode != 200 ||
		!strings.HasPrefix(policy, figure.PagePolicy) {
		t.Errorf("%s: %q", r.Status, policy)
	}
}

// TestPageWithoutAnswer: if texts cannot be matched, the page has the reason and the form.
func TestPageWithoutAnswer(t *testing.T) {
	for q, want := range map[string]int{
		"": 200, query("a", "b"): 200, query("a", ""): 400, query("a", "b") + "&passage=2": 404, query(" ", "b"): 400,
		"m=encoder-decoder": 422, "m=none": 404,
		query("a", strings.Repeat("b\n", 101)): 400, "passage=x": 400,
	} {
		status, page := browsertest.Fetch(t, browsertest.Server(t).URL+"/match?"+q)
		if status != want || want < 404 && q != "passage=x" && q != query(" ", "b") &&
			!strings.Contains(page, `name="passages"`) {
			t.Errorf("%.80s: %d, wanted %d: %.300s", q, status, want, page)
		}
	}
	if status, _ := browsertest.Fetch(t, browsertest.Server(t).URL+"/match/map.doc?"+query("a", "b")); status != 404 {
		t.Errorf("a format that there is not: %d", status)
	}
}
