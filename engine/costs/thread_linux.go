package costs

import (
	"time"

	"golang.org/x/sys/unix"
)

// Clock is the clock of the measurements: CPU time of one thread.
const Clock = "cpu"

// threadTime returns the CPU time of the calling thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // impossible for the calling thread
	}
	return time.Duration(t.Nano())
}
