//go:build !linux

package disk

import "errors"

// Swap exchanges two files or folders. This system cannot do so in one step, so Swap always fails
// with errors.ErrUnsupported.
func Swap(string, string) error { return errors.ErrUnsupported }
