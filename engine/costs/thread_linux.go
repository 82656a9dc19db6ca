package costs

import (
	"time"

	"golang.org/x/sys/unix"
)

// Clock is what tells times: the processor’s work for one thread.
const Clock = "cpu"

// threadTime is how long the processor has worked for the calling thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // impossible for the own thread
	}
	return time.Duration(t.Nano())
}
