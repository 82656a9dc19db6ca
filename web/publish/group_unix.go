//go:build unix

package publish

import (
	"os/exec"
	"syscall"
)

// inGroup runs a command in a group of processes of its own, which ends as a whole when the context of the command
// ends: the go command has compilers at work.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
