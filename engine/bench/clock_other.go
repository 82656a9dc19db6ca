//go:build !unix

package bench

import "time"

// oneThread is the clock for the figures of one thread.
const oneThread = Wall

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
