package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFresh generates all files again and compares them with the committed files.
func TestFresh(t *testing.T) {
	dir := t.TempDir()
	if err := generate(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		want, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../..", e.Name()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate in package tensor", e.Name())
		}
	}
}
