package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"attnatlas/web/wall"
)

// TestRaceCommand: the command prints a table of all named models, the best first, with the numbers of the API, or
// how many words each model predicts.
func TestRaceCommand(t *testing.T) {
	status, out, errs := viz(t, "race", "The cat sat because it was tired.", "--hide", "was", "-m",
		"fastformer,bert,encoder-decoder")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 4 || !strings.HasPrefix(lines[1], "1  bert") ||
		!strings.HasPrefix(lines[2], "2  fastformer") ||
		!strings.HasPrefix(lines[3], "encoder-decoder: This model was trained to write") {
		t.Fatalf("%d: %s%s", status, out, errs)
	}
	var a wall.Race
	_, body, _ := viz(t, "race", "The cat sat because it [MASK] tired.", "-m", "bert", "--json")
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	bert := a.Words[0].Models[0]
	if fields := strings.Fields(lines[1]); fields[2] != bert.Guess || fields[3] != brief(bert.P) || fields[4] != "right" ||
		fields[5] != brief(bert.P) || fields[6] != "1" {
		t.Errorf("%q, and the API says %+v", fields, bert)
	}
	_, out, _ = viz(t, "race", "The cat sat.", "--every", "-m", "bert,gpt2")
	for _, id := range []string{"bert", "gpt2"} {
		if !regexp.MustCompile(`(?m)^` + id + ` +\d of 4 +\d+\.\d\d$`).MatchString(out) {
			t.Errorf("of %s it says %s", id, out)
		}
	}
	if status, _, errs := viz(t, "race", "The cat sat.", "--hide", "dog"); status != failed ||
		!strings.Contains(errs, "must be a word of the text") {
		t.Errorf("%d: %s", status, errs)
	}
}
