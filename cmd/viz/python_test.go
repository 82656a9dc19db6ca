package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPython runs the tests of the Python package against this server and this program, with the Python that make
// prepares, or else the machine's own.
func TestPython(t *testing.T) {
	if testing.Short() {
		t.Skip("go test -short leaves the Python package out")
	}
	python, err := filepath.Abs("../../.cache/python/bin/python3")
	must(t, err)
	if _, err := os.Stat(python); err != nil {
		if python, err = exec.LookPath("python3"); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal("Python 3 is missing, so the Python package cannot be tested: make python prepares it")
			}
			t.Skip("SKIPPED, NOT CHECKED: Python 3 is not installed, so the Python package was not tested")
		}
	}
	program, err := filepath.Abs(os.Args[0])
	must(t, err)
	cmd := exec.Command(python, "-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "tests")
	cmd.Dir = "../../python"
	cmd.Env = append(os.Environ(), asProgram+"=viz", "PYTHONDONTWRITEBYTECODE=1", "ATTENTION_ATLAS_URL="+pages(t).URL,
		"ATTENTION_ATLAS_VIZ="+program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
}
