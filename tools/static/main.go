// Command static fails if a Linux program among its arguments needs another file of the machine: an interpreter or a
// shared library.
//
//	go run -C tools ./static ../dist/viz-linux-amd64
package main

import (
	"debug/elf"
	"fmt"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := check(name); err != nil {
			fmt.Fprintf(os.Stderr, "static: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

func check(name string) error {
	f, err := elf.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("it is linked dynamically (%s): build it with CGO_ENABLED=0", p.Type)
		}
	}
	return nil
}
