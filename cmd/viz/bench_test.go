package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine/bench"
)

// TestBench runs the command twice and compares.
func TestBench(t *testing.T) {
	viz := func(args ...string) (status int, out, complaints string) {
		var a, b bytes.Buffer
		status = run(context.Background(), append([]string{"bench", "--quick", "--rounds=1"}, args...), &a, &b)
		return status, a.String(), b.String()
	}
	status, out, complaints := viz("--only=^png/16$", "--json")
	d, err := bench.Read(strings.NewReader(out))
	if status != 0 || err != nil || len(d.Figures) != 1 || d.Commit == "" || d.Rounds != 1 {
		t.Fatalf("%d, %v, %s %s", status, err, out, complaints)
	}
	old := filepath.Join(t.TempDir(), "old.json")
	if err := os.WriteFile(old, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out, complaints := viz("--only=^png/16$", "--compare="+old); status != 0 || !strings.Contains(out, "gain") {
		t.Errorf("%d, %s %s", status, out, complaints)
	}
	for args, says := range map[string]string{"--only=nonsense": "no figure", "--only=(": "--only",
		"--compare=/dev/null/none": "--compare", "--rounds=-1": "--rounds"} {
		if status, _, complaints := viz(args); status == 0 || !strings.Contains(complaints, says) {
			t.Errorf("%s: %d, %s", args, status, complaints)
		}
	}
}
