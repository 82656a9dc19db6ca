//go:build !linux

package costs

import "time"

// Clock is the clock of the measurements: wall time, on systems other than Linux.
const Clock = "wall"

var started = time.Now()

// threadTime returns a wall time to subtract from others.
func threadTime() time.Duration { return time.Since(started) }
