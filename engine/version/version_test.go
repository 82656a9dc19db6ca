package version

import (
	"runtime/debug"
	"testing"
)

// TestVersion: the version is the commit with a mark of changed files, or that of the module.
func TestVersion(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for modified, want := range map[string]string{"false": commit[:12], "true": commit[:12] + "+"} {
		info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit},
			{Key: "vcs.modified", Value: modified}}}
		if got := of(info); got != want {
			t.Errorf("modified %s: %s", modified, got)
		}
	}
	if got := of(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}); got != "v1.2.3" {
		t.Error(got)
	}
}
