package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "attnatlas/"
	root   = "../.."
)

// TestLayout holds the code against the layout table of the README: a package
// without a row, and an import that its row does not allow, are refused.
func TestLayout(t *testing.T) {
	allowed := layoutTable(t)
	used := map[string]bool{}
	for dir, imports := range packages(t) {
		may, ok := allowed[dir]
		if !ok {
			t.Errorf("package %s has no row in the README's layout table", dir)
			continue
		}
		used[dir] = true
		for _, imp := range imports {
			if !permits(may, imp) {
				t.Errorf("%s imports %s; the layout table allows %s", dir, imp, strings.Join(may, " "))
			}
		}
	}
	for dir := range allowed {
		if !used[dir] {
			t.Errorf("the layout table has a row for %s, which does not exist", dir)
		}
	}
}

// permits says whether a list of packages, where engine/… stands for everything
// below engine/, contains one.
func permits(may []string, imp string) bool {
	return slices.ContainsFunc(may, func(m string) bool {
		prefix, below := strings.CutSuffix(m, "…")
		return m == imp || below && strings.HasPrefix(imp, prefix)
	})
}

// layoutTable reads rows of the form: | `package` | purpose | `may` `import` |.
func layoutTable(t *testing.T) map[string][]string {
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "| package |")
	if !ok {
		t.Fatal("the README has no table that begins with | package |")
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

// packages lists the packages of this module and what they import of it, tests
// apart. Modules of their own (tools, generators) are left out.
func packages(t *testing.T) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if d.Name() == "testdata" || path != root && (strings.HasPrefix(d.Name(), ".") || nested == nil) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		if generator(f) {
			return nil
		}
		dir := rel[:strings.LastIndex(rel, "/")]
		found[dir] = append(found[dir], ours(t, f.Imports)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func ours(t *testing.T, specs []*ast.ImportSpec) []string {
	var list []string
	for _, s := range specs {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if rel, ok := strings.CutPrefix(path, module); ok {
			list = append(list, rel)
		}
	}
	return list
}

// generator says whether a file is a program of its own that go generate runs.
func generator(f *ast.File) bool {
	return slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool {
		return c.Pos() < f.Package && strings.HasPrefix(c.List[0].Text, "//go:build ignore")
	})
}
