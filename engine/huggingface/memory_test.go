package huggingface_test

import (
	"strings"
	"testing"

	"attnatlas/engine/huggingface"
)

// TestMemory: a model that does not fit into memory is rejected before it is read, and the error
// states the sum. A float32 file needs memory only for the copy in the order of the kernels, a float16 file
// also for its numbers. The model's summary does not depend on this.
func TestMemory(t *testing.T) {
	for dir, sizes := range map[string]struct{ enough, less int64 }{
		"testdata/bert-classify": {1 << 20, 10 << 10}, "testdata/bert-fp16": {1 << 20, 60 << 10},
		"testdata/t5": {150 << 10, 60 << 10},
	} {
		huggingface.Remaining(t, sizes.enough)
		if _, err := huggingface.Open(dir); err != nil {
			t.Errorf("%s with %d bytes: %v", dir, sizes.enough, err)
		}
		huggingface.Remaining(t, sizes.less)
		_, err := huggingface.Open(dir)
		_, listed := huggingface.Check(dir)
		if _, err := huggingface.Summarise(dir); err != nil {
			t.Errorf("the summary of %s with %d bytes: %v", dir, sizes.less, err)
		}
		for _, err := range []error{err, listed} {
			if err == nil || !strings.Contains(err.Error(), "GB of memory") {
				t.Errorf("%s with %d bytes: %v", dir, sizes.less, err)
			}
		}
	}
}
