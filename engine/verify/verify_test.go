package verify_test

import (
	"os"
	"path/filepath"
	"testing"

	"attnatlas/engine/verify"
)

// TestReferences holds every mechanism against the reference computations in
// testdata, which were made by running other people's code.
func TestReferences(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, dir := range dirs {
		t.Run(dir[len("testdata/"):], func(t *testing.T) {
			c, err := verify.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			o, err := verify.Run(c)
			if err != nil {
				t.Fatal(err)
			}
			if !o.OK() {
				o.Print(os.Stderr)
				t.Error("differs from the reference")
			}
			if not := o.NotCompared(); 10*not > len(o.Rows)+not {
				t.Errorf("%d arrays are compared and %d are not: %v", len(o.Rows), not, o.Skipped)
			}
		})
	}
}
