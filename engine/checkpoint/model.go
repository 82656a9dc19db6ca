package checkpoint

import (
	"fmt"
	"math"

	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Arrays returns the values of parameters by name.
func Arrays(params []*nn.Param) map[string]*tensor.T {
	arrays := make(map[string]*tensor.T, len(params))
	for _, p := range params {
		arrays[p.Name] = p.Value
	}
	return arrays
}

// Restore copies arrays into parameters. Every parameter must be in the file, with the same shape
// and with finite numbers. Other arrays of the file are ignored.
func Restore(params []*nn.Param, arrays map[string]*tensor.T) error {
	for _, p := range params {
		a, ok := arrays[p.Name]
		if !ok {
			return messages.Errorf("checkpoint.missing", "array", messages.Quote(p.Name))
		}
		if !a.SameShape(p.Value) {
			return messages.Errorf("checkpoint.shape", "array", messages.Quote(p.Name), "shape", fmt.Sprint(a.Shape), "needed",
				fmt.Sprint(p.Value.Shape))
		}
		if err := Finite(p.Name, a); err != nil {
			return err
		}
		copy(p.Value.Data, a.Data)
	}
	return nil
}

// Finite returns an error if an array contains NaN or an infinity.
func Finite(name string, a *tensor.T) error {
	for _, v := range a.Data {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return messages.Errorf("checkpoint.finite", "array", messages.Quote(name), "value", fmt.Sprint(f))
		}
	}
	return nil
}
