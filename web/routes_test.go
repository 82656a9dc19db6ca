package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/address"

	"golang.org/x/net/html"
)

// wantPage is what a route must answer.
type wantPage struct {
	path   string
	accept string
	status int
	kind   string   // beginning of the Content-Type
	has    []string // "tag#id", "tag.class", "tag[attribute=value]" and, after a space, text in it
	not    []string
}

const (
	htmlType    = "text/html"
	problemType = "application/problem+json"
)

var longText = strings.Repeat("word ", 20_000)

var routeTable = []wantPage{
	{path: "/", status: 200, kind: htmlType, has: []string{
		"main", "form#controls", "article#card-dot-product", "article#card-random", "article#card-dense", "article#card-fastformer",
		"article#card-fastformer img", "textarea#c-text " + address.DefaultText, "select#c-layer", "select#c-norm",
		"div.strip[data-map=alpha]", "div.strip[data-map=beta]", "p.badge rows Σ = 1", "option[selected] row",
	}, not: []string{"p.message[role=alert] ."}},
	{path: "/?text=hello+world&m=dense&layer=1&head=2", status: 200, kind: htmlType,
		has: []string{"article#card-dense", "textarea hello world"}, not: []string{"article#card-random"}},
	{path: "/?text=", status: 400, kind: htmlType, has: []string{"form#controls", "p.message[role=alert] type some words"}, not: []string{"article"}},
	{path: "/?text=+%0A+", status: 400, kind: htmlType, has: []string{"p.message[role=alert] type some words"}},
	{path: "/?text=hello&layer=99", status: 404, kind: htmlType,
		has: []string{"p.message[role=alert] no layer 99", "article#card-dense", "textarea hello", "p.message 2 layers"}},
	{path: "/?text=hello&head=5", status: 404, kind: htmlType, has: []string{"p.message[role=alert] no head 5", "article#card-dense img"}},
	{path: "/?text=hello&head=-1", status: 400, kind: htmlType, has: []string{`p.message[role=alert] head="-1"`, "article#card-dense img", "textarea hello"}},
	{path: "/?text=hello&norm=loud&cmap=jet", status: 400, kind: htmlType,
		has: []string{`p.message[role=alert] norm="loud"`, `p.message cmap="jet"`, "article#card-dense img"}},
	{path: "/?text=hello&m=nonsense", status: 404, kind: htmlType, has: []string{`p.message[role=alert] "nonsense"`, "article#card-dense img", "textarea hello"}},
	{path: "/?text=hello&m=nonsense,dense", status: 200, kind: htmlType,
		has: []string{"article#card-dense img", "article#card-nonsense p.refusal-text nonsense"}},
	{path: "/?text=hello&mask=causal", status: 200, kind: htmlType, has: []string{
		"article#card-dense img", "article#card-fastformer p.refusal-text causal", "li.swatch.forbidden", "article#card-fastformer a.enhance without a mask",
	}},
	{path: "/?text=hello&m=fastformer&mask=causal", status: 422, kind: htmlType, has: []string{"article#card-fastformer p.refusal-text causal"}},
	{path: "/?text=hello+you&pin=2.3", status: 200, kind: htmlType, has: []string{"section#readout[data-pinned=true]", "bdi.reader hello", "input[name=pin]"}},
	{path: "/?text=hello+you&pin=2", status: 200, kind: htmlType, has: []string{"section#readout[data-pinned=true] reads most", "bdi.reader hello", "input[value=2]", "button.word[aria-pressed=true] hello", "button.word[value=] hello", "button.word[value=3] you", "span.card-read"}},
	{path: "/?text=hello&pin=99.1", status: 200, kind: htmlType, has: []string{"section#readout[data-pinned=false]"}, not: []string{"p.message[role=alert] .", "input[name=pin]"}},
	{path: "/?text=hello&pin=1.99", status: 200, kind: htmlType, has: []string{"input[value=1]"}, not: []string{"p.message[role=alert] ."}},
	{path: "/?text=hello&pin=2&pin=1.1", status: 200, kind: htmlType, has: []string{"input[value=2]"}},
	{path: "/?text=hello&pin=&pin=1.1", status: 200, kind: htmlType, has: []string{"section#readout[data-pinned=false]"}},
	{path: "/?text=100%+sure", status: 400, kind: htmlType, has: []string{"p.message[role=alert] %25", "textarea 100% sure"}},
	{path: "/?text=hello&utm_source=mail", status: 200, kind: htmlType},
	{path: "/?text=" + strings.Repeat("word+", 100), status: 422, kind: htmlType, has: []string{"p.refusal-text 64 positions"}},
	{path: "/?text=" + url.QueryEscape(longText), status: 413, kind: htmlType, has: []string{"p.message[role=alert] at most", "form#controls"}},
	{path: "/?layer=99999999999999999999&pin=1.99999999999999999999&head=1e9", status: 400, kind: htmlType, has: []string{"article#card-dense img"}},
	{path: "/?theme=dark", status: 200, kind: htmlType, has: []string{"html[data-theme=dark]"}, not: []string{"source"}},
	{path: "/m", status: 200, kind: htmlType, has: []string{"h1 Mechanisms", "ul.index-list Fastformer", "math"}},
	{path: "/m/dense?text=hello&layer=2&head=3", status: 200, kind: htmlType, has: []string{
		"h1 Dense synthesizer", "textarea hello", "article#card-dense img", "a.thumb[aria-current=true]", "select#c-layer", "section#readout",
	}, not: []string{"details#mechanisms", "article#card-random"}},
	{path: "/m/dense?text=", status: 400, kind: htmlType, has: []string{"h1 Dense", "p.message[role=alert] type some words", "form#controls"}, not: []string{"article"}},
	{path: "/m/dense?text=hello&head=9", status: 404, kind: htmlType, has: []string{"p.message[role=alert] no head 9", "article#card-dense img"}},
	{path: "/m/dense?text=hello&m=random", status: 200, kind: htmlType, has: []string{"article#card-dense"}, not: []string{"article#card-random"}},
	{path: "/m/fastformer?text=hello&mask=causal", status: 200, kind: htmlType, has: []string{"p.refusal-text causal", "a.enhance without a mask", "a.enhance[href=/m/fastformer?text=hello]"}, not: []string{"a.thumb", "a.enhance[href=/?m=fastformer&text=hello]"}},
	{path: "/m/fastformer?text=hello&show=influence", status: 200, kind: htmlType, has: []string{"article#card-fastformer img", "a.thumb"}},
	{path: "/m/fasformer?text=hello", status: 404, kind: htmlType, has: []string{"main.failure", "ul.suggestions Fastformer"}},
	{path: "/m/fasformer", accept: "application/json", status: 404, kind: problemType},
	{path: "/m/%3Cscript%3E", status: 404, kind: htmlType, has: []string{"main.failure", "ul.suggestions All mechanisms"}},
	{path: "/about", status: 200, kind: htmlType, has: []string{"table.models", "li stories (CC0)", "td topic 90.0 %", "h1 About"}},
	{path: "/results", status: 200, kind: htmlType, has: []string{"h1 Results", "main.results Nothing is known"}},
	{path: "/cost", status: 200, kind: htmlType, has: []string{"h1 What it costs", "form#cost-form", "button[name=measure] Measure now", "section#cost-kept 2Nd", "section#cost-claims a Synthesizer in PyTorch", "section#cost-shared for 6 runs"}, not: []string{"figure#plot-time"}},
	{path: "/cost?of=longformer&n=300&option.window=8&option.global=0&option.slots=3", status: 200, kind: htmlType, has: []string{"section#cost-chosen window=8", "select#cost-of", "output 300"}, not: []string{"p.message[role=alert] ."}},
	{path: "/cost?of=poolingformer&option.stride=9", status: 400, kind: htmlType, has: []string{"p.message[role=alert] 9", "section#cost-chosen the usual options"}},
	{path: "/cost?width=30", status: 400, kind: htmlType, has: []string{"p.message[role=alert] cannot be", "form#cost-form"}},
	{path: "/cost?n=100000", status: 400, kind: htmlType, has: []string{"p.message[role=alert] cannot be"}},
	{path: "/cost?of=nonsense", status: 404, kind: htmlType, has: []string{"p.message[role=alert] nonsense"}},
	{path: "/cost?of=linformer&option.nonsense=1", status: 400, kind: htmlType, has: []string{"p.message[role=alert] nonsense"}},
	{path: "/cost?measure=loud", status: 400, kind: htmlType, has: []string{"p.message[role=alert] loud"}},
	{path: "/reach", status: 200, kind: htmlType, has: []string{"h1 Who has heard of whom", "section#reach-map Longformer", "path.reach-level-1", "path.reach-level-2", "form#cost-form", "section#reach-table 2304"}},
	{path: "/reach?of=longformer&n=20&layers=2&option.window=4&mask=causal", status: 200, kind: htmlType, has: []string{"p#reach-says after 2 layers", "path.reach-level-2"}, not: []string{"path.reach-level-3", "p.message[role=alert] ."}},
	{path: "/reach?n=500", status: 400, kind: htmlType, has: []string{"p.message[role=alert] at most 128", "path.reach-level-1"}},
	{path: "/reach?layers=99", status: 400, kind: htmlType, has: []string{"p.message[role=alert] At most 12", "path.reach-level-1"}},
	{path: "/reach?of=fastformer&mask=causal", status: 422, kind: htmlType, has: []string{"p.message[role=alert] no causal mask", "path.reach-level-1"}},
	{path: "/reach.json?n=16&of=bigbird&option.block=2", status: 200, kind: "application/json"},
	{path: "/pondering?m=bert", status: 422, kind: htmlType, has: []string{"main#main does not ponder"}},
	{path: "/api/v1/pondering", status: 400, kind: problemType},
	{path: "/reversing", status: 422, kind: htmlType, has: []string{"main#main computes no layers back"}},
	{path: "/api/v1/reversing", status: 400, kind: problemType},
	{path: "/hashing", status: 422, kind: htmlType, has: []string{"main#main takes no hashing apart"}}, // as the engine of these tests
	{path: "/hashing?rounds=9", status: 400, kind: htmlType, has: []string{"main#main At most 8 rounds"}},
	{path: "/api/v1/hashing", status: 400, kind: problemType},
	{path: "/api/v1/reach?n=1000", status: 400, kind: problemType},
	{path: "/api/v1/reach?windows=3", status: 400, kind: problemType},
	{path: "/cost.json?n=64&of=linformer&option.slots=4", status: 200, kind: "application/json"},
	{path: "/cost.json?slots=4", status: 400, kind: problemType},
	{path: "/api/v1/cost?width=30", status: 400, kind: problemType},
	{path: "/api/v1/results", status: 200, kind: "application/json"},
	{path: "/healthz", status: 200, kind: "text/plain"},
	{path: "/nowhere", status: 404, kind: htmlType, has: []string{"main.failure", "p.failure-status 404"}},
	{path: "/nowhere", accept: "application/json", status: 404, kind: problemType},
	{path: "/static/x/nothing.js", status: 404},
	{path: "/api/v1/mechanisms", status: 200, kind: "application/json"},
	{path: "/api/v1/openapi.json", status: 200, kind: "application/openapi+json"},
	{path: "/api/v1/nothing", status: 404, kind: problemType},
	{path: "/api/v1/attend?text=hello", status: 200, kind: "application/json"},
	{path: "/api/v1/attend", status: 400, kind: problemType},
	{path: "/api/v1/attend?text=", status: 400, kind: problemType},
	{path: "/api/v1/attend?text=hello&head=-1", status: 400, kind: problemType},
	{path: "/api/v1/attend?text=hello&head=abc", status: 400, kind: problemType},
	{path: "/api/v1/attend?text=hello&layer=0", status: 400, kind: problemType},
	{path: "/api/v1/attend?text=hello&layer=99", status: 404, kind: problemType},
	{path: "/api/v1/attend?text=hello&head=99", status: 404, kind: problemType},
	{path: "/api/v1/attend?text=hello&m=nonsense", status: 404, kind: problemType},
	{path: "/api/v1/attend?text=hello&m=nonsense,dense", status: 200, kind: "application/json"},
	{path: "/api/v1/attend?text=hello&m=fastformer&mask=causal", status: 422, kind: problemType},
	{path: "/api/v1/attend?text=hello&lyer=2", status: 400, kind: problemType},
	{path: "/api/v1/attend?text=" + url.QueryEscape(longText), status: 413, kind: problemType},
	{path: "/api/v1/attend?text=hello&head=-1", accept: "text/html", status: 400, kind: problemType},
	{path: "/export/dense.png?text=hello", status: 200, kind: "image/png"},
	{path: "/export/fastformer.png?text=hello&map=alpha&bare=1", status: 200, kind: "image/png"},
	{path: "/export/nonsense.png", status: 404, kind: problemType},
	{path: "/export/encoder.dense.png?bare=1", status: 200, kind: "image/png"},
	{path: "/export/encoder.nonsense.png", status: 404, kind: problemType},
	{path: "/export/dense", status: 404, kind: problemType},
	{path: "/export/.png", status: 404, kind: problemType},
	{path: "/export/nonsense.png", accept: "text/html", status: 404, kind: htmlType},
	{path: "/export/dense.png?text=", status: 400, kind: problemType},
	{path: "/export/dense.png?layer=99", status: 404, kind: problemType},
	{path: "/export/dense.png?head=9", status: 404, kind: problemType},
	{path: "/export/dense.png?map=nonsense", status: 404, kind: problemType},
	{path: "/export/dense.png?scale=0", status: 400, kind: problemType},
	{path: "/export/dense.png?scale=100000", status: 400, kind: problemType},
	{path: "/export/dense.png?dpi=7", status: 400, kind: problemType},
	{path: "/export/dense.png?scal=7", status: 400, kind: problemType},
	{path: "/export/fastformer.png?mask=causal", status: 422, kind: problemType},
	{path: "/export/%3Cscript%3E.png", status: 404, kind: problemType},
}

