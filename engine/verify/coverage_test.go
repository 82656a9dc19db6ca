package verify

import (
	"path/filepath"
	"testing"

	"attnatlas/engine/attention"
)

// unreferenced are the mechanisms without their own cases, with other evidence for their numbers.
var unreferenced = map[string]string{
	"poolingformer": "nobody has published a program of it; engine/attention/pattern_test.go tests identities",
	"mixture-rd":    "its parts and how they are mixed are those of mixture-rdv",
	"mixture-dv":    "its parts and how they are mixed are those of mixture-rdv",
}

// TestEveryMechanismHasAReference: the numbers of every mechanism match an independent
// implementation.
func TestEveryMechanismHasAReference(t *testing.T) {
	cases := map[string]int{}
	for name, ref := range references {
		folders, _ := filepath.Glob("testdata/" + name + "/*/io.safetensors")
		cases[ref.mechanism] += len(folders)
	}
	for _, e := range attention.Catalog {
		why := unreferenced[e.ID]
		switch {
		case cases[e.ID] == 0 && why == "":
			t.Errorf(`%[1]s has no reference fixture, so nothing shows that its numbers are right. Make one:
1. Run a program of the mechanism that somebody else wrote on random weights and a random text x [B,N,d], and save what it
   computed as engine/verify/testdata/%[1]s/CASE/{config.json,weights.safetensors,io.safetensors}. docs/CONTRIBUTING.md,
   section "The reference fixture", has the format and a script.
2. Add a line for "%[1]s" to references in engine/verify/reference.go, such as "%[1]s": mixerOf(attention.NAME), and what
   the program calls its arrays to engine/verify/names.toml.
3. Compare: go run ./cmd/viz verify engine/verify/testdata/%[1]s/*`, e.ID)
		case cases[e.ID] > 0 && why != "":
			t.Errorf("%s has a reference fixture now: take it out of unreferenced", e.ID)
		}
	}
}
