//go:build !js

package disk

import "syscall"

// unwaiting opens what has become a pipe since it was looked at without waiting for its other end.
const unwaiting = syscall.O_NONBLOCK
