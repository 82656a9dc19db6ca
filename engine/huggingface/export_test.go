package huggingface

import "testing"

// Remaining lets a test have so many bytes of memory.
func Remaining(t *testing.T, bytes int64) {
	before := freeMemory
	freeMemory = func() int64 { return bytes }
	t.Cleanup(func() { freeMemory = before })
}
