package publish

import (
	"context"
	"encoding/json"
	"hash/crc32"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "attnatlas/web" // its pages add their files
	"attnatlas/web/live"
)

// handler answers every page with its path, a picture, a script and links.
var handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/gallery.json":
		_, _ = w.Write([]byte(`{"examples": [{"id": "fox", "url": "http://localhost/?text=fox"}]}`))
	case r.URL.Path == "/take/dense.json":
		_, _ = w.Write([]byte(`{"url": "http://localhost/export/dense.png?` + r.URL.RawQuery + `"}`))
	case strings.HasPrefix(r.URL.Path, "/export/"):
		_, _ = w.Write([]byte("\x89PNG\r\n\x1a\n" + r.URL.RawQuery))
	case r.URL.Path == "/broken":
		w.WriteHeader(http.StatusNotFound)
	default:
		_, _ = w.Write([]byte(`<!doctype html><html><head><link rel="alternate" type="text/xml+oembed" href="oembed"><script src="x.js"></script></head>` +
			`<body><a href="./m/dense">` + r.URL.Path + "?" + r.URL.RawQuery + `</a><img src="` +
			strings.Repeat("../", strings.Count(r.URL.Path, "/")-1) +
			`export/dense.png?a=1"><img src="icon.svg"><a href="./take/dense?` + r.URL.RawQuery + `">e</a>` +
			`<a href="./take/dense">again</a></body></html>`))
	}
})

func options(dir string) Options {
	return Options{Dir: dir, Handler: handler, Pages: []string{"/", "/m/dense"}, Query: "text=a",
		Open: []byte("computes"), Program: &Program{WASM: []byte("\x00asm, not really"), Exec: []byte("// exec")}}
}

func write(t *testing.T, o Options) {
	t.Helper()
	if _, err := Write(context.Background(), o); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPagesAreFiles: a page has its picture, the messages for its state, and no script except boot.js. Its links
// have the same targets as on a server.
func TestPagesAreFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	write(t, options(dir))
	for file, wants := range map[string][]string{
		"index.html": {"/?text=a</a>", `src="boot.js"`, `data-query="text=a"`, `src="data:image/png;base64,`,
			`src="icon.svg"`, `id="atlas-state"`},
		"m/dense/index.html": {"/m/dense?</a>", `<base href="../dense"/>`, `src="../boot.js"`, `data-query=""`,
			`src="data:image/png;base64,`},
	} {
		page := read(t, dir, file)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s has no %s: %s", file, want, page)
			}
		}
		if strings.Contains(page, "x.js") || strings.Contains(page, "oembed") || strings.Count(page, "<script") != 1 {
			t.Errorf("%s has scripts, or leads to what is not there: %s", file, page)
		}
	}
	if read(t, dir, "open.html") != "computes" {
		t.Error("the page that computes is not there")
	}
	if page := read(t, dir, "404.html"); !strings.Contains(page, `data-loading="The engine`) ||
		!strings.Contains(bootScript, "open.html") || !strings.HasPrefix(bootScript, "// What a published page does") {
		t.Errorf("404.html does not find boot.js: %s", page)
	}
	here := strings.TrimSpace(read(t, dir, marker))
	if worker := read(t, dir, "sw.js"); !strings.Contains(worker, "const PROGRAM = \""+here+"\"") ||
		!strings.Contains(worker, `const PAGES = ["","m/dense"];`) {
		t.Errorf("sw.js does not know %s", here)
	}
	if read(t, dir, here, "wasm_exec.js") != "// exec" {
		t.Error("the program is not there")
	}
}

// TestFiguresAreFiles: a folder has the figures of the first view and of examples, with their numbers. Its program
// knows their addresses on a server.
func TestFiguresAreFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	write(t, options(dir))
	var list struct{ Figures map[string]string }
	if err := json.Unmarshal([]byte(read(t, dir, strings.TrimSpace(read(t, dir, marker)), "files.json")), &list); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"/export/dense.png?text=a": "figures/first-dense.png", "/export/dense.json?text=a": "figures/first-dense.json",
		"/export/dense.png?text=fox": "figures/fox-dense.png", "/export/dense.json?text=fox": "figures/fox-dense.json",
	}
	if !maps.Equal(list.Figures, want) {
		t.Errorf("the program knows %v, want %v", list.Figures, want)
	}
	for address, file := range want {
		if _, query, _ := strings.Cut(address, "?"); !strings.HasSuffix(read(t, dir, file), query) {
			t.Errorf("%s is not that of %s", file, address)
		}
	}
	if !strings.Contains(read(t, dir, "attention-map.js"), "customElements.define(") {
		t.Error("the element is not where snippets name it")
	}
	if !strings.Contains(workerScript, "path.startsWith('"+figureRoot+"')") {
		t.Error("the service worker asks the program for what is a file")
	}
}

