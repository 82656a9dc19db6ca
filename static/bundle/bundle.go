// Package bundle joins ES modules into one file, so that pages load few files.
package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Our modules import and export by name, on a line of its own.
var (
	importing = regexp.MustCompile(`(?m)^import (?:\{ ?(.*?),? ?\} from )?'(\.\.?/[^']+)';`)
	exporting = regexp.MustCompile(`(?m)^export ((?:async )?function\*?|class|const|let) (\w+)`)
	other     = regexp.MustCompile(`(?m)^(?:import|export|await)\b[^(].*`)
)

// Modules joins all modules in the folder of entry into one. Each becomes a function that runs after the modules that
// it imports (ECMAScript 2025, 16.2.1.5). Modules that entry does not need run last; they are for pages. It returns
// an error for circular imports, and for other forms of import and export.
func Modules(tree fs.FS, entry string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Modules of ../js, a generated copy without comments: each is a function, in the order of their imports.\n\n")
	b.WriteString("export const modules = {};\n")
	const running, done = 1, 2
	state, exports := map[string]int{}, map[string][]string{}
	var add func(name string) error
	add = func(name string) error {
		switch state[name] {
		case running:
			return fmt.Errorf("bundle: %s is among the modules that it imports", name)
		case done:
			return nil
		}
		state[name] = running
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		for _, m := range importing.FindAllSubmatch(source, -1) {
			from := path.Join(path.Dir(name), string(m[2]))
			if err := add(from); err != nil {
				return err
			}
			for _, want := range imported(m) {
				if !slices.Contains(exports[from], want) {
					return fmt.Errorf("bundle: %s imports %s of %s, which does not export it", name, want, from)
				}
			}
		}
		state[name] = done
		body, names, err := function(name, path.Dir(entry), source)
		exports[name] = names
		fmt.Fprintf(&b, "\n// %s\nmodules['%s'] = (() => {\n%s\nreturn { %s };\n})();\n", name, name, body,
			strings.Join(names, ", "))
		return err
	}
	all, err := fs.Glob(tree, path.Dir(entry)+"/*.js")
	for _, name := range append([]string{entry}, all...) {
		err = errors.Join(err, add(name))
	}
	return b.Bytes(), err
}

// imported returns the names that an import statement takes.
func imported(m [][]byte) (names []string) {
	for name := range strings.SplitSeq(string(m[1]), ", ") {
		if name, _, _ = strings.Cut(name, " as "); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// function returns the body of a module's function, and the names that the module exports. Modules in the folder common
// are joined.
func function(name, common string, source []byte) (body []byte, names []string, err error) {
	body = taking(name, common, Uncommented(source))
	for _, m := range exporting.FindAllSubmatch(body, -1) {
		if string(m[1]) == "let" {
			return nil, nil, fmt.Errorf("bundle: %s exports a variable that may change: %s", name, m[2])
		}
		names = append(names, string(m[2]))
	}
	body = exporting.ReplaceAll(body, []byte("$1 $2"))
	if form := other.Find(body); form != nil {
		return nil, nil, fmt.Errorf("bundle: %s cannot be joined with other modules because of its line %q", name, form)
	}
	return body, names, nil
}

// Uncommented removes the lines of a script or style sheet that are only comments, a fifth of a script's bytes.
func Uncommented(source []byte) []byte {
	var out []byte
	inside, quoted := false, false // in a comment, in a template literal
	for line := range bytes.Lines(source) {
		text := bytes.TrimSpace(line)
		begins := !quoted && bytes.HasPrefix(text, []byte("/*"))
		switch {
		case inside || begins:
			inside = !bytes.HasSuffix(text, []byte("*/"))
			if inside && bytes.Contains(text, []byte("*/")) {
				panic("bundle: code stands behind a comment: " + string(text))
			}
		case quoted || !bytes.HasPrefix(text, []byte("//")):
			out = append(out, line...)
			quoted = quoted != (bytes.Count(line, []byte("`"))%2 == 1)
		}
	}
	return out
}

// taking replaces the imports of a module from the folder common by lookups among the joined modules.
func taking(name, common string, source []byte) []byte {
	return importing.ReplaceAllFunc(source, func(line []byte) []byte {
		m := importing.FindSubmatch(line)
		from := path.Join(path.Dir(name), string(m[2]))
		if path.Dir(from) != common {
			return line
		}
		return fmt.Appendf(nil, "const { %s } = modules['%s'];", strings.ReplaceAll(string(m[1]), " as ", ": "), from)
	})
}

// PageModule returns a page's own module. It may import modules of its own folder, and modules of the folder common,
// which are joined in the file main.
func PageModule(name string, source []byte, common, main string) ([]byte, error) {
	for _, m := range importing.FindAllSubmatch(source, -1) {
		if from := path.Join(path.Dir(name), string(m[2])); path.Dir(from) != common && path.Dir(from) != path.Dir(name) {
			return nil, fmt.Errorf("bundle: %s imports %s, which is in neither %s nor its own folder", name, from, common)
		}
	}
	up := strings.Repeat("../", strings.Count(name, "/"))
	return append([]byte("import { modules } from '"+up+path.Base(main)+"'; // a generated copy\n"),
		taking(name, common, source)...), nil
}
