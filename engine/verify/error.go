package verify

import (
	"fmt"

	"attnatlas/engine/messages"
)

// fault is what is wrong with a case, on its way to the caller of Open or Run: nearly
// every line that reads a case may find something missing.
type fault struct{ error }

// fail ends the work on a case. Shapes among the arguments are written as Go does.
func fail(id string, args ...any) {
	for i, a := range args {
		if shape, ok := a.([]int); ok {
			args[i] = fmt.Sprint(shape)
		}
	}
	panic(fault{messages.Errorf("verify."+id, args...)})
}

// check ends the work on a case if there is an error.
func check(err error) {
	if err != nil {
		panic(fault{err})
	}
}

// must is a result without an error.
func must[T any](result T, err error) T {
	check(err)
	return result
}

// caught makes an error of a panic: whatever is wrong with a case, others can be compared.
func caught(name string, err *error) {
	switch wrong := recover().(type) {
	case nil:
	case fault:
		*err = &messages.Error{Msg: messages.Text(name), Err: wrong.error}
	default:
		*err = &messages.Error{Msg: messages.Text(name), Err: messages.Errorf("verify.panic", "what", fmt.Sprint(wrong))}
	}
}
