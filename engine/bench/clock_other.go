//go:build !unix

package bench

import "time"

// oneThread is the clock for single-thread figures.
const oneThread = Wall

// CPUTime returns 0, because this system does not provide CPU time.
func CPUTime() time.Duration { return 0 }
