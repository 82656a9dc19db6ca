package main

import (
	"go/ast"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	module = "attnatlas/"
	root   = "../.."
)

// otherPages is the row of all pages that have none of their own.
const otherPages = "web/…"

// TestLayout compares the code with the table of packages in docs/ARCHITECTURE.md. It rejects a package without a
// row, an import that its row does not allow, and an unused permission of a package with a row of its own.
func TestLayout(t *testing.T) {
	allowed, all := layoutTable(t), packages(t)
	used := map[string]bool{otherPages: true}
	row := func(dir string) string {
		if _, own := allowed[dir]; !own && path.Dir(dir) == "web" && slices.Contains(all["web"], dir) {
			return otherPages
		}
		return dir
	}
	for dir, imports := range all {
		may, ok := allowed[row(dir)]
		if !ok {
			t.Errorf("package %s has no row in the table of docs/ARCHITECTURE.md", dir)
			continue
		}
		used[dir] = true
		for _, imp := range imports {
			if !slices.Contains(may, row(imp)) {
				t.Errorf("%s imports %s; the layout table allows %s", dir, imp, strings.Join(may, " "))
			}
		}
		if row(dir) == otherPages {
			continue
		}
		for _, m := range may {
			if !slices.ContainsFunc(imports, func(imp string) bool { return row(imp) == m }) {
				t.Errorf("the layout table allows %s to import %s, which it does not", dir, m)
			}
		}
	}
	for dir := range allowed {
		if !used[dir] {
			t.Errorf("the layout table has a row for %s, which does not exist", dir)
		}
	}
}

// TestPackagesCompileOnce: go test compiles no package of the pages again for the tests of another. Go does so if a
// package has tests in its own package, and its external tests import a package that depends on it. The contributor's
// guide says what to do.
func TestPackagesCompileOnce(t *testing.T) {
	cmd := exec.Command("go", "list", "-test", "-deps", "./web/...", "./static/...", "./components/...")
	cmd.Dir = root
	for line := range strings.Lines(output(t, cmd)) {
		name, test, again := strings.Cut(strings.TrimSpace(line), " [")
		if of := strings.TrimSuffix(test, ".test]"); again && name != of && name != of+"_test" {
			t.Errorf("%s is compiled again for the tests of %s", name, of)
		}
	}
}

// layoutTable reads rows of the form: | `package` | purpose | `may` `import` |.
func layoutTable(t *testing.T) map[string][]string {
	raw, err := os.ReadFile(filepath.Join(root, "docs", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "| package |")
	if !ok {
		t.Fatal("docs/ARCHITECTURE.md has no table that begins with | package |")
	}
	table := map[string][]string{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			if len(table) > 0 {
				break
			}
			continue
		}
		if names := quoted(cells[1]); len(names) == 1 {
			table[names[0]] = quoted(cells[3])
		}
	}
	if len(table) < 10 {
		t.Fatalf("only %d rows were read from the layout table", len(table))
	}
	return table
}

func quoted(cell string) []string {
	var names []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			names = append(names, part)
		}
	}
	return names
}

// packages lists the packages of this module and their imports from it, without tests.
func packages(t *testing.T) map[string][]string {
	found := map[string][]string{}
	for _, f := range goFiles(t) {
		found[f.dir] = append(found[f.dir], ours(t, f.Imports)...)
	}
	return found
}

func ours(t *testing.T, specs []*ast.ImportSpec) []string {
	var list []string
	for _, s := range specs {
		path, err := strconv.Unquote(s.Path.Value)
		must(t, err)
		if rel, ok := strings.CutPrefix(path, module); ok {
			list = append(list, rel)
		}
	}
	return list
}

// opens matches calls that open any kind of file, and would wait for ever at a pipe.
var opens = regexp.MustCompile(`\b(os\.(Open|OpenFile|ReadFile)|fs\.ReadFile)\(`)

// TestFilesAreOpenedByDisk: commands open files only with engine/disk, which refuses pipes, sockets and devices.
func TestFilesAreOpenedByDisk(t *testing.T) {
	allowed := map[string]string{
		"engine/disk/":             "which looks at what it opens",
		"engine/costs/machine.go":  "/proc/cpuinfo",
		"engine/typeface/":         "files of the program",
		"cmd/viz/build.go":         "the program itself",
		"web/publish/build.go":     "what the compiler has written",
		"web/browser/":             "a program in a browser, which has no pipes",
		"web/docs/fetched_js.go":   "a file of the page's own folder in a browser",
		"web/browsertest/":         "for tests",
		"static/":                  "files of the program",
		"engine/tensor/internal/":  "makes code",
		"engine/simd128/internal/": "makes code",
	}
	for _, top := range []string{"cmd", "engine", "web", "components", "static"} {
		must(t, filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
			for begins := range allowed {
				if strings.HasPrefix(name, begins) {
					return nil
				}
			}
			text, err := os.ReadFile(path)
			if at := opens.Find(text); at != nil {
				t.Errorf("%s calls %s: disk.Read, disk.ReadIn and disk.Open refuse what is no file", name, at[:len(at)-1])
			}
			return err
		}))
	}
}

// TestLinesFitAScreen: lines of scripts, styles and templates have at most 120 characters, except in generated files.
func TestLinesFitAScreen(t *testing.T) {
	for _, top := range []string{"cmd", "engine", "web", "components", "static", "tools"} {
		must(t, filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".js", ".css", ".templ"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			if strings.Contains(string(text[:min(len(text), 200)]), "generated") {
				return err
			}
			for i, line := range strings.Split(string(text), "\n") {
				if n := utf8.RuneCountInString(line); n > 120 {
					t.Errorf("%s:%d has %d characters", path, i+1, n)
				}
			}
			return err
		}))
	}
}