// TestLocal: the files for pages without a host know their place and the list of pages. Modules import each other
// by names without a place, and files are complete.
func TestLocal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	write(t, options(dir))
	here := strings.TrimSpace(read(t, dir, marker))
	if boot := read(t, dir, "boot.js"); !strings.Contains(boot, "const PROGRAM = \""+here+"\"") ||
		!strings.Contains(boot, `const PAGES = ["","m/dense"];`) {
		t.Error("boot.js does not know where the program is, or the pages")
	}
	if page := read(t, dir, here, "local", "page.js"); !strings.Contains(page, "globalThis.atlasOpen = ") ||
		strings.Contains(page, "const PAGES") {
		t.Error("page.js does not open pages, or has names of boot.js")
	}
	handed := func(name string, value any) {
		t.Helper()
		text := read(t, dir, here, "local", name+".js")
		body, ok := strings.CutPrefix(text, `atlasFile("`+name+`", `)
		if !ok {
			t.Fatalf("%s is handed over as %.40s", name, text)
		}
		if err := json.Unmarshal([]byte("["+strings.TrimSuffix(body, ");\n")+"]"), value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var modules []map[string]string
	handed("modules.js", &modules)
	if len(modules[0]) < 5 || modules[0]["atlas/bundle/atlas.js"] == "" || modules[0]["atlas/bundle/cost/cost.js"] == "" {
		t.Errorf("there are %d modules, without those that pages run", len(modules[0]))
	}
	for name, source := range modules[0] {
		if regexp.MustCompile(`(?m)from '\./|^[^*@]*\bimport\(`).MatchString(source) {
			t.Errorf("%s imports what is in its folder", name)
		}
		for _, other := range regexp.MustCompile(`(?m)^import .* from '([^']*)'`).FindAllStringSubmatch(source, -1) {
			if modules[0][other[1]] == "" {
				t.Errorf("%s imports %s, which is not there", name, other[1])
			}
		}
	}
	var worker []string
	handed("worker.js", &worker)
	for _, part := range []string{"// exec", "atlasStart = ", "function decoded(", "postMessage({ wants: name })"} {
		if !strings.Contains(worker[0], part) {
			t.Errorf("the worker has no %s", part)
		}
	}
	packed, err := os.ReadFile(filepath.Join(dir, here, "atlas.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`^atlasFile\("atlas\.wasm\.gz", "((?:[^"\\\n]|\\["\\])*)", (\d+), (\d+)\);\n$`).FindStringSubmatch(read(t, dir, here, "local", "atlas.wasm.gz.js"))
	want := []string{live.Encode(packed), strconv.Itoa(len(packed)),
		strconv.FormatUint(uint64(crc32.ChecksumIEEE(packed)), 10)}
	if part == nil || !slices.Equal([]string{regexp.MustCompile(`\\(.)`).ReplaceAllString(part[1], "$1"), part[2],
		part[3]}, want) {
		t.Errorf("the program is handed over as %q, want %q", part, want)
	}
	if name, data := `a "b".ttf`, []byte("\\\"\n<"); !strings.HasPrefix(string(script(name, data)),
		`atlasFile("a \"b\".ttf", "`) {
		t.Errorf("%s", script(name, data))
	}
}

// TestHosted: a folder for hosts only has no files for pages that are opened from files, and its pages say so.
func TestHosted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	o := options(dir)
	o.Hosted = true
	write(t, o)
	here := strings.TrimSpace(read(t, dir, marker))
	if all, err := filepath.Glob(filepath.Join(dir, here, "local", "*")); err != nil || len(all) != len(scriptsAlone) {
		t.Errorf("there is something for pages from files: %v", all)
	}
	if read(t, dir, here, "wasm_exec.js") != "// exec" ||
		!strings.Contains(read(t, dir, "boot.js"), "addEventListener('error', file ? leaf : failed)") {
		t.Error("there is not all that hosts serve")
	}
}

// TestVersions: another program has another folder, and the same program the same, so that caches need not ask.
func TestVersions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	o := options(dir)
	write(t, o)
	first := read(t, dir, marker)
	write(t, o)
	if again := read(t, dir, marker); again != first {
		t.Errorf("the same program is in %s and in %s", first, again)
	}
	o.Program.WASM = []byte("\x00asm, another")
	write(t, o)
	if other := read(t, dir, marker); other == first {
		t.Error("another program is in the same folder")
	}
	if _, err := os.Stat(filepath.Join(dir, strings.TrimSpace(first))); err == nil {
		t.Error("the old program is still there")
	}
}

// TestForeignFolders: folders of others are refused and stay unchanged. One of ours stays unchanged if an error
// occurs.
func TestForeignFolders(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "mine")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, options(dir)) // an empty folder
	broken := options(dir)
	broken.Pages = append(broken.Pages, "/broken")
	before := read(t, dir, "index.html")
	if _, err := Write(context.Background(), broken); err == nil || !strings.Contains(err.Error(), "/broken") {
		t.Errorf("a page that could not be made: %v", err)
	}
	if read(t, dir, "index.html") != before {
		t.Error("the folder has changed")
	}
	if err := os.Remove(filepath.Join(dir, marker)); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{dir, filepath.Join(dir, "index.html")} {
		if _, err := Write(context.Background(), options(place)); err == nil || !strings.Contains(err.Error(), "Name a") {
			t.Errorf("%s: %v", place, err)
		}
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
		t.Errorf("something is left over: %v, %v", entries, err)
	}
}

// TestNoSource: the error says what is missing.
func TestNoSource(t *testing.T) {
	if _, err := Build(context.Background(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "--source") {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Build(context.Background(), "../.."); err == nil || !strings.Contains(err.Error(), "go.dev") {
		t.Error(err)
	}
}

// TestOwnModelsAreFiles: a pipe in a folder of models is refused, and nothing waits for it.
func TestOwnModelsAreFiles(t *testing.T) {
	dir := t.TempDir()
	if err := exec.Command("mkfifo", filepath.Join(dir, "dense.safetensors")).Run(); err != nil {
		t.Skip(err)
	}
	if err := add(map[string][]byte{}, "own", os.DirFS(dir)); err == nil ||
		!strings.Contains(err.Error(), "dense.safetensors") || !strings.Contains(err.Error(), "a pipe") {
		t.Error(err)
	}
}
