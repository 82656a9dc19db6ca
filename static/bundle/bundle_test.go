package bundle

import (
	"strings"
	"testing"
	"testing/fstest"
)

// tree returns files of js/ with these contents.
func tree(files map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for name, source := range files {
		all["js/"+name] = &fstest.MapFile{Data: []byte(source)}
	}
	return all
}

// TestModulesRefuseWhatTheyCannotJoin: modules whose meaning would change in a joined file are refused.
func TestModulesRefuseWhatTheyCannotJoin(t *testing.T) {
	const a = "export const a = 1;\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"cycle": {map[string]string{
			"main.js": "import { b } from './b.js';\nexport const a = b;\n",
			"b.js":    "import { a } from './main.js';\nexport const b = a;\n",
		}, "among the modules"},
		"variable":  {map[string]string{"main.js": "export let a = 1;\n"}, "may change"},
		"default":   {map[string]string{"main.js": "export default 1;\n"}, "export default"},
		"namespace": {map[string]string{"main.js": "import * as b from './a.js';\n", "a.js": a}, "import * as b"},
		"list":      {map[string]string{"main.js": "const a = 1;\nexport { a };\n"}, "export { a }"},
		"await":     {map[string]string{"main.js": "await a;\n"}, "await a"},
		"two in one": {map[string]string{
			"main.js": "import { b } from './a.js';\n",
			"a.js":    "export const a = 1, b = 2;\n",
		}, "does not export"},
		"missing": {map[string]string{"main.js": "import { a } from './a.js';\n"}, "a.js"},
	} {
		if _, err := Modules(tree(c.files), "js/main.js"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, which does not say %q", name, err, c.want)
		}
	}
	if _, err := PageModule("cost/cost.js", []byte("import { a } from '../desk/a.js';\n"), "js", "atlas.js"); err == nil {
		t.Error("a page's module may import one of another page")
	}
	if got, err := PageModule("cost/cost.js", []byte("import { a } from './a.js';\n"), "js", "atlas.js"); err != nil ||
		!strings.Contains(string(got), "import { a } from './a.js';") {
		t.Errorf("a page's module may not import another one of the page's: %s, %v", got, err)
	}
}

// TestUncommented: lines that are only comments are removed; similar lines in a template literal stay.
func TestUncommented(t *testing.T) {
	const source = "// one\n/** two\n * three */\nconst a = 1; // four\n\n  // five\n/* six */\n" +
		"const b = `\n// seven\n/* eight */\n`;\n/** nine */\nf();\n"
	const want = "const a = 1; // four\n\nconst b = `\n// seven\n/* eight */\n`;\nf();\n"
	if got := string(Uncommented([]byte(source))); got != want {
		t.Errorf("it is %q", got)
	}
	if got := string(Uncommented([]byte("/* one\n   two */\na { b: c; } /* d */\n"))); got != "a { b: c; } /* d */\n" {
		t.Errorf("a style sheet is %q", got)
	}
}
