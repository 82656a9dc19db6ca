//go:build !js

package disk

import "syscall"

// unwaiting opens without waiting for the other end, in case the file has become a pipe since it
// was checked.
const unwaiting = syscall.O_NONBLOCK
