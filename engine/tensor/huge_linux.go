package tensor

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page, in bytes.
const hugePage = 2 << 20

// Huge asks the system to place a new large array in huge pages, and returns the array. The first use then causes fewer
// page faults, and reads need fewer address translations. If the system refuses, nothing changes.
func Huge[E any](x []E) []E {
	var one E
	first := unsafe.Pointer(unsafe.SliceData(x))
	skip, size := -uintptr(first)%hugePage, uintptr(cap(x))*unsafe.Sizeof(one)
	if size >= skip+hugePage {
		whole := unsafe.Slice((*byte)(unsafe.Add(first, skip)), (size-skip)/hugePage*hugePage)
		_ = syscall.Madvise(whole, syscall.MADV_HUGEPAGE)
	}
	return x
}
