//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// oneThread is the clock for the figures of one thread.
const oneThread = CPU

// CPUTime is the CPU time of the process so far.
func CPUTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err) // impossible for the own process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
