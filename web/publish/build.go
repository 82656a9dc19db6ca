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
	"attnatlas/engine/simd128"
	"attnatlas/web/live"
	"attnatlas/web/live/lzma"
)

// module is the path of ours; browser and engine are the packages of the whole program and of that of live figures.
const (
	module  = "attnatlas"
	browser = "./web/browser"
	engine  = "./web/live/program"
)

// Program is the server compiled for browsers, and the script that comes with the compiler and starts it; and what live
// figures have instead.
type Program struct {
	WASM, Exec []byte
	Live       *live.Program
}

// Build compiles the programs from the source in a folder with the go command.
func Build(ctx context.Context, source, version string) (*Program, error) {
	figures, err := BuildLive(ctx, source)
	if err != nil {
		return nil, err
	}
	p := &Program{Live: figures}
	p.WASM, p.Exec, err = compile(ctx, source, browser, version)
	return p, err
}

// BuildLive compiles the program of live figures alone.
func BuildLive(ctx context.Context, source string) (*live.Program, error) {
	wasm, exec, err := compile(ctx, source, engine, "")
	if err != nil {
		return nil, err
	}
	return &live.Program{WASM: lzma.Compress(wasm), Exec: exec, Kernel: simd128.Kernel}, nil
}

// small are the flags of the compiler that make programs a tenth smaller: nothing is copied into where it is called from,
// but in what computes.
var small = []string{"-gcflags=all=-l", "-gcflags=" + module + "/engine/tensor=", "-gcflags=" + module + "/engine/ad=", "-gcflags=math="}

// compile compiles a package for browsers; exec is the script that starts what is compiled.
func compile(ctx context.Context, source, pkg, version string) (wasm, script []byte, err error) {
	goes, err := exec.LookPath("go")
	if err != nil {
		return nil, nil, messages.Errorf("publish.no-go")
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
		return nil, nil, messages.Errorf("publish.no-source", "folder", messages.Quote(source))
	}
	temporary, err := os.MkdirTemp("", "viz-publish-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	out := filepath.Join(temporary, "atlas.wasm")
	if _, err := run(append(append([]string{"build", "-trimpath"}, small...), "-ldflags", fmt.Sprintf("-s -w -X main.version=%s", version), "-o", out, pkg)...); err != nil {
		return nil, nil, messages.Errorf("publish.build", "cause", err.Error())
	}
	root, err := run("env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	if wasm, err = os.ReadFile(out); err == nil {
		wasm = joined(wasm)
		script, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	}
	return wasm, script, err
}
