// Package version names the program.
package version

import (
	"runtime/debug"
	"strings"
)

// Current returns the version of the program: the commit that it was built from, or else the module's version. A plus
// marks files that had changed since.
func Current() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return of(info)
}

func of(info *debug.BuildInfo) string {
	version, changed := info.Main.Version, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			version = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	return strings.TrimSuffix(version, "+dirty") + changed
}
