package huggingface_test

import (
	"strings"
	"testing"

	"attnatlas/engine/huggingface"
)

// TestMemory: a model that does not fit into memory is refused before it is read, with the sum: a file of float32 needs
// memory for the order of the kernels alone, one of float16 for its numbers, too. Its summary does not depend on that.
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
