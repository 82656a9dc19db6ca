package static_test

import (
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"attnatlas/static"
	"attnatlas/static/bundle"
	_ "attnatlas/web" // its pages add their files
)

func get(t *testing.T, method, url string) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	static.Handler().ServeHTTP(w, httptest.NewRequest(method, url, nil))
	return w.Result()
}

func TestHandlerCachesByHash(t *testing.T) {
	url := static.URL("js/main.js")
	current := get(t, "GET", url)
	if current.StatusCode != 200 || !strings.Contains(current.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%s: status %d, Cache-Control %q", url, current.StatusCode, current.Header.Get("Cache-Control"))
	}
	old := get(t, "GET", static.Root+"anotherhash/js/main.js")
	if old.StatusCode != 200 || old.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("another hash: status %d, Cache-Control %q", old.StatusCode, old.Header.Get("Cache-Control"))
	}
}

func TestHandlerTypes(t *testing.T) {
	for name, want := range map[string]string{
		"js/main.js":                          "text/javascript; charset=utf-8",
		"css/tokens.css":                      "text/css; charset=utf-8",
		"bundle/late.css":                     "text/css; charset=utf-8",
		"fonts/inter-latin-wght-normal.woff2": "font/woff2",
		"icon.svg":                            "image/svg+xml",
		"fonts/stix-two-text-OFL.txt":         "text/plain; charset=utf-8",
	} {
		if got := get(t, "GET", static.URL(name)).Header.Get("Content-Type"); got != want {
			t.Errorf("%s has type %q, want %q", name, got, want)
		}
	}
}

func TestHandlerRefuses(t *testing.T) {
	for _, url := range []string{"/static/", "/static/x", "/static/x/js", "/static/x/../static.go",
		"/static/x/js/none.js"} {
		if got := get(t, "GET", url).StatusCode; got != 404 {
			t.Errorf("GET %s: status %d", url, got)
		}
	}
	if got := get(t, "POST", static.URL("js/main.js")).StatusCode; got != 405 {
		t.Errorf("POST: status %d", got)
	}
}

func TestURLPanicsOnUnknownFile(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a file that does not exist")
		}
	}()
	static.URL("js/none.js")
}

// TestReferences: every file that a module or a style sheet refers to exists, and nothing refers to files outside of
// the program.
func TestReferences(t *testing.T) {
	reference := regexp.MustCompile(`(?:from |import\(|url\()\s*['"]([^'"]+)['"]`)
	foreign := regexp.MustCompile(`https?://[^'"\s)]+`)
	for _, name := range files(t, "js", "css") {
		data := static.Content(name)
		for _, m := range reference.FindAllStringSubmatch(string(data), -1) {
			got := get(t, "GET", static.Root+"now/"+path.Join(path.Dir(name), m[1]))
			if got.StatusCode != http.StatusOK {
				t.Errorf("%s refers to %s, which is not there", name, m[1])
			}
		}
		for _, url := range foreign.FindAllString(string(data), -1) {
			if url != "http://www.w3.org/2000/svg" { // a name, not an address
				t.Errorf("%s contains %s", name, url)
			}
		}
		if lines := strings.Count(string(data), "\n"); lines >= 300 &&
			!strings.Contains(string(data[:min(len(data), 200)]), "generated") {
			t.Errorf("%s has %d lines; fewer than 300 are wanted", name, lines)
		}
	}
}

// TestScriptsMakeNoCode: scripts never turn text into HTML or code.
func TestScriptsMakeNoCode(t *testing.T) {
	for _, name := range files(t, "js") {
		data := static.Content(name)
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
			"new Function"} {
			if strings.Contains(string(data), bad) {
				t.Errorf("%s uses %s", name, bad)
			}
		}
	}
}

// files returns the names of all files of these kinds, including those of pages, without copies.
func files(t *testing.T, extensions ...string) []string {
	t.Helper()
	var names []string
	for _, name := range static.Names() {
		if slices.Contains(extensions, strings.TrimPrefix(path.Ext(name), ".")) && name != static.Element &&
			!strings.HasPrefix(name, "bundle/") {
			names = append(names, name)
		}
	}
	if len(names) < 5 {
		t.Fatalf("only %d files: %v", len(names), names)
	}
	return names
}

// TestFilesOfPages: a page's files are served next to the shared files, and no folder occurs twice.
func TestFilesOfPages(t *testing.T) {
	for _, name := range []string{"cost/cost.js", "cost/cost.css"} {
		if got := get(t, "GET", static.URL(name)); got.StatusCode != 200 ||
			!strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, Cache-Control %q", name, got.StatusCode, got.Header.Get("Cache-Control"))
		}
	}
	for _, folder := range []string{"js", "cost"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for a second folder %s", folder)
				}
			}()
			static.Add(folder, fstest.MapFS{})
		}()
	}
}

// TestPagesLeaveInOneWay: scripts open other pages only with leave of dom.js, so that an engine in place of a host
// can answer. Links and forms may open pages, too, but no script submits a form.
func TestPagesLeaveInOneWay(t *testing.T) {
	other := regexp.MustCompile(`location\.(assign|replace)\(|location(\.href)? = |\.submit\(\)`)
	seen := 0
	for _, name := range files(t, "js") {
		seen++
		if got := other.FindString(string(static.Content(name))); got != "" {
			t.Errorf("%s leaves its page by %s", name, got)
		}
	}
	if seen < 40 {
		t.Errorf("%d scripts were read", seen)
	}
}

// TestBundle: the joined files have every module and style sheet once, after the modules that it imports, and Node
// runs them.
func TestBundle(t *testing.T) {
	all := string(static.Content(static.Main))
	for _, name := range files(t, "js") {
		if !strings.HasPrefix(name, "js/") {
			continue
		}
		at := strings.Index(all, "modules['"+name+"'] = ")
		if at < 0 || strings.Count(all, "modules['"+name+"'] = ") != 1 {
			t.Errorf("%s is not in %s once", name, static.Main)
			continue
		}
		for _, m := range regexp.MustCompile(`(?m)^import .*'\./([^']+)';`).FindAllStringSubmatch(string(static.Content(name)), -1) {
			if needed := strings.Index(all, "modules['js/"+m[1]+"'] = "); needed < 0 || needed > at {
				t.Errorf("%s comes before %s, which it imports", name, m[1])
			}
		}
	}
	var sheets string
	for _, name := range static.Loaded() {
		if strings.HasPrefix(name, "js/") {
			t.Errorf("pages load %s", name)
		}
		if strings.HasPrefix(name, "bundle/") && strings.HasSuffix(name, ".css") {
			sheets += string(static.Content(name))
		}
	}
	for _, name := range files(t, "css") {
		sheet := strings.TrimSpace(string(bundle.Uncommented(static.Content(name))))
		if strings.HasPrefix(name, "css/") && strings.Count(sheets, sheet) != 1 {
			t.Errorf("%s is not in a bundle once", name)
		}
	}
	var got map[string]bool
	script(t, "limits.js", `const read = (source) => { try { return Boolean(new Function(source)); } catch { return false; } };
		return Object.fromEntries(Object.entries(input).map(([name, source]) => [name, read(source)]))`,
		map[string]string{
			"main":  strings.Replace(all, "export const modules", "const modules", 1),
			"cost":  strings.SplitAfterN(string(static.Content("bundle/cost/cost.js")), "\n", 2)[1],
			"wrong": "const a; {",
		}, &got)
	if !got["main"] || !got["cost"] || got["wrong"] {
		t.Errorf("Node reads these sources: %v", got)
	}
}
