package main

import (
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// taken returns the snippets of a page /take/…, by name.
func taken(t *testing.T, path string) map[string]string {
	t.Helper()
	status, page := fetch(t, pages(t).URL+path)
	if status != http.StatusOK {
		t.Fatalf("%s: %d", path, status)
	}
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?s)<pre id="text-([\w-]+)"[^>]*>(.*?)</pre>`).FindAllStringSubmatch(page, -1) {
		all[m[1]] = html.UnescapeString(m[2])
	}
	return all
}

// tool returns the path of a program that only tests need, and that CI has.
func tool(t *testing.T, path, target string) string {
	t.Helper()
	if found, err := exec.LookPath(path); err == nil {
		return found
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing: %s", path, target)
	}
	t.Skipf("NOT CHECKED: %s is missing: %s", path, target)
	return ""
}

// python returns the Python of the tests, with the packages of notebooks and MyST.
func python(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../.cache/python/bin/python3")
	must(t, err)
	return tool(t, path, "make python prepares it")
}

// installed returns the folder of a package that make axe installs.
func installed(t *testing.T, name string) string {
	t.Helper()
	folder := filepath.Join(filepath.Dir(filepath.Dir(os.Getenv("VIZ_AXE"))), name)
	if _, err := os.Stat(folder); err == nil {
		return folder
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing: make axe installs it", name)
	}
	t.Skipf("NOT CHECKED: make test installs %s (with npm)", name)
	return ""
}

// sh runs a shell command in a folder, with this program as viz.
func sh(t *testing.T, folder, line string) string {
	t.Helper()
	program, err := filepath.Abs(os.Args[0])
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "viz"),
		[]byte("#!/bin/sh\nexec env "+asProgram+"=viz '"+program+"' \"$@\"\n"), 0o755))
	cmd := exec.Command(tool(t, "sh", "a POSIX shell runs it"), "-c", line)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// hosted serves files like a static host, from another origin.
func hosted(t *testing.T, folder string) string {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// opened opens a page that contains a snippet; heights collects the heights that its frames report.
func opened(t *testing.T, body string) (ctx context.Context) {
	t.Helper()
	folder := t.TempDir()
	page := `<!DOCTYPE html><meta charset="utf-8"><script>const heights = []; addEventListener('message', ({ data }) => { if (data.event === 'height') heights.push(data.data); });</script>` + body
	must(t, os.WriteFile(filepath.Join(folder, "index.html"), []byte(page), 0o644))
	ctx = tab(t)
	must(t, chromedp.Do(ctx, chromedp.Navigate(hosted(t, folder)+"/")))
	return ctx
}

const (
	snippetPath = `/take/dense?layer=2&head=3&text=the+old+cat+%3Cb%3E+%22saw%22+it%27s+%5Bdog%5D_*`
	framed      = `heights.some((height) => height > 100)` // the frame of another origin shows a page of ours
	pictured    = `[...document.images].length > 0 && [...document.images].every((one) => one.complete && one.naturalWidth > 100 && one.alt.includes('Dense synthesizer'))`
)

// TestSnippetForPages: the frame works in a page of another origin.
func TestSnippetForPages(t *testing.T) {
	all := taken(t, snippetPath)
	eventually(t, opened(t, all["html"]), framed+` && document.querySelector('figcaption').textContent.includes('<b>')`)
}

// TestSnippetOfAnElement: the element works, too, without a frame.
func TestSnippetOfAnElement(t *testing.T) {
	ctx := opened(t, taken(t, snippetPath)["element"])
	eventually(t, ctx, `document.querySelector('attention-map')?.shadowRoot?.querySelectorAll('.rows bdi').length > 8`)
}

// TestSnippetForWalls: a wall has one element for each of its maps.
func TestSnippetForWalls(t *testing.T) {
	ctx := opened(t, taken(t, "/take/wall?m=dense,fastformer,random&text=the+old+cat")["element"])
	eventually(t, ctx, `[...document.querySelectorAll('attention-map')].map((one) => one.shadowRoot?.querySelector('canvas') ? 1 : 0).join() === '1,1,1'`)
}

// TestSnippetForReveal: a slide of reveal.js shows the frame.
func TestSnippetForReveal(t *testing.T) {
	dist := filepath.Join(installed(t, "reveal.js"), "dist")
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(dist, name))
		must(t, err)
		return string(raw)
	}
	ctx := opened(t, `<style>`+read("reveal.css")+`</style><div class="reveal"><div class="slides">`+
		taken(t, snippetPath)["reveal"]+`</div></div><script>`+read("reveal.js")+
		`</script><script>Reveal.initialize();</script>`) //nolint:misspell // the name is theirs
	eventually(t, ctx, framed+` && Reveal.isReady() && document.querySelector('iframe').src.includes('present=1')`)
}

// TestSnippetForMarp: Marp makes a slide with the picture.
func TestSnippetForMarp(t *testing.T) {
	core := installed(t, "@marp-team/marp-core")
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "slide.md"), []byte(taken(t, snippetPath)["marp"]), 0o644))
	node := tool(t, "node", "Node.js runs Marp")
	slide := sh(t, folder, `'`+node+`' -e 'const { Marp } = require(process.argv[1]); const { html, css } = new Marp().render(require("fs").readFileSync("slide.md", "utf8")); console.log("<style>" + css + "</style>" + html)' '`+core+`'`)
	eventually(t, opened(t, slide), pictured)
}

// TestSnippetForMyST: MyST makes a figure with its caption, and Markdown a picture.
func TestSnippetForMyST(t *testing.T) {
	folder, interpreter, all := t.TempDir(), python(t), taken(t, snippetPath)
	must(t, os.WriteFile(filepath.Join(folder, "conf.py"), []byte("extensions = ['myst_parser']\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(folder, "index.md"),
		[]byte("# A lesson\n\n"+all["myst"]+"\n\n"+all["markdown"]+"\n"), 0o644))
	sh(t, folder, "'"+interpreter+"' -m sphinx -q -W . site")
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.Navigate(hosted(t, filepath.Join(folder, "site"))+"/")))
	eventually(t, ctx, pictured+` && document.images.length === 2
		&& document.querySelector('figcaption').textContent.includes('[dog]_*') && document.querySelector('.body p > em').textContent.includes('[dog]_*')`)
}

// TestSnippetForJupyter: an executed notebook shows the frame.
func TestSnippetForJupyter(t *testing.T) {
	folder, interpreter := t.TempDir(), python(t)
	must(t, os.WriteFile(filepath.Join(folder, "cell.py"), []byte(taken(t, snippetPath)["jupyter"]), 0o644))
	const run = `import nbclient, nbformat
book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(open("cell.py").read())])
nbclient.NotebookClient(book, timeout=120).execute()
print(book.cells[0].outputs[0].data["text/html"])
`
	must(t, os.WriteFile(filepath.Join(folder, "run.py"), []byte(run), 0o644))
	out := sh(t, folder, "JUPYTER_PLATFORM_DIRS=1 '"+interpreter+"' run.py 2>/dev/null")
	eventually(t, opened(t, out), framed)
}

// TestSnippetsForShells: curl and viz write the figure that the page offers, and Python reads its numbers.
func TestSnippetsForShells(t *testing.T) {
	folder, all := t.TempDir(), taken(t, snippetPath+"&format=svg")
	tool(t, "curl", "the snippet is for it")
	for _, id := range []string{"curl", "viz"} {
		sh(t, folder, all[id])
		files, err := filepath.Glob(filepath.Join(folder, "*.svg"))
		must(t, err)
		if len(files) != 1 {
			t.Fatalf("%s wrote %v", all[id], files)
		}
		raw, err := os.ReadFile(files[0])
		must(t, err)
		if !strings.Contains(string(raw), "Dense synthesizer") || !strings.Contains(string(raw), "</svg>") {
			t.Errorf("%s wrote %.200s", all[id], raw)
		}
		must(t, os.Remove(files[0]))
	}
	must(t, os.WriteFile(filepath.Join(folder, "read.py"), []byte(all["python"]), 0o644))
	if out := sh(t, folder, "'"+tool(t, "python3", "the snippet is for it")+"' read.py"); !strings.Contains(out,
		"Dense synthesizer") {
		t.Errorf("Python says %s", out)
	}
}

// TestSnippetForBeamer: the slide compiles with its figure.
func TestSnippetForBeamer(t *testing.T) {
	folder, latex := t.TempDir(), tool(t, "pdflatex", "Debian: texlive-latex-base")
	text := taken(t, snippetPath)["latex"]
	line, slide, _ := strings.Cut(text, "\n")
	tool(t, "curl", "the snippet is for it")
	sh(t, folder, strings.TrimPrefix(line, "% "))
	// article has all that a frame needs without beamer, which some TeX Live installations lack
	class := `\documentclass{article}\usepackage{graphicx}\let\frame\relax\newenvironment{frame}{}{}\begin{document}`
	if exec.Command("kpsewhich", "beamer.cls").Run() == nil {
		class = `\documentclass{beamer}\begin{document}`
	}
	must(t, os.WriteFile(filepath.Join(folder, "slide.tex"), []byte(class+slide+`\end{document}`), 0o644))
	sh(t, folder, "'"+latex+"' -interaction=nonstopmode -halt-on-error slide.tex")
}
