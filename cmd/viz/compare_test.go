package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompareCommand: the command gives the numbers and sentences of the API, or a figure, and reports errors.
func TestCompareCommand(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"compare", "dense:2:3", "dense:2:3", "a cat"}, &out, &errs); status != 0 ||
		!strings.Contains(out.String(), "A = dense, layer 2, head 3; B = dense, layer 2, head 3") ||
		!strings.Contains(out.String(), "rank correlation 1\n") {
		t.Errorf("%d: %s%s", status, out.String(), errs.String())
	}
	out.Reset()
	if status := run(t.Context(), []string{"compare", "dense:2:3", "random:1:2", "a cat"}, &out, &errs); status != 0 ||
		!strings.Contains(out.String(), "A = dense, layer 2, head 3; B = random, layer 1, head 2") ||
		strings.Contains(out.String(), "rank correlation 1\n") {
		t.Errorf("%d: %s%s", status, out.String(), errs.String())
	}
	if status := run(t.Context(), []string{"compare", "dense:9", "random", "a cat"}, &out, &errs); status != failed ||
		!strings.Contains(errs.String(), "2 layers") {
		t.Errorf("%d: %s", status, errs.String())
	}
	file := filepath.Join(t.TempDir(), "two.png")
	if status := run(t.Context(), []string{"compare", "dense", "random", "a cat", "--out", file}, &out,
		&errs); status != 0 {
		t.Errorf("%d: %s", status, errs.String())
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("no figure: %v", err)
	}
}
