package huggingface

import "testing"

// Remaining sets the free memory for a test, in bytes.
func Remaining(t *testing.T, bytes int64) {
	before := freeMemory
	freeMemory = func() int64 { return bytes }
	t.Cleanup(func() { freeMemory = before })
}
