package main

import (
	"go/ast"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/messages"
)

// catalogue holds the English texts, and which of them are used.
type catalogue struct {
	texts map[string]map[string]string // by id and plural form
	used  map[string]bool
}

// use marks the texts of an id, which can contain gaps, and reports whether there are any.
func (c catalogue) use(id string) bool {
	if !strings.Contains(id, gap) {
		c.used[id] = true
		return c.texts[id] != nil
	}
	pattern := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(id), gap, `.+`) + "$")
	found := false
	for known := range c.texts {
		if pattern.MatchString(known) {
			c.used[known], found = true, true
		}
	}
	return found
}

var argument = regexp.MustCompile(`{{\.(\w+)}}`)

// names returns the arguments of a text, in all its plural forms.
func (c catalogue) names(id string) []string {
	found := map[string]bool{}
	for form, text := range c.texts[id] {
		if form != "other" {
			found["count"] = true
		}
		for _, m := range argument.FindAllStringSubmatch(text, -1) {
			found[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// TestEveryIDHasAText: every message id in the code has a text in the catalogue with the same arguments, and the
// catalogue has no other texts.
func TestEveryIDHasAText(t *testing.T) {
	c := catalogue{messages.English.Templates(""), map[string]bool{}}
	files := goFiles(t)
	all := speakersOf(files)
	for _, f := range files {
		f.inspect(func(n ast.Node, above []ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok {
				if s := all.find(f, call, above); s != nil && len(call.Args) > s.id {
					c.check(t, f, s, call, above)
				}
			}
		})
		c.note(f, all)
	}
	for id := range c.texts {
		if !c.used[id] && !strings.HasPrefix(id, "script.") { // another test checks the texts of scripts
			t.Errorf("nobody says %s", id)
		}
	}
}

// check compares a call of a speaker with the catalogue.
func (c catalogue) check(t *testing.T, f goFile, s *speaker, call *ast.CallExpr, above []ast.Node) {
	text, ok := textOf(call.Args[s.id])
	if !ok || handsOn(call.Args[s.id], above) {
		return
	}
	given, rest, known := s.arguments(call)
	for id, form := range s.ids(text) {
		switch {
		case !c.use(id):
			t.Errorf("%s: there is no text %q", f.line(call), id)
		case strings.Contains(id, gap) || form.rest && (rest || !known):
		default:
			got := form.given
			if form.rest {
				got += given
			}
			list := strings.FieldsFunc(got, func(r rune) bool { return r == ',' })
			slices.Sort(list)
			if want := c.names(id); !slices.Equal(list, want) {
				t.Errorf("%s: %s is given %v, its text names %v", f.line(call), id, list, want)
			}
		}
	}
}

// note marks texts whose ids stand in a file outside of calls, such as in a table or a help tag.
func (c catalogue) note(f goFile, all speakers) {
	before := []string{""}
	for name, s := range all {
		for of := range s.forms {
			if strings.HasPrefix(name, f.dir+".") && of.after == "" {
				before = append(before, of.before)
			}
		}
	}
	f.texts(func(text string, e ast.Expr, above []ast.Node) {
		if _, ok := above[len(above)-1].(*ast.Field); ok {
			help := reflect.StructTag(text).Get("help")
			c.use("cli.help." + help)
			return
		}
		if fixed, _, _ := strings.Cut(text, gap); strings.Contains(text, gap) && !strings.Contains(fixed, ".") ||
			handsOn(e, above) {
			return
		}
		for _, prefix := range before {
			c.use(prefix + text)
		}
	})
}
