package verify

import (
	"fmt"

	"attnatlas/engine/messages"
)

// fault is an error in a case, on its way to the caller of Open or Run. It travels as a panic,
// because nearly every line that reads a case can find something missing.
type fault struct{ error }

// fail ends the work on a case with an error. Shapes among the arguments are formatted as Go
// slices.
func fail(id string, args ...any) {
	for i, a := range args {
		if shape, ok := a.([]int); ok {
			args[i] = fmt.Sprint(shape)
		}
	}
	panic(fault{messages.Errorf("verify."+id, args...)})
}

// check ends the work on a case if err is not nil.
func check(err error) {
	if err != nil {
		panic(fault{err})
	}
}

// must returns a result, or ends the work on a case if there is an error.
func must[T any](result T, err error) T {
	check(err)
	return result
}

// caught converts a panic to an error, so that a fault in one case does not prevent the comparison
// of others.
func caught(name string, err *error) {
	switch wrong := recover().(type) {
	case nil:
	case fault:
		*err = &messages.Error{Msg: messages.Text(name), Err: wrong.error}
	default:
		*err = &messages.Error{Msg: messages.Text(name), Err: messages.Errorf("verify.panic", "what", fmt.Sprint(wrong))}
	}
}
