package train

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
)

// snapshots is the number of copies of its parameters that a training run keeps.
const snapshots = 40

// SnapshotSteps returns the steps after which a training run of this many steps keeps a copy of its parameters: step 0,
// and then steps in a geometric series.
func SnapshotSteps(steps int) []int {
	at := []int{0}
	first := math.Log(max(1, min(16, float64(steps)/100)))
	for i := range snapshots - 1 {
		share := float64(i) / float64(snapshots-2)
		at = append(at, int(math.Round(math.Exp(first+share*(math.Log(float64(steps))-first)))))
	}
	return slices.Compact(at)
}

// snapshotFolder returns the folder next to the state of a training run.
func snapshotFolder(state string) string {
	return strings.TrimSuffix(state, checkpoint.Extension) + ".snapshots"
}

// Snapshot returns the file of a training run's parameters after a step.
func Snapshot(state string, step int) string {
	return filepath.Join(snapshotFolder(state), fmt.Sprintf("%06d%s", step, checkpoint.Extension))
}

// snapshot keeps a copy of the parameters after the steps of SnapshotSteps.
func (r *Run) snapshot() error {
	o := r.Options
	if !o.Snapshots || o.State == "" || !slices.Contains(r.keep, r.Step) {
		return nil
	}
	return Replace(Snapshot(o.State, r.Step), func(f io.Writer) error {
		return checkpoint.Write(f, checkpoint.Arrays(r.Subject.Params), nil, checkpoint.All(checkpoint.Single))
	})
}
