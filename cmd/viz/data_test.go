package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrainData: data sets are built from the sources that exist, and missing sources are reported.
func TestTrainData(t *testing.T) {
	from, out := t.TempDir(), t.TempDir()
	folder := filepath.Join(from, "common-voice", "server", "data", "en")
	must(t, os.MkdirAll(folder, 0o755))
	must(t, os.WriteFile(filepath.Join(folder, "a.txt"),
		[]byte("He said “no” to it.\nSome bloody words here.\nTwo words\nHe drank a cup of poison.\n"), 0o644))
	list := filepath.Join(from, "words.txt")
	must(t, os.WriteFile(list, []byte("Bloody\n"), 0o644))
	status, said, errs := viz(t, "train", "data", "--from", from, "--out", out, "--without", list)
	if status != 0 || !strings.Contains(said, "everyday/") || !strings.Contains(said, "everyday: 1 lines dropped") ||
		strings.Count(errs, " skipped: ") != 16 {
		t.Fatal(status, said, errs)
	}
	files, err := filepath.Glob(filepath.Join(out, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || string(text) != "He said \"no\" to it.\n" {
		t.Errorf("%v: %s", err, text)
	}
	if status, _, errs := viz(t, "train", "data", "--from", t.TempDir(), "--out", out); status != 1 ||
		!strings.Contains(errs, "none of the sources") {
		t.Error(status, errs)
	}
}
