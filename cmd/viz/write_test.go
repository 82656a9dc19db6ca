package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"attnatlas/web/browsertest"
)

func TestWriteCommand(t *testing.T) {
	dir := browsertest.Folder(t, "encoder-decoder")
	status, out, errs := viz(t, "write", "--weights", dir, "--text", "the cat sat")
	if status != 0 || !regexp.MustCompile(`(?m)^[ ✕]  1  \S+ .* · .* attends to \S+ 0\.\d{3}$`).MatchString(out) ||
		!strings.Contains(out, "written: ") {
		t.Fatal(status, out, errs)
	}
	if !regexp.MustCompile(`(?m)^attends to: the word of the text that head [1-4] of layer 1, the most distinctive, `).MatchString(out) {
		t.Errorf("it does not say whose reading it is: %s", out)
	}
	if !strings.Contains(out, "wrong") || !strings.Contains(out, "the right answer is: sat cat the") {
		t.Errorf("a model that has learned nothing is called right: %s", out)
	}
	_, raw, _ := viz(t, "write", "--weights", dir, "--text", "the cat sat", "--json")
	_, body := fetch(t, browsertest.ServeFolder(t, dir)+"/api/v1/write?text=the+cat+sat")
	if raw != body || !json.Valid([]byte(raw)) {
		t.Error("the command line and the server answer differently")
	}
	if status, _, errs := viz(t, "write", "--weights", dir, "--text", strings.Repeat("the ", 60)); status != 1 ||
		!strings.Contains(errs, "Remove 30 tokens") {
		t.Error(status, errs)
	}
	if status, _, errs := viz(t, "write", "--weights", dir, "--text", "the cat", "--task", "sort"); status != 1 ||
		!strings.Contains(errs, "Available: reverse") {
		t.Error(status, errs)
	}
	if status, out, errs := viz(t, "write", "--text", "the cat sat on a mat", "--task", "sort"); status != 0 ||
		!strings.Contains(out, "written: a cat mat on sat the\n") {
		t.Error(status, out, errs)
	}
	for _, flags := range [][]string{{"--task", "sort"}, {"--cut", "word:2"}} {
		flags = append(flags, "--model", "../../engine/huggingface/testdata/t5", "--text", "the cat")
		if status, out, errs := viz(t, append([]string{"write"}, flags...)...); status != 1 ||
			!strings.Contains(errs, "apply only to the encoder–decoder") {
			t.Error(flags, status, out, errs)
		}
	}
	if status, _, errs := viz(t, "write", "--weights", t.TempDir(), "--text", "a"); status != 1 ||
		!strings.Contains(errs, "No trained model") {
		t.Error(status, errs)
	}
}

// TestAttendTellsWhatIsExpected: attend prints predictions for every [MASK], or after every word.
func TestAttendTellsWhatIsExpected(t *testing.T) {
	_, out, errs := viz(t, "attend", "--weights", browsertest.Folder(t, "bert", "gpt2"), "-m", "bert,gpt2", "--text",
		"the [MASK] sat")
	for _, want := range []string{`(?m)^bert, predicted words\n  for \[MASK\]       \S+ 0\.\d{3} · \S+ 0\.\d{3} · \S+ 0\.\d{3}$`, `(?m)^gpt2, predicted words\n  after \[CLS\] .*\n  after the .*\n  after \[MASK\] .*\n  after sat `} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%s is not in %s %s", want, out, errs)
		}
	}
}

// TestContinueCommand: GPT-2 continues a text as in the API, and the output warns that the text is invented.
func TestContinueCommand(t *testing.T) {
	args := []string{"write", "-m", "gpt2", "--text", "Once upon a time", "--words", "3", "--seed", "3", "--take", "2.2",
		"--top-k", "0"}
	status, out, errs := viz(t, args...)
	_, raw, _ := viz(t, append(args, "--json")...)
	_, body := fetch(t, browsertest.Server(t).URL+
		"/api/v1/continue?m=gpt2&text=Once+upon+a+time&words=3&seed=3&take=2.2&topk=0")
	if status != 0 || raw != body || !strings.Contains(out, "The model invents") ||
		!strings.Contains(raw, `"taken":true`) {
		t.Errorf("%d %s %s\n%.200s\n%.200s", status, out, errs, raw, body)
	}
	if status, _, errs := viz(t, "write", "-m", "bert", "--text", "a"); status != 1 ||
		!strings.Contains(errs, "does not predict next words") {
		t.Errorf("%d %s", status, errs)
	}
}
