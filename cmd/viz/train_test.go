package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/web/webtest"
)

// TestTrainRefusesBeforeItReads: an error in any of the models is reported before the data are read.
func TestTrainRefusesBeforeItReads(t *testing.T) {
	for _, c := range []struct {
		args string
		says string
	}{
		{"dense gpt2.linformer", "gpt2.linformer: next-token prediction needs a causal mask"},
		{"dense --option depth=3", `dense: no option named “depth”; available: hidden`},
		{"universal --option halting=soon", "universal: option halting=“soon” must be one of basic, accumulated"},
		{"universal --option halting", "NAME=VALUE"},
		{"universal --option ponder=1 --option ponder=0", "twice"},
		{"sandwich --option order=ssfsff", "a model of 4 layers needs 4 s"},
		{"sandwich.linformer --option order=0", "stack.order or mixer.order"},
		{"reversible --norm post", "reversible: a reversible layer normalises"},
		{"encoder-decoder --positions learned", "sinusoidal"},
		{"fastformer dense --option value=own", "a separate command"},
		{"dense --heads 3", "multiple of heads 3"},
		{"bert dense bert", "bert is named twice"},
	} {
		status, _, errs := viz(t, strings.Fields("train "+c.args+" --data /nowhere --state "+t.TempDir())...)
		if status != 1 || !strings.Contains(errs, c.says) {
			t.Errorf("viz train %s: status %d, %s", c.args, status, errs)
		}
	}
	if status, _, errs := viz(t, "train", "dense", "--data", "/nowhere", "--positions", "somewhere"); status != 2 ||
		!strings.Contains(errs, "sinusoidal-halves") {
		t.Error(status, errs)
	}
}

// TestTrainHelp: the help lists the models that are trained by default.
func TestTrainHelp(t *testing.T) {
	for _, command := range []string{"train", "train models"} {
		status, out, _ := viz(t, append(strings.Fields(command), "--help")...)
		if text := strings.Join(strings.Fields(out), " "); status != 0 ||
			!regexp.MustCompile(`default: all mechanisms, but no architecture\.`).MatchString(text) {
			t.Errorf("viz %s --help: %s", command, out)
		}
	}
}

// TestTrainWithOptions: the file has the chosen options, and a training with other options does not resume from this
// state.
func TestTrainWithOptions(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(data, "a.txt"),
		[]byte(strings.Repeat("The cat sat on the mat because it was tired.\nThe dog saw the cat and ran home.\n\n",
			200)), 0o644))
	args := strings.Fields("train universal.reformer --layers 2 --width 8 --heads 2 --steps 2 --data " + data + " --out " +
		dir + " --state " + dir + "/state --positions sinusoidal")
	chosen := append(slices.Clone(args), "--option", "halting=accumulated", "--option", "strict=yes")
	if status, _, errs := viz(t, chosen...); status != 0 {
		t.Fatal(errs)
	}
	file, err := checkpoint.In(os.DirFS(dir), "universal.reformer")
	must(t, err)
	var c encoder.Config
	if _, err := checkpoint.Describe(file, &c); err != nil {
		t.Fatal(err)
	}
	if c.Options["halting"] != "accumulated" || c.Options["ponder"] != "0.001" || c.MixerOptions["strict"] != "yes" ||
		c.Positions != encoder.Sinusoidal {
		t.Errorf("%+v", c)
	}
	handler, err := weights{Weights: dir}.server(slog.New(slog.DiscardHandler))
	must(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()
	for _, path := range []string{"/", "/m", "/m/universal.reformer", "/about", "/api/v1/mechanisms"} {
		status, body := fetch(t, server.URL+path)
		if status != http.StatusOK || !strings.Contains(body, "Universal with Reformer") {
			t.Errorf("%s: status %d", path, status)
		}
		if path == "/" && !strings.Contains(webtest.Shown(t, body),
			"Your model has mixer = reformer, layers = 2, width = 8, heads = 2, positions = sinusoidal, halting = accumulated, strict = yes.") {
			t.Error("its card does not say what it has")
		}
	}
	for _, other := range [][]string{args, append(slices.Clone(args), "--option", "halting=none", "--option",
		"strict=yes")} {
		if status, _, errs := viz(t, other...); status != 1 || !strings.Contains(errs, "or other options") ||
			strings.Contains(errs, "Reading") {
			t.Error(status, errs)
		}
	}
	if status, _, errs := viz(t, append(slices.Clone(args), "--anew")...); status != 0 ||
		!strings.Contains(errs, "step     1 of 2") || !strings.Contains(errs, "has not yet learned anything from context") {
		t.Error(status, errs)
	}
}
