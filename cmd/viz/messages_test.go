package main

import (
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"

	"github.com/a-h/templ/parser/v2"
	"github.com/a-h/templ/parser/v2/visitor"
)

// exceptions are texts that the program does not show to people, or that are no sentences of ours, by file and
// declaration.
var exceptions = map[string]string{
	"engine/attention/fastformer.go contributionOfAll":        "the name of a map",
	"engine/attention/reformer_maps.go show":                  "names of maps",
	"engine/unroll/hashing.go newHashing":                     "names of maps",
	"engine/encoder/sandwich.go sublayerKinds":                "names of classes",
	"engine/bench/pictures.go sentence":                       "words of a picture whose drawing is timed",
	"engine/bench/pictures.go picture":                        "its title",
	"engine/tensor/peak.go instructions":                      "names of instructions",
	"engine/figure/pdffont.go cmapBegin":                      "a program of PostScript",
	"engine/figure/pdffont.go cmapEnd":                        "its end",
	"engine/figure/pdf.go text":                               "operators of PDF",
	"engine/tokenizer/corpus.go wholeWords":                   "words of the vocabulary",
	"engine/tokenizer/decode.go contractions":                 "what an apostrophe joins to the word before",
	"engine/train/corpus.go sources":                          "names of licences and authors",
	"engine/recording/make.go Texts":                          "texts that models read",
	"engine/headstats/distinctive.go sentences":               "texts that models read",
	"web/address/state.go DefaultText":                        "the text of addresses without one",
	"web/address/state.go DefaultSource":                      "the text of addresses without one",
	"web/scene/walk.go OneWordChanged":                        "a text that models read",
	"web/scene/examples.go story":                             "a text that models read",
	"web/scene/examples.go otherCommas":                       "a text that models read",
	"web/scene/examples.go otherFood":                         "a text that models read",
	"web/scene/examples.go questionLast":                      "a text that models read",
	"web/scene/examples.go twoSided":                          "a text that models read",
	"web/mechanism/generation_examples.go generationExamples": "texts to choose from",
	"web/site/catalog.go TrainCommand":                        "a command to type",
	"engine/corpora/labelled.go groups":                       "names of classes of a source",
	"engine/corpora/labelled.go firstNames":                   "names that texts get",
	"engine/corpora/stories.go frame":                         "names of files of a source",
	"web/results/results.go evaluateCommand":                  "a command to type",
	"web/site/middleware.go bare":                             "a header",
	"web/site/draw.go FileHeader":                             "a header",
	"engine/figure/html.go PagePolicy":                        "a header",
	"web/live/page.go Policy":                                 "a header",
	"engine/exhibit/reading.go Command":                       "a command to type",
	"cmd/viz/completion.go bash":                              "a program of a shell",
	"cmd/viz/completion.go Run":                               "a command of a shell",
	"static/bundle/bundle.go Modules":                         "the beginning of a script",
	"static/bundle/bundle.go PageModule":                      "the beginning of a script",
	"web/api/description.go Description":                      "documentation of the API, for programmers",
	"web/api/json.go Schema":                                  "documentation of the API, for programmers",
}

// named are types and functions whose texts are names: of papers and authors, and of maps, axes and classes, which
// addresses and the API use, too. Scenes are the texts that models read.
var named = map[string]bool{
	"Paper": true, "synthesizer": true,
	"Map": true, "Axis": true, "View": true, "factorRow": true, "Step": true, "ShowArray": true, "Scene": true,
}

// sentence reports whether a text has three words of at least two letters, apart from punctuation.
func sentence(text string) bool {
	words := 0
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, ".,;:!?()[]“”\"'…")
		letters := strings.Map(func(r rune) rune {
			if strings.ContainsRune("-'’–", r) {
				return -1
			}
			return r
		}, word)
		if len([]rune(letters)) >= 2 && strings.IndexFunc(letters, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 {
			words++
		}
	}
	return words >= 3
}

