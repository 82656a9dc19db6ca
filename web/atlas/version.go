package atlas

import (
	"runtime/debug"
	"strings"
)

// Version is that of the program: the module's version or the commit it was built from, with a plus where files had
// changed since.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
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
