package huggingface

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

// stateFile is the file with the losses that the library's trainer writes. mostState limits its size in bytes.
const (
	stateFile = "trainer_state.json"
	mostState = 16 << 20
)

// Losses above mostLoss, or after more than mostStep steps, are dropped. While there are more than mostPoints, every
// second one is removed.
const (
	mostLoss   = 1e6
	mostStep   = 1e9 // as in names of checkpoints
	mostPoints = 1000
)

// notNumbers matches the special numbers that Python writes although JSON does not have them.
var notNumbers = regexp.MustCompile(`(:\s*)(?:NaN|-?Infinity)\b`)

// ReadLosses returns the losses of a training run, from the first of the folders that has them: the folder of the run
// or the folder of its last checkpoint. The result is empty if no folder has them.
func ReadLosses(dirs ...string) (losses checkpoint.Losses, err error) {
	for _, dir := range dirs {
		raw, err := disk.Read(filepath.Join(dir, stateFile), mostState)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			losses, err = parseLosses(raw)
		}
		if err != nil {
			err = messages.Errorf("huggingface.losses", "file", stateFile, "cause", err)
		}
		return losses, err
	}
	return losses, nil
}

// parseLosses reads the content of a file of losses.
func parseLosses(raw []byte) (checkpoint.Losses, error) {
	var state struct {
		History history `json:"log_history"`
	}
	if err := json.Unmarshal(notNumbers.ReplaceAll(raw, []byte("${1}null")), &state); err != nil {
		return checkpoint.Losses{}, err
	}
	losses := checkpoint.Losses{Training: ordered(state.History.Training), Evaluation: ordered(state.History.Evaluation)}
	if len(losses.Training) < 2 && len(losses.Evaluation) < 2 {
		return checkpoint.Losses{}, messages.Errorf("huggingface.no-losses")
	}
	return losses, nil
}

// history is the list of a trainer's reports. Only the losses are kept while it is read.
type history checkpoint.Losses

// UnmarshalJSON reads one report at a time.
func (h *history) UnmarshalJSON(raw []byte) error {
	reports := json.NewDecoder(bytes.NewReader(raw))
	if start, err := reports.Token(); err != nil || start == nil { // null
		return err
	} else if start != json.Delim('[') {
		return &json.UnmarshalTypeError{Value: fmt.Sprint(start), Type: reflect.TypeFor[history](), Field: "log_history"}
	}
	for reports.More() {
		var one struct {
			Step     *int     `json:"step"`
			Loss     *float64 `json:"loss"`
			EvalLoss *float64 `json:"eval_loss"`
		}
		if err := reports.Decode(&one); err != nil {
			return err
		}
		if one.Step == nil || *one.Step < 0 || *one.Step > mostStep {
			continue
		}
		for to, loss := range map[*[]checkpoint.LossPoint]*float64{&h.Training: one.Loss, &h.Evaluation: one.EvalLoss} {
			if loss != nil && math.Abs(*loss) <= mostLoss {
				*to = append(*to, checkpoint.LossPoint{Step: *one.Step, Loss: *loss})
			}
		}
	}
	return nil
}

// ordered sorts losses by their steps, and leaves some out if there are too many.
func ordered(all []checkpoint.LossPoint) []checkpoint.LossPoint {
	slices.SortStableFunc(all, func(a, b checkpoint.LossPoint) int { return cmp.Compare(a.Step, b.Step) })
	for len(all) > mostPoints {
		last, kept := all[len(all)-1], all[:0]
		for i := 0; i < len(all); i += 2 {
			kept = append(kept, all[i])
		}
		if kept[len(kept)-1] != last {
			kept = append(kept, last)
		}
		all = kept
	}
	return all
}
