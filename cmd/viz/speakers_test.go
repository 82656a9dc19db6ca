package main

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// form is how a speaker turns its id argument into the id of a text, with the arguments that it adds.
type form struct {
	before, after string
	given         string // names, each followed by a comma
	rest          bool   // the arguments of the call are passed on
}

// speaker is a function that shows the text of an id, or passes the id to another speaker.
type speaker struct {
	id, args int // indexes of these arguments; args -1: none
	forms    map[form]bool
}

// ids returns the ids of texts that a text argument of a speaker can mean.
func (s *speaker) ids(text string) map[string]form {
	all := map[string]form{}
	for f := range s.forms {
		all[f.before+text+f.after] = f
	}
	return all
}

// speakers are stored by name: a function with its folder, an exported method without a qualifier, and an inner
// function with the name of the outer one.
type speakers map[string]*speaker

// first is the only speaker that does not pass its id on.
const first = "engine/messages.New"

// find returns the called speaker, or nil.
func (all speakers) find(f goFile, call *ast.CallExpr, above []ast.Node) *speaker {
	of, name := called(call)
	if of == "" {
		if s := all[f.path+" "+declared(above)+"."+name]; s != nil {
			return s
		}
		return all[f.dir+"."+name]
	}
	for _, spec := range f.Imports {
		if imported := strings.Trim(spec.Path.Value, `"`); path.Base(imported) == of {
			return all[strings.TrimPrefix(imported, module)+"."+name]
		}
	}
	if s := all["("+f.dir+")."+name]; s != nil {
		return s
	}
	return all["()."+name]
}

// add adds a function if it is a speaker.
func (all speakers) add(f goFile, name string, signature *ast.FuncType, body *ast.BlockStmt, around []ast.Node) {
	names, args := parameters(signature)
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		to := all.find(f, call, around)
		if to == nil || len(call.Args) <= to.id {
			return true
		}
		before, id, after := handed(call.Args[to.id])
		at := slices.Index(names, id)
		if at < 0 {
			return true
		}
		if all[name] == nil {
			all[name] = &speaker{at, args, map[form]bool{}}
		}
		given, rest, _ := to.arguments(call)
		for of := range to.forms {
			all[name].forms[form{of.before + before, after + of.after, of.given + given, of.rest && rest}] = true
		}
		return true
	})
}

// handed splits an id into a variable and the literals around it.
func handed(e ast.Expr) (before, variable, after string) {
	switch e := e.(type) {
	case *ast.Ident:
		return "", e.Name, ""
	case *ast.BinaryExpr:
		before, variable, after = handed(e.X)
		if text, ok := textOf(e.Y); ok && variable != "" {
			return before, variable, after + text
		}
		if text, ok := textOf(e.X); ok {
			before, variable, after = handed(e.Y)
			return text + before, variable, after
		}
	}
	return "", "", ""
}

// handsOn reports whether an id is made from a parameter of a surrounding function, which passes on arguments.
func handsOn(e ast.Expr, above []ast.Node) bool {
	_, variable, _ := handed(e)
	return variable != "" && slices.ContainsFunc(above, func(n ast.Node) bool {
		var f *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncDecl:
			f = n.Type
		case *ast.FuncLit:
			f = n.Type
		default:
			return false
		}
		names, args := parameters(f)
		return args > 0 && slices.Contains(names, variable)
	})
}

// parameters returns the names of a function's parameters, and the index of the variadic one; -1: none.
func parameters(f *ast.FuncType) (names []string, list int) {
	list = -1
	for _, field := range f.Params.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
		if _, ok := field.Type.(*ast.Ellipsis); ok {
			list = len(names) - 1
		}
	}
	return names, list
}

// arguments returns the names of a call's arguments. rest reports that it passes on its own arguments, and known that
// there are no others.
func (s *speaker) arguments(call *ast.CallExpr) (names string, rest, known bool) {
	if s.args < 0 || len(call.Args) <= s.args {
		return "", false, true
	}
	list := call.Args[s.args:]
	if call.Ellipsis != token.NoPos {
		rest = true
		more, ok := list[0].(*ast.CallExpr)
		if !ok {
			return "", true, false
		}
		if _, name := called(more); name != "append" {
			return "", true, false
		}
		list = more.Args[1:]
	}
	for i := 0; i < len(list); i += 2 {
		text, ok := textOf(list[i])
		if !ok {
			return names, rest, false
		}
		names += text + ","
	}
	return names, rest, !rest
}

// speakersOf returns the speakers of all files.
func speakersOf(files []goFile) speakers {
	all := speakers{first: {0, 1, map[form]bool{{rest: true}: true}}}
	for range 4 { // the depth of speakers that call each other
		for _, f := range files {
			f.inspect(func(n ast.Node, above []ast.Node) {
				switch n := n.(type) {
				case *ast.FuncDecl:
					name := f.dir + "." + n.Name.Name
					if n.Recv != nil {
						name = "(" + f.dir + ")." + n.Name.Name
						if n.Name.IsExported() {
							name = "()." + n.Name.Name
						}
					}
					if n.Body != nil {
						all.add(f, name, n.Type, n.Body, []ast.Node{n})
					}
				case *ast.AssignStmt:
					if name, ok := n.Lhs[0].(*ast.Ident); ok {
						if fn, ok := n.Rhs[0].(*ast.FuncLit); ok {
							all.add(f, f.path+" "+declared(above)+"."+name.Name, fn.Type, fn.Body, above)
						}
					}
				}
			})
		}
	}
	return all
}
