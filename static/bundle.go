package static

import "strings"

// Pages load few files: shared scripts and style sheets are joined at their first use. The sources remain, and are
// served, too.

// bundle is the folder of the joined files.
const bundle = "bundle/"

// Main is the module that every page runs: all modules of js/.
const Main = bundle + "atlas.js"

// sheets holds the style sheets that are joined into one, by its name.
var sheets = map[string][]string{}

// Join registers a style sheet that consists of several others, in their order, and returns its name. Packages call
// Join while they are initialised.
func Join(name string, of ...string) string {
	sheets[bundle+name] = of
	return bundle + name
}

// Bundled returns the name under which a page loads a file of its own. A script then takes its imports from Main.
func Bundled(name string) string {
	if strings.HasSuffix(name, ".js") {
		return bundle + name
	}
	return name
}
