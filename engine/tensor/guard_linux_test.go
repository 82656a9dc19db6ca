package tensor

import (
	"syscall"
	"testing"
	"unsafe"
)

// newArena maps n elements between two inaccessible pages. An access outside ends the test with a
// fault.
func newArena(t *testing.T, n int) []Elem {
	t.Helper()
	page := syscall.Getpagesize()
	size := (n*int(unsafe.Sizeof(Elem(0))) + page - 1) &^ (page - 1)
	memory, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{memory[:page], memory[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	first := unsafe.Pointer(&memory[page])
	return unsafe.Slice((*Elem)(first), size/int(unsafe.Sizeof(Elem(0))))
}