func TestRoutes(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, want := range routeTable {
		t.Run(name(want), func(t *testing.T) { checkRoute(t, s, want) })
	}
}

// TestRoutesAtOnce asks everything at the same time, for the race detector.
func TestRoutesAtOnce(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for round := range 2 {
		for _, want := range routeTable {
			t.Run(fmt.Sprint(name(want), round), func(t *testing.T) {
				t.Parallel()
				checkRoute(t, s, want)
			})
		}
	}
}

func name(p wantPage) string { return fmt.Sprintf("%.50s %s", p.path, p.accept) }

func checkRoute(t *testing.T, s http.Handler, want wantPage) {
	t.Helper()
	w := get(s, want.path, "Accept", want.accept)
	if w.Code != want.status || !strings.HasPrefix(w.Header().Get("Content-Type"), want.kind) {
		t.Fatalf("%d %s, want %d %s: %.300s", w.Code, w.Header().Get("Content-Type"), want.status, want.kind, w.Body)
	}
	if got := w.Header().Get("Content-Security-Policy"); got != policy {
		t.Errorf("policy %q", got)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Referrer-Policy") == "" {
		t.Errorf("headers %v", w.Header())
	}
	if want.kind == htmlType {
		checkDocument(t, w.Body.String(), want)
	}
	head := ask(s, http.MethodHead, want.path, "Accept", want.accept)
	if head.Code != w.Code || head.Header().Get("Content-Type") != w.Header().Get("Content-Type") {
		t.Errorf("HEAD: %d %s", head.Code, head.Header().Get("Content-Type"))
	}
}

