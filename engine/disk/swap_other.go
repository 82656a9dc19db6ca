//go:build !linux

package disk

import "errors"

// Swap exchanges two files or folders, which this system cannot do in one step.
func Swap(string, string) error { return errors.ErrUnsupported }
