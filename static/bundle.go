package static

import "strings"

// Pages load few files: shared scripts and style sheets are joined at their first use. The sources remain, and are
// served, too.

// joinedFolder is the folder of the joined files.
const joinedFolder = "bundle/"

// Main is the module that every page runs: all modules of js/.
const Main = joinedFolder + "atlas.js"

// sheets holds the style sheets that are joined into one, by its name.
var sheets = map[string][]string{}

// Join registers a style sheet that consists of several others, in their order, and returns its name. Packages call
// Join while they are initialised.
func Join(name string, of ...string) string {
	sheets[joinedFolder+name] = of
	return joinedFolder + name
}

// Bundled returns the name under which a page loads a file of its own. A script then takes its imports from Main.
func Bundled(name string) string {
	if strings.HasSuffix(name, ".js") {
		return joinedFolder + name
	}
	return name
}
