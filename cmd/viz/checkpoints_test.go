package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"attnatlas/engine"
)

// checkpoints writes a training with three checkpoints of one model.
func checkpoints(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "played")
	for _, step := range []string{"10", "500", "2000"} {
		must(t, os.CopyFS(dir+"/checkpoint-"+step, os.DirFS("../../engine/huggingface/testdata/bert-classify")))
	}
	return dir
}

// TestInvitedCheckpoints: a named training gives its checkpoints in the order of their steps.
func TestInvitedCheckpoints(t *testing.T) {
	ids, err := modelFlag{Model: []string{checkpoints(t)}}.invite()
	must(t, err)
	if strings.Join(ids, " ") != "hf-played-checkpoint-10 hf-played-checkpoint-500 hf-played-checkpoint-2000" {
		t.Errorf("the checkpoints are %q", ids)
	}
}

// TestInvitedOnce: a command takes a named model without its checkpoints, and registers no model twice.
func TestInvitedOnce(t *testing.T) {
	dir := checkpoints(t)
	to := filepath.Join(filepath.Dir(dir), "named-once")
	must(t, os.Rename(dir, to))
	must(t, os.CopyFS(to, os.DirFS(filepath.Join(to, "checkpoint-10"))))
	ids, err := modelFlag{Model: []string{to}}.invite(dropped(filepath.Dir(to))...)
	must(t, err)
	var all []string
	for _, g := range engine.Guests() {
		if strings.HasPrefix(g.ID, "hf-named-once") {
			all = append(all, g.ID)
		}
	}
	if strings.Join(ids, " ") != "hf-named-once" || len(all) != 4 {
		t.Errorf("named are %q, and there are %q", ids, all)
	}
}
