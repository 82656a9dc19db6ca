package huggingface

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/checkpoint"
)

// TestReadLosses: the losses are in the folder of the training run or of its last checkpoint. NaN values are
// left out, and a broken file gives an error with the reason.
func TestReadLosses(t *testing.T) {
	write := func(text string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, stateFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	const usual = `{"log_history": [{"epoch": 0.5, "grad_norm": NaN, "loss": 3.5, "step": 20}, {"loss": 4, "step": 10},
		{"eval_loss": 2.5, "eval_runtime": 1, "step": 10}, {"loss": NaN, "step": 30}, {"loss": 1e300, "step": 31},
		{"loss": 1, "step": -1}, {"loss": 1, "step": 9223372036854775807}, {"eval_loss": 2.25, "step": 20},
		{"train_loss": 3.75, "step": 40}], "best_metric": -Infinity}`
	want := checkpoint.Losses{Training: []checkpoint.LossPoint{{Step: 10, Loss: 4}, {Step: 20, Loss: 3.5}},
		Evaluation: []checkpoint.LossPoint{{Step: 10, Loss: 2.5}, {Step: 20, Loss: 2.25}}}
	for _, dirs := range [][]string{{write(usual)}, {t.TempDir(), write(usual)}, {write(usual), write("{")}} {
		if got, err := ReadLosses(dirs...); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if got, err := ReadLosses(t.TempDir()); err != nil || got.Training != nil {
		t.Errorf("without a file: %+v, %v", got, err)
	}
	for text, says := range map[string]string{"": "trainer_state.json", "{": "trainer_state.json", `{"log_history": 3}`: "log_history",
		`{"log_history": [{"step": "1"}]}`: "step", "{}": "fewer than two", strings.Repeat(" ", mostState+1): "16 MiB"} {
		if got, err := ReadLosses(write(text)); err == nil || !strings.Contains(err.Error(), says) || got.Training != nil {
			t.Errorf("%.30q: %+v, %v", text, got, err)
		}
	}
	var many strings.Builder
	for step := range 5000 {
		fmt.Fprintf(&many, `%s{"loss": 1, "step": %d}`, strings.Repeat(",", min(step, 1)), step)
	}
	got, err := ReadLosses(write(`{"log_history": [` + many.String() + `]}`))
	if n := len(got.Training); err != nil || n > mostPoints || n < mostPoints/2 || got.Training[n-1].Step != 4999 ||
		!slices.IsSortedFunc(got.Training, func(a, b checkpoint.LossPoint) int { return a.Step - b.Step }) {
		t.Errorf("%d steps, %v", n, err)
	}
}
