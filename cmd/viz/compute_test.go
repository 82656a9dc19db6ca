package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"attnatlas/engine/tensor"
)

// TestComputeInAddresses: an address that asks for bit-identical numbers gets them, or an error. The program that
// draws such a figure again computes in the same mode.
func TestComputeInAddresses(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("numbers of the same bits everywhere are those of x86-64 processors and browsers")
	}
	const path = "/export/dense.npy?text=The+old+cat+sat+on+the+mat."
	drawn := func(address string, flags ...string) []byte {
		file := filepath.Join(t.TempDir(), "dense.npy")
		program := start(t, "viz", append(flags, "render", "--address", address, "--out", file)...)
		if status := program.ends(t); status != 0 {
			t.Fatalf("%d: %s", status, program.said)
		}
		body, err := os.ReadFile(file)
		must(t, err)
		return body[:bytes.LastIndex(body, []byte("\x93NUMPY"))] // the last array is the address
	}
	want := drawn(path, "--compute", "portable")
	if got := drawn(path + "&compute=portable"); !bytes.Equal(got, want) {
		t.Errorf("numbers differ: %s", apart(got, want))
	}
	if tensor.Reproducible() {
		return
	}
	if got := drawn(path); bytes.Equal(got, want) {
		t.Error("they are the same without being asked for")
	}
	for _, address := range []string{path, "/api/v1/attend?text=a+cat&m=dense", "/"} {
		sep := "?"
		if strings.Contains(address, "?") {
			sep = "&"
		}
		r, err := http.Get(pages(t).URL + address + sep + "compute=portable")
		must(t, err)
		body, err := io.ReadAll(r.Body)
		must(t, errors.Join(err, r.Body.Close()))
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "started with --compute portable") {
			t.Errorf("%s: %d %.200s", address, r.StatusCode, body)
		}
	}
}

// TestComputePortable: with the flag, the program has the numbers of the program for browsers for all kinds of layers.
func TestComputePortable(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("numbers of the same bits everywhere are those of x86-64 processors and browsers")
	}
	nodeFor(t) // skips without Node
	const mechanisms = "dense,fastformer,shuffle-exchange,universal"
	want := string(publishedAnswers(t, filepath.Join(publishing(t).site, "deep", "atlas"),
		"/api/v1/attend?text=The+old+cat+sat+on+the+mat.&m="+mechanisms)[0].Body)
	said := func(args ...string) string {
		program := start(t, "viz", append(args, "attend", "--text", "The old cat sat on the mat.", "--mechanism", mechanisms,
			"--json")...)
		if status := program.ends(t); status != 0 {
			t.Fatalf("%d: %s", status, program.said)
		}
		return strings.TrimSuffix(program.said.String(), "\n")
	}
	if got := said("--compute", "portable"); got != want {
		t.Errorf("portable numbers differ: %s", apart([]byte(got), []byte(want)))
	}
	if tensor.Instructions() != "none (portable Go)" && said() == want {
		t.Error("they are the same without it")
	}
}
