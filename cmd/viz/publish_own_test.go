package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
)

// TestPublishOwnModels: a folder published with own models answers like a server with them, shows one of them first,
// and has no weights of other models.
func TestPublishOwnModels(t *testing.T) {
	nodeFor(t) // skips without Node
	p, own, site := publishing(t), t.TempDir(), filepath.Join(t.TempDir(), "site")
	for _, id := range []string{"dense", "universal"} {
		packed, _ := checkpoint.Embedded(id)
		plain, err := gzip.NewReader(bytes.NewReader(packed))
		must(t, err)
		data, err := io.ReadAll(plain)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(own, id+".safetensors"), data, 0o600))
	}
	if said := output(t, p.command("publish", site, "--weights", own, "--hosted")); !strings.Contains(said,
		"MB of weights") || !strings.Contains(said, "serve it on localhost") {
		t.Errorf("it says %s", said)
	}
	page, err := os.ReadFile(filepath.Join(site, "index.html"))
	must(t, err)
	if first := string(page); !strings.Contains(first, `id="card-dense"`) ||
		strings.Contains(first, `id="card-dot-product"`) {
		t.Error("the first view is not of the model that is there")
	}
	files, err := filepath.Glob(filepath.Join(site, "program", "*", "weights", "*"))
	if must(t, err); len(files) > 0 {
		t.Errorf("there are shipped weights: %v", files)
	}
	paths := []string{"/results", "/m/dense?text=one+two+three", "/export/universal.json?text=one+two+three",
		"/export/dot-product.json", "/pondering", "/about"}
	server := p.serve(t, "--weights", own)
	for i, got := range publishedAnswers(t, site, paths...) {
		path := paths[i]
		if want, body := asking(t, server, path); got.Status != want.StatusCode || !bytes.Equal(got.Body, body) {
			t.Errorf("%s: %d with %d bytes, of a server %d with %d others: %s", path, got.Status, len(got.Body), want.StatusCode,
				len(body), apart(got.Body, body))
		}
	}
}

// TestPublishNoModels: folders without models, or with an invalid model, are refused before anything is written.
func TestPublishNoModels(t *testing.T) {
	empty, broken := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(broken, "dense.safetensors"), []byte("no model"), 0o600))
	for folder, want := range map[string]string{empty: "does not contain models, which are files such as",
		broken: "dense.safetensors", filepath.Join(empty, "absent"): "absent"} {
		site := filepath.Join(t.TempDir(), "site")
		status, _, said := viz(t, "publish", site, "--weights", folder, "--source", root)
		if status != 1 && status != 2 || !strings.Contains(said, want) {
			t.Errorf("%s: %d, %s", folder, status, said)
		}
		if _, err := os.Stat(site); err == nil {
			t.Errorf("%s: something was written", folder)
		}
	}
}

// TestPublishRefusesViews: an invalid first view is refused with the sentence of its page, before anything is built
// or written.
func TestPublishRefusesViews(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "site")
	if status, _, errs := viz(t, "publish", folder, "-m", "dense,bert.linear"); status != failed ||
		!strings.Contains(errs, "No trained model") || strings.Contains(errs, "Building") {
		t.Errorf("without a model: %d: %s", status, errs)
	}
	if status, _, errs := viz(t, "publish", folder, "-m", "nope"); status != failed ||
		!strings.Contains(errs, `No mechanism named “nope”`) {
		t.Errorf("%d: %s", status, errs)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("the folder is there")
	}
}
