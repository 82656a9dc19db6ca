//go:build !unix

package bench

import "time"

// oneThread is the clock for the figures of one thread.
const oneThread = Wall

// CPUTime is not known here.
func CPUTime() time.Duration { return 0 }
