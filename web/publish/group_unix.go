//go:build unix

package publish

import (
	"os/exec"
	"syscall"
)

// inGroup runs a command in its own process group, and ends the group when the command's context ends, because the go
// command starts compilers.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
