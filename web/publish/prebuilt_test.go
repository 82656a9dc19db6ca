package publish

import (
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/web/live"
)

// TestReleaseEmbedsAllFiles: the build tag release embeds all files that are written for a release.
func TestReleaseEmbedsAllFiles(t *testing.T) {
	dir := t.TempDir()
	p := &Program{WASM: []byte("a"), Exec: []byte("b"), Live: &live.Program{WASM: []byte("c")}}
	if err := p.WritePrebuilt(dir); err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(read(t, "prebuilt_release.go"), "//go:embed ")
	line, _, _ = strings.Cut(line, "\n")
	content := ""
	for _, name := range strings.Fields(line) {
		content += read(t, dir, filepath.FromSlash(name))
	}
	if content != "acb" || len(p.files()) != 3 {
		t.Errorf("of %d files the release embeds %s: %q", len(p.files()), line, content)
	}
	if Prebuilt() != nil {
		t.Error("this build carries programs")
	}
}