// TestSentencesAreInTheCatalogue: no Go file contains a sentence of its own.
func TestSentencesAreInTheCatalogue(t *testing.T) {
	files, used := goFiles(t), map[string]bool{}
	panics := panicking(files)
	for _, f := range files {
		ofTests := f.dir == "web/browsertest" || f.dir == "web/webtest"
		if f.dir == "engine/messages" || ofTests || ast.IsGenerated(f.File) && !f.template() {
			continue
		}
		f.texts(func(text string, e ast.Expr, above []ast.Node) {
			if _, ok := above[len(above)-1].(*ast.Field); ok { // other texts in tags are for programmers
				text = reflect.StructTag(text).Get("help")
			}
			formula := strings.Contains(text, `\`)
			if !sentence(text) || formula || strings.HasPrefix(text, f.Name.Name+": ") || unsaid(f, above, panics) {
				return
			}
			if name := f.path + " " + declared(above); exceptions[name] != "" {
				used[name] = true
				return
			}
			t.Errorf("%s: %q has no home in engine/messages", f.line(e), text)
		})
	}
	for name := range exceptions {
		if !used[name] {
			t.Errorf("the exception %s is of no use", name)
		}
	}
}

// panicking returns the functions that only panic with their arguments, by folder and name.
func panicking(files []goFile) map[string]bool {
	found := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || len(fn.Body.List) != 1 {
				continue
			}
			if s, ok := fn.Body.List[0].(*ast.ExprStmt); ok && isPanic(s.X) {
				found[f.dir+" "+fn.Name.Name] = true
			}
		}
	}
	return found
}

func isPanic(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	of, name := called(call)
	return of == "" && name == "panic"
}

// unsaid reports whether a text is a name, an argument of a panic or of the log, or part of a template's frame, which
// another test checks.
func unsaid(f goFile, above []ast.Node, panics map[string]bool) bool {
	return slices.ContainsFunc(above, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			of, name := called(n)
			return isPanic(n) || panics[f.dir+" "+name] || named[name] || name == "ErrorContext" || f.template() &&
				of == "templruntime" && name == "WriteString"
		case *ast.CompositeLit:
			name := typeName(n.Type)
			return named[name] || f.template() && name == "Error"
		}
		return false
	})
}

// typeName returns the name of a type, or of a list's elements.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.ArrayType:
		return typeName(e.Elt)
	}
	return ""
}

// TestTemplatesHaveNoSentences: templates have no sentences between tags or in visible attributes.
func TestTemplatesHaveNoSentences(t *testing.T) {
	sourceFiles(t, func(path string) {
		raw, err := os.ReadFile(filepath.Join(root, path))
		must(t, err)
		file, err := parser.ParseString(string(raw))
		must(t, err)
		check := func(text string) {
			if sentence(text) {
				t.Errorf("%s: %q has no home in engine/messages", path, text)
			}
		}
		v := visitor.New()
		v.Text = func(n *parser.Text) error { check(n.Value); return nil }
		v.ConstantAttribute = func(n *parser.ConstantAttribute) error {
			if key := n.Key.String(); key == "title" || key == "alt" || key == "placeholder" || key == "content" ||
				strings.HasPrefix(key, "aria-label") {
				check(n.Value)
			}
			return nil
		}
		must(t, file.Visit(v))
	}, ".templ")
}

// TestHelpNamesEveryValue: the help of a flag lists the values of its parameter.
func TestHelpNamesEveryValue(t *testing.T) {
	for key, id := range map[string]string{address.Mask: "cli.help.mask", address.Norm: "cli.help.render.norm",
		address.Cmap: "cli.help.render.cmap", address.Theme: "cli.help.render.theme"} {
		for _, value := range address.Values(key) {
			if help := messages.English.T(id); value != address.Themes[0] && !strings.Contains(help, value) {
				t.Errorf("the help of --%s does not name %s: %s", key, value, help)
			}
		}
	}
	figures, walls, _ := strings.Cut(messages.English.T("cli.help.render.out"), "; for wall")
	for help, extensions := range map[string][]string{figures: figure.Extensions(),
		walls: append(figure.BoardExtensions(), "zip")} {
		for _, extension := range extensions {
			if !strings.Contains(help, " ."+extension) {
				t.Errorf("the help of --out does not name .%s: %s", extension, help)
			}
		}
	}
}

// TestScriptsGiveTheArguments: scripts pass a text the arguments that it names.
func TestScriptsGiveTheArguments(t *testing.T) {
	c, checked := catalogue{messages.English.Templates(""), map[string]bool{}}, 0
	call := regexp.MustCompile(`\b(?:t|parts)\('([\w.-]+)'(?:\)|, (\{))`)
	sourceFiles(t, func(path string) {
		raw, err := os.ReadFile(filepath.Join(root, path))
		must(t, err)
		for _, m := range call.FindAllStringSubmatchIndex(string(raw), -1) {
			id, list := string(raw[m[2]:m[3]]), ""
			if m[4] >= 0 {
				list = string(raw[m[1]:])
			}
			got, known := members(list)
			if want := c.names(id); known && !slices.Equal(got, want) {
				t.Errorf("%s: %s is given %v, its text names %v", path, id, got, want)
			}
			checked++
		}
	}, ".js")
	if checked < 20 {
		t.Errorf("only %d texts were found in scripts", checked)
	}
}

// members returns the keys of an object literal in a script, up to its closing bracket. known is false if the object
// spreads another one.
func members(object string) (names []string, known bool) {
	depth, name, begins := 0, regexp.MustCompile(`^\s*(\w+)`), true
	for i := range object {
		if begins && depth == 0 {
			if strings.HasPrefix(strings.TrimSpace(object[i:]), "...") {
				return nil, false
			}
			if m := name.FindStringSubmatch(object[i:]); m != nil {
				names = append(names, m[1])
			}
		}
		begins = depth == 0 && object[i] == ','
		switch object[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	slices.Sort(names)
	return names, true
}
