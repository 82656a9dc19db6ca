package checkpoint

import (
	"fmt"

	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Arrays collects parameters by name.
func Arrays(params []*nn.Param) map[string]*tensor.T {
	arrays := make(map[string]*tensor.T, len(params))
	for _, p := range params {
		arrays[p.Name] = p.Value
	}
	return arrays
}

// Restore copies arrays into parameters. Every parameter must be in the file
// with its shape; what else the file holds is ignored.
func Restore(params []*nn.Param, arrays map[string]*tensor.T) error {
	for _, p := range params {
		a, ok := arrays[p.Name]
		if !ok {
			return messages.Errorf("checkpoint.missing", "array", messages.Quote(p.Name))
		}
		if !a.SameShape(p.Value) {
			return messages.Errorf("checkpoint.shape", "array", messages.Quote(p.Name), "shape", fmt.Sprint(a.Shape), "needed", fmt.Sprint(p.Value.Shape))
		}
		copy(p.Value.Data, a.Data)
	}
	return nil
}
