package huggingface

import (
	"strconv"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// freeMemory returns the memory available for a model's parameters, in bytes.
var freeMemory = disk.FreeMemory

// need is the memory that a model needs: its number of parameters, and the bytes in addition to its
// mapped files.
type need struct {
	numbers int
	copied  int64 // bytes of parameters of another type or in another order
	ordered int64 // bytes of parameters in the order of the kernels
}

// numberBytes is the size of a number.
const numberBytes = 4

// add adds a parameter, and its copy in the order of the kernels if products use it.
func (n *need) add(p *nn.Param, shape []int) {
	size := tensor.Size(shape...)
	n.numbers += size
	if p.Decay && len(shape) == 2 {
		n.order(size)
	}
}

// copy adds the copy of a parameter.
func (n *need) copy(numbers int) { n.copied += numberBytes * int64(numbers) }

// order adds the copy of a parameter in the order of the kernels.
func (n *need) order(numbers int) { n.ordered += numberBytes * int64(numbers) }

// check rejects a model that does not fit into memory; the error states the sum.
func (n need) check() error {
	free := freeMemory()
	if n.copied+n.ordered <= free {
		return nil
	}
	return messages.Errorf("huggingface.memory", "needed", gigabytes(n.copied+n.ordered), "copied", gigabytes(n.copied),
		"ordered", gigabytes(n.ordered), "free", gigabytes(free))
}

// gigabytes formats bytes in units of 10⁹.
func gigabytes(bytes int64) string { return strconv.FormatFloat(float64(bytes)/1e9, 'f', 1, 64) }
