package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/webtest"

	"golang.org/x/net/html"
)

var routeTable = []webtest.WantPage{
	{Path: "/", Status: 200, Kind: webtest.HtmlType, Has: []string{
		"main", "form#controls", "article#card-dot-product", "article#card-random", "article#card-dense",
		"article#card-fastformer",
		"article#card-fastformer img", "textarea#c-text " + address.DefaultText, "select#c-layer", "select#c-norm",
		"div.strip[data-map=alpha]", "div.strip[data-map=beta]", "p.badge rows Σ = 1", "option[selected] row",
	}, Not: []string{"p.message[role=alert] ."}},
	{Path: "/?text=hello+world&m=dense&layer=1&head=2", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"article#card-dense", "textarea hello world"}, Not: []string{"article#card-random"}},
	{Path: "/?text=", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"form#controls", "p.message[role=alert] Type some words"}, Not: []string{"article"}},
	{Path: "/?text=+%0A+", Status: 400, Kind: webtest.HtmlType, Has: []string{"p.message[role=alert] Type some words"}},
	{Path: "/?text=hello&layer=99", Status: 404, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] No layer 99", "article#card-dense", "textarea hello", "p.message 2 layers"}},
	{Path: "/?text=hello&head=5", Status: 404, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] No head 5", "article#card-dense img"}},
	{Path: "/?text=hello&head=-1", Status: 400, Kind: webtest.HtmlType,
		Has: []string{`p.message[role=alert] head=“-1”`, "article#card-dense img", "textarea hello"}},
	{Path: "/?text=hello&norm=loud&cmap=jet", Status: 400, Kind: webtest.HtmlType,
		Has: []string{`p.message[role=alert] norm=“loud”`, `p.message cmap=“jet”`, "article#card-dense img"}},
	{Path: "/?text=hello&m=nonsense", Status: 404, Kind: webtest.HtmlType,
		Has: []string{`p.message[role=alert] “nonsense”`, "article#card-dense img", "textarea hello"}},
	{Path: "/?text=hello&m=nonsense,dense", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"article#card-dense img", "article#card-nonsense p.refusal-text nonsense"}},
	{Path: "/?text=hello&mask=causal", Status: 200, Kind: webtest.HtmlType, Has: []string{
		"article#card-dense img", "article#card-fastformer p.refusal-text causal", "li.swatch.forbidden",
		"article#card-fastformer a.enhance without an attention mask",
	}},
	{Path: "/?text=hello&m=fastformer&mask=causal", Status: 422, Kind: webtest.HtmlType,
		Has: []string{"article#card-fastformer p.refusal-text causal"}},
	{Path: "/?text=hello+you&pin=2.3", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"section#readout[data-pinned=true]", "bdi.reader hello", "input[name=pin]"}},
	{Path: "/?text=hello+you&pin=2", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"section#readout[data-pinned=true] attends most to", "bdi.reader hello", "input[value=2]",
			"button.word[aria-pressed=true] hello", "button.word[value=] hello", "button.word[value=3] you", "span.card-read"}},
	{Path: "/?text=hello&pin=99.1", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"section#readout[data-pinned=false]"}, Not: []string{"p.message[role=alert] .", "input[name=pin]"}},
	{Path: "/?text=hello&pin=1.99", Status: 200, Kind: webtest.HtmlType, Has: []string{"input[value=1]"},
		Not: []string{"p.message[role=alert] ."}},
	{Path: "/?text=hello&pin=2&pin=1.1", Status: 200, Kind: webtest.HtmlType, Has: []string{"input[value=2]"}},
	{Path: "/?text=hello&pin=&pin=1.1", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"section#readout[data-pinned=false]"}},
	{Path: "/?text=100%+sure", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] %25", "textarea 100% sure"}},
	{Path: "/?text=hello&utm_source=mail", Status: 200, Kind: webtest.HtmlType},
	{Path: "/?text=" + strings.Repeat("word+", 100), Status: 422, Kind: webtest.HtmlType,
		Has: []string{"p.refusal-text 64 positions", "p#status 102 tokens"}},
	{Path: "/?text=" + url.QueryEscape(webtest.LongText), Status: 413, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] limit", "form#controls"}},
	{Path: "/?layer=99999999999999999999&pin=1.99999999999999999999&head=1e9", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"article#card-dense img"}},
	{Path: "/?theme=dark", Status: 200, Kind: webtest.HtmlType, Has: []string{"html[data-theme=dark]"},
		Not: []string{"source"}},
	{Path: "/m", Status: 200, Kind: webtest.HtmlType, Has: []string{"h1 Mechanisms", "ul.index-list Fastformer", "math"}},
	{Path: "/m/dense?text=hello&layer=2&head=3", Status: 200, Kind: webtest.HtmlType, Has: []string{
		"h1 Dense synthesizer", "textarea hello", "article#card-dense img", "a.thumb[aria-current=true]", "select#c-layer",
		"section#readout", "a[aria-current=true] Mechanisms",
	}, Not: []string{"details#mechanisms", "article#card-random"}},
	{Path: "/m/dense?text=", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"h1 Dense", "p.message[role=alert] Type some words", "form#controls"}, Not: []string{"article"}},
	{Path: "/m/dense?text=hello&head=9", Status: 404, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] No head 9", "article#card-dense img"}},
	{Path: "/m/dense?text=hello&m=random", Status: 200, Kind: webtest.HtmlType, Has: []string{"article#card-dense"},
		Not: []string{"article#card-random"}},
	{Path: "/m/fastformer?text=hello&mask=causal", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"p.refusal-text causal", "a.enhance without an attention mask",
			"a.enhance[href=/m/fastformer?text=hello]"}, Not: []string{"a.thumb", "a.enhance[href=/?m=fastformer&text=hello]"}},
	{Path: "/m/fastformer?text=hello&show=influence", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"article#card-fastformer img", "a.thumb"}},
	{Path: "/m/fasformer?text=hello", Status: 404, Kind: webtest.HtmlType,
		Has: []string{"main.failure", "ul.suggestions Fastformer"}},
	{Path: "/m/fasformer", Accept: "application/json", Status: 404, Kind: webtest.ProblemType},
	{Path: "/m/%3Cscript%3E", Status: 404, Kind: webtest.HtmlType,
		Has: []string{"main.failure", "ul.suggestions All mechanisms"}},
	{Path: "/about", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"table.models", "li stories (CC0)", "td topic accuracy 90.0 %", "h1 About"}},
	{Path: "/results", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"h1 How well the models predict", "main.results No results"}},
	{Path: "/cost", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"h1 Time, memory and parameters", "form#cost-form", "button#cost-ask Measure now",
			"section#cost-kept 2Nd", "section#cost-claims a Synthesizer in PyTorch", "section#cost-shared applied 6 times"},
		Not: []string{"figure#plot-time"}},
	{Path: "/cost?of=longformer&n=300&option.window=8&option.global=0&option.slots=3", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"section#cost-chosen window=8", "select#cost-of", "output 300"},
		Not: []string{"p.message[role=alert] ."}},
	{Path: "/cost?of=poolingformer&option.stride=9", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] 9", "section#cost-chosen default options"}},
	{Path: "/cost?width=30", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] must be at most", "form#cost-form"}},
	{Path: "/cost?n=100000", Status: 400, Kind: webtest.HtmlType, Has: []string{"p.message[role=alert] must be between"}},
	{Path: "/cost?of=nonsense", Status: 404, Kind: webtest.HtmlType, Has: []string{"p.message[role=alert] nonsense"}},
	{Path: "/cost?of=linformer&option.nonsense=1", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] nonsense"}},
	{Path: "/robots.txt", Status: 200, Kind: "text/plain"},
	{Path: "/reach", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"h1 Receptive field", "section#reach-map Longformer", "path.reach-level-1", "path.reach-level-2",
			"form#cost-form", "section#reach-table 2304"}},
	{Path: "/reach?of=longformer&n=20&layers=2&option.window=4&mask=causal", Status: 200, Kind: webtest.HtmlType,
		Has: []string{"p#reach-says after 2 layers", "path.reach-level-2"},
		Not: []string{"path.reach-level-3", "p.message[role=alert] ."}},
	{Path: "/reach?n=500", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] at most 128", "path.reach-level-1"}},
	{Path: "/reach?layers=99", Status: 400, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] must be at most 12", "path.reach-level-1"}},
	{Path: "/reach?of=fastformer&mask=causal", Status: 422, Kind: webtest.HtmlType,
		Has: []string{"p.message[role=alert] A causal mask is not available", "path.reach-level-1"}},
	{Path: "/reach.json?n=16&of=bigbird&option.block=2", Status: 200, Kind: "application/json"},
	{Path: "/pondering?m=bert", Status: 422, Kind: webtest.HtmlType,
		Has: []string{"main#main does not use adaptive computation"}},
	{Path: "/api/v1/pondering", Status: 400, Kind: webtest.ProblemType},
	{Path: "/reversing", Status: 422, Kind: webtest.HtmlType, Has: []string{"main#main does not recompute layers"}},
	{Path: "/api/v1/reversing", Status: 400, Kind: webtest.ProblemType},
	{Path: "/hashing", Status: 422, Kind: webtest.HtmlType,
		Has: []string{"main#main does not show the steps of hashing"}}, // like the engine of these tests
	{Path: "/hashing?rounds=9", Status: 400, Kind: webtest.HtmlType, Has: []string{"main#main must be at most 8"}},
	{Path: "/api/v1/hashing", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/reach?n=1000", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/reach?windows=3", Status: 400, Kind: webtest.ProblemType},
	{Path: "/cost.json?n=64&of=linformer&option.slots=4", Status: 200, Kind: "application/json"},
	{Path: "/cost.json?slots=4", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/cost?width=30", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/results", Status: 200, Kind: "application/json"},
	{Path: "/healthz", Status: 200, Kind: "text/plain"},
	{Path: "/nowhere", Status: 404, Kind: webtest.HtmlType, Has: []string{"main.failure", "p.failure-status 404"}},
	{Path: "/nowhere", Accept: "application/json", Status: 404, Kind: webtest.ProblemType},
	{Path: "/static/x/nothing.js", Status: 404},
	{Path: "/api/v1/mechanisms", Status: 200, Kind: "application/json"},
	{Path: "/api/v1/openapi.json", Status: 200, Kind: "application/openapi+json"},
	{Path: "/api/v1/nothing", Status: 404, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello", Status: 200, Kind: "application/json"},
	{Path: "/api/v1/attend", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&head=-1", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&head=abc", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&layer=0", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&layer=99", Status: 404, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&head=99", Status: 404, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&m=nonsense", Status: 404, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&m=nonsense,dense", Status: 200, Kind: "application/json"},
	{Path: "/api/v1/attend?text=hello&m=fastformer&mask=causal", Status: 422, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&lyer=2", Status: 400, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=" + url.QueryEscape(webtest.LongText), Status: 413, Kind: webtest.ProblemType},
	{Path: "/api/v1/attend?text=hello&head=-1", Accept: "text/html", Status: 400, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?text=hello", Status: 200, Kind: "image/png"},
	{Path: "/export/fastformer.png?text=hello&map=alpha&bare=1", Status: 200, Kind: "image/png"},
	{Path: "/export/nonsense.png", Status: 404, Kind: webtest.ProblemType},
	{Path: "/export/encoder.dense.png?bare=1", Status: 200, Kind: "image/png"},
	{Path: "/export/encoder.nonsense.png", Status: 404, Kind: webtest.ProblemType},
	{Path: "/export/dense", Status: 404, Kind: webtest.ProblemType},
	{Path: "/export/.png", Status: 404, Kind: webtest.ProblemType},
	{Path: "/export/nonsense.png", Accept: "text/html", Status: 404, Kind: webtest.HtmlType},
	{Path: "/export/dense.png?text=", Status: 400, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?layer=99", Status: 404, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?head=9", Status: 404, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?map=nonsense", Status: 404, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?scale=0", Status: 400, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?scale=100000", Status: 400, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?dpi=7", Status: 400, Kind: webtest.ProblemType},
	{Path: "/export/dense.png?scal=7", Status: 400, Kind: webtest.ProblemType},
	{Path: "/export/fastformer.png?mask=causal", Status: 422, Kind: webtest.ProblemType},
	{Path: "/export/%3Cscript%3E.png", Status: 404, Kind: webtest.ProblemType},
}

func TestRoutes(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, want := range routeTable {
		t.Run(name(want), func(t *testing.T) { checkRoute(t, s, want) })
	}
}

// TestRoutesAtOnce sends all requests at the same time, for the race detector.
func TestRoutesAtOnce(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for round := range 2 {
		for _, want := range routeTable {
			t.Run(fmt.Sprint(name(want), round), func(t *testing.T) {
				t.Parallel()
				checkRoute(t, s, want)
			})
		}
	}
}

func name(p webtest.WantPage) string { return fmt.Sprintf("%.50s %s", p.Path, p.Accept) }

func checkRoute(t *testing.T, s http.Handler, want webtest.WantPage) {
	t.Helper()
	w := webtest.Get(s, want.Path, "Accept", want.Accept)
	if w.Code != want.Status || !strings.HasPrefix(w.Header().Get("Content-Type"), want.Kind) {
		t.Fatalf("%d %s, want %d %s: %.300s", w.Code, w.Header().Get("Content-Type"), want.Status, want.Kind, w.Body)
	}
	if got := w.Header().Get("Content-Security-Policy"); got != site.Policy {
		t.Errorf("policy %q", got)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Referrer-Policy") == "" {
		t.Errorf("headers %v", w.Header())
	}
	if want.Kind == webtest.HtmlType {
		webtest.CheckDocument(t, w.Body.String(), want)
	}
	head := webtest.Ask(s, http.MethodHead, want.Path, "Accept", want.Accept)
	if head.Code != w.Code || head.Header().Get("Content-Type") != w.Header().Get("Content-Type") {
		t.Errorf("HEAD: %d %s", head.Code, head.Header().Get("Content-Type"))
	}
}

func TestInlineIsFound(t *testing.T) {
	for _, page := range []string{
		"<p style='color:red'>", "<script>x</script>", "<style>x</style>", "<img src=/x onerror=y>",
		"<script src=https://elsewhere/x.js></script>", "<a href='javascript:x'>",
	} {
		doc, _ := html.Parse(strings.NewReader(page))
		if len(webtest.Inline(doc)) == 0 {
			t.Errorf("%s passes", page)
		}
	}
}

// TestPolicy compares the policy with the agreed one.
func TestPolicy(t *testing.T) {
	const decided = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
		"connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	if got := webtest.Get(webtest.NewServer(t, &webtest.FakeEngine{}),
		"/").Header().Get("Content-Security-Policy"); got != decided {
		t.Errorf("the policy is %q", got)
	}
}

func TestOnlyReading(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, "BREW"} {
		for _, path := range []string{"/", "/api/v1/attend?text=a", "/nowhere", "/static/x"} {
			if w := webtest.Ask(s, method, path); w.Code != http.StatusMethodNotAllowed ||
				w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, w.Code, w.Header().Get("Allow"))
			}
		}
	}
}

// TestEveryLinkLeadsSomewhere follows all links of the pages once.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	from := []string{"/?text=hello&mask=causal", "/nowhere"}
	for _, p := range s.Pages() {
		if p.Path != "" {
			from = append(from, p.Paths()[0])
		}
	}
	seen := map[string]bool{}
	for _, from := range from {
		for _, link := range webtest.LinksOf(webtest.Parse(t, webtest.Get(s, from))) {
			link, _, _ = strings.Cut(link, "#")
			if seen[link] || strings.HasPrefix(link, "/desk?m=") { // the fake models have no tables to change
				continue
			}
			if path, _, _ := strings.Cut(link, "?"); from == site.DirectoryPath && slices.Contains(s.Paths(), path) &&
				!strings.HasPrefix(path, "/m/") {
				continue // like the links of the directory at the end of a page: see TestDirectoryLeadsSomewhere
			}
			seen[link] = true
			if strings.HasPrefix(link, "/") && !strings.Contains(link, "layer=3") &&
				!strings.Contains(link, "layer=4") { // examples with models that are deeper than the fake ones
				if w := webtest.Get(s, link); w.Code != http.StatusOK {
					t.Errorf("%s links to %s: %d", from, link, w.Code)
				}
			}
		}
	}
}
