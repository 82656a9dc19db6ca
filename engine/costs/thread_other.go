//go:build !linux

package costs

import "time"

// Clock is what tells times: elsewhere than on Linux that of the wall.
const Clock = "wall"

var started = time.Now()

// threadTime is a time from which others are subtracted.
func threadTime() time.Duration { return time.Since(started) }
