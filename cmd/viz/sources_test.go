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

// goFile is a file of the program, parsed.
type goFile struct {
	*ast.File
	path, dir string // below the root
	set       *token.FileSet
}

// sourceFiles calls visit for all files of this module with one of the extensions. It leaves out separate modules
// (tools, generators).
func sourceFiles(t *testing.T, visit func(path string), extensions ...string) {
	t.Helper()
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if d.Name() == "testdata" || path != root && (strings.HasPrefix(d.Name(), ".") || nested == nil) {
				return filepath.SkipDir
			}
		} else if slices.Contains(extensions, filepath.Ext(path)) {
			visit(filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))))
		}
		return nil
	}))
}

// goFiles returns the program's Go files, without tests and programs of go generate.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	sourceFiles(t, func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, filepath.Join(root, path), nil, parser.ParseComments)
		must(t, err)
		if !generator(f) {
			files = append(files, goFile{f, path, path[:strings.LastIndex(path, "/")], set})
		}
	}, ".go")
	return files
}

// generator reports whether a file is a program for go generate.
func generator(f *ast.File) bool {
	return slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool {
		return c.Pos() < f.Package && strings.HasPrefix(c.List[0].Text, "//go:build ignore")
	})
}

// template reports whether a file is generated from a template.
func (f goFile) template() bool { return strings.HasSuffix(f.path, "_templ.go") }

// line returns the file and the line of a node.
func (f goFile) line(n ast.Node) string {
	return f.path + ":" + strconv.Itoa(f.set.Position(n.Pos()).Line)
}

// inspect visits all nodes, each with its ancestors.
func (f goFile) inspect(visit func(n ast.Node, above []ast.Node)) {
	var above []ast.Node
	ast.Inspect(f.File, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		visit(n, above)
		above = append(above, n)
		return true
	})
}

// declared returns the name of the declaration that contains a node.
func declared(above []ast.Node) string {
	for _, n := range above {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Name.Name
		case *ast.ValueSpec:
			return n.Names[0].Name
		}
	}
	return ""
}

// gap stands in a text for parts that are known only at run time.
const gap = "\x00"

// textOf returns the text of an expression of string literals and sums, with gaps for the rest. ok is false without a
// literal.
func textOf(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, err := strconv.Unquote(e.Value)
			return s, err == nil
		}
	case *ast.ParenExpr:
		return textOf(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			x, okX := textOf(e.X)
			y, okY := textOf(e.Y)
			return x + y, okX || okY
		}
	}
	return gap, false
}

// texts visits the texts of a file; a sum of several literals is one text.
func (f goFile) texts(visit func(text string, e ast.Expr, above []ast.Node)) {
	f.inspect(func(n ast.Node, above []ast.Node) {
		e, ok := n.(ast.Expr)
		if !ok {
			return
		}
		if sum, inner := above[len(above)-1].(*ast.BinaryExpr); inner && sum.Op == token.ADD {
			return
		}
		if text, ok := textOf(e); ok {
			visit(text, e, above)
		}
	})
}

// called returns the name of the called function, and its qualifier.
func called(call *ast.CallExpr) (of, name string) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name, f.Sel.Name
		}
		return ".", f.Sel.Name
	}
	return "", ""
}
