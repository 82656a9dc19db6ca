package atlas

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for modified, want := range map[string]string{"false": commit[:12], "true": commit[:12] + "+"} {
		info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit},
			{Key: "vcs.modified", Value: modified}}}
		if got := versionOf(info); got != want {
			t.Errorf("modified %s: %s", modified, got)
		}
	}
	if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}); got != "v1.2.3" {
		t.Error(got)
	}
}
