package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"attnatlas/engine/messages"
)

// module is the path of ours, and browser the package of the program.
const (
	module  = "attnatlas"
	browser = "./web/browser"
)

// Program is the server compiled for browsers, and the script that comes with the compiler and starts it.
type Program struct{ WASM, Exec []byte }

// Build compiles the program from the source in a folder with the go command.
func Build(ctx context.Context, source, version string) (*Program, error) {
	goes, err := exec.LookPath("go")
	if err != nil {
		return nil, messages.Errorf("publish.no-go")
	}
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, goes, args...)
		cmd.Dir = source
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return strings.TrimSpace(string(out)), err
	}
	if path, err := run("list", "-m"); err != nil || path != module {
		return nil, messages.Errorf("publish.no-source", "folder", messages.Quote(source))
	}
	temporary, err := os.MkdirTemp("", "viz-publish-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	out := filepath.Join(temporary, "atlas.wasm")
	if _, err := run("build", "-trimpath", "-ldflags", fmt.Sprintf("-s -w -X main.version=%s", version), "-o", out, browser); err != nil {
		return nil, messages.Errorf("publish.build", "cause", err.Error())
	}
	root, err := run("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var p Program
	if p.WASM, err = os.ReadFile(out); err == nil {
		p.Exec, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	}
	return &p, err
}
