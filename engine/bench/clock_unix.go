//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// oneThread is the clock for single-thread figures.
const oneThread = CPU

// CPUTime returns the CPU time of the process so far.
func CPUTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err) // impossible for the calling process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
