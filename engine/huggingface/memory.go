package huggingface

import (
	"strconv"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

// freeMemory is what there is for the numbers of a model.
var freeMemory = disk.FreeMemory

// need is how many numbers a model has, and how many bytes of memory they take beside its files, which stay where they
// are.
type need struct {
	numbers int
	copied  int64 // of numbers of another type or in another order
	ordered int64 // of the same in the order of the kernels
}

// count adds a parameter of so many numbers.
func (n *need) count(numbers int, copied, ordered bool) {
	const size = 4 // bytes of a number
	n.numbers += numbers
	if copied {
		n.copied += size * int64(numbers)
	}
	if ordered {
		n.ordered += size * int64(numbers)
	}
}

// check refuses a model that does not fit into memory, with the sum.
func (n need) check() error {
	free := freeMemory()
	if n.copied+n.ordered <= free {
		return nil
	}
	return messages.Errorf("huggingface.memory", "needed", gigabytes(n.copied+n.ordered), "copied", gigabytes(n.copied),
		"ordered", gigabytes(n.ordered), "free", gigabytes(free))
}

// gigabytes are bytes in units of 10⁹.
func gigabytes(bytes int64) string { return strconv.FormatFloat(float64(bytes)/1e9, 'f', 1, 64) }
