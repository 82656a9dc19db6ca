package static

import "strings"

// Pages load few files: what they share is joined when the program starts. The sources stay where they are, and are
// served, too.

// bundle is the folder of what is joined.
const bundle = "bundle/"

// Main is the module that every page runs: all modules of js/.
const Main = bundle + "atlas.js"

// sheets are the style sheets that are joined to one, by its name.
var sheets = map[string][]string{}

// Join makes one style sheet of several, in their order, and returns its name. Packages call it while they are
// initialised.
func Join(name string, of ...string) string {
	sheets[bundle+name] = of
	return bundle + name
}

// Bundled is the name under which a page loads a file of its own: a script takes what it imports from Main.
func Bundled(name string) string {
	if strings.HasSuffix(name, ".js") {
		return bundle + name
	}
	return name
}