func checkDocument(t *testing.T, page string, want wantPage) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, sel := range want.has {
		if !present(doc, sel) {
			t.Errorf("no %s in %s", sel, want.path)
		}
	}
	for _, sel := range want.not {
		if present(doc, sel) {
			t.Errorf("%s is in %s", sel, want.path)
		}
	}
	for _, fault := range inline(doc) {
		t.Errorf("%s: inline %s", want.path, fault)
	}
}

func TestInlineIsFound(t *testing.T) {
	for _, page := range []string{
		"<p style='color:red'>", "<script>x</script>", "<style>x</style>", "<img src=/x onerror=y>",
		"<script src=https://elsewhere/x.js></script>", "<a href='javascript:x'>",
	} {
		doc, _ := html.Parse(strings.NewReader(page))
		if len(inline(doc)) == 0 {
			t.Errorf("%s passes", page)
		}
	}
}

// TestPolicy holds the policy against the one that was decided on.
func TestPolicy(t *testing.T) {
	const decided = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
		"connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	if got := get(newServer(t, &fakeEngine{}), "/").Header().Get("Content-Security-Policy"); got != decided {
		t.Errorf("the policy is %q", got)
	}
}

func TestOnlyReading(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, "BREW"} {
		for _, path := range []string{"/", "/api/v1/attend?text=a", "/nowhere", "/static/x"} {
			if w := ask(s, method, path); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, w.Code, w.Header().Get("Allow"))
			}
		}
	}
}

// TestEveryLinkLeadsSomewhere follows all links of the pages once.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	s := newServer(t, &fakeEngine{})
	for _, from := range []string{"/", "/about", "/?text=hello&mask=causal", "/nowhere"} {
		for _, link := range linksOf(parse(t, get(s, from))) {
			if strings.HasPrefix(link, "/") && !strings.Contains(link, "layer=3") && !strings.Contains(link, "layer=4") { // examples of models that are deeper than the fake ones
				if w := get(s, link); w.Code != http.StatusOK {
					t.Errorf("%s links to %s: %d", from, link, w.Code)
				}
			}
		}
	}
}
