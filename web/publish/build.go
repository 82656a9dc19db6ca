package publish

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
	"attnatlas/engine/simd128"
	"attnatlas/web/live"
	"attnatlas/web/live/lzma"
)

// module is the path of our module. browser and engine are the packages of the whole program and of live figures.
const (
	module  = "attnatlas"
	browser = "./web/browser"
	engine  = "./web/live/program"
)

// Program is the server compiled for browsers, compressed with gzip, the compiler's script that starts it, and the
// files that live figures use instead.
type Program struct {
	WASM, Exec []byte
	Live       *live.Program
}

// Build compiles the programs from the source in a folder with the go command.
func Build(ctx context.Context, source string) (*Program, error) {
	figures, err := BuildLive(ctx, source)
	if err != nil {
		return nil, err
	}
	wasm, script, err := compile(ctx, source, browser)
	if err != nil {
		return nil, err
	}
	wasm, err = leaving(ctx, func() ([]byte, error) { return packed(wasm) })
	return &Program{WASM: wasm, Exec: script, Live: figures}, err
}

// BuildLive compiles the program of live figures alone.
func BuildLive(ctx context.Context, source string) (*live.Program, error) {
	wasm, exec, err := compile(ctx, source, engine)
	if err != nil {
		return nil, err
	}
	wasm, err = leaving(ctx, func() ([]byte, error) { return lzma.Compress(wasm), nil })
	if err != nil {
		return nil, err
	}
	return &live.Program{WASM: wasm, Exec: exec, Kernel: simd128.Kernel}, nil
}

// leaving compresses in the background, because compression takes seconds and cannot be cancelled: it is abandoned if
// the context ends first.
func leaving(ctx context.Context, compress func() ([]byte, error)) ([]byte, error) {
	done := make(chan struct{})
	var made []byte
	var failed error
	go func() {
		made, failed = compress()
		close(done)
	}()
	select {
	case <-done:
		return made, failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// small are compiler flags that make programs a tenth smaller: functions are inlined only in the packages that
// compute.
var small = []string{"-gcflags=all=-l", "-gcflags=" + module + "/engine/tensor=", "-gcflags=" + module + "/engine/ad=",
	"-gcflags=math="}

// longestModule is a size that our go.mod does not reach.
const longestModule = 1 << 20

// CheckSource returns the reason why a folder cannot be compiled: there is no go command, or no source in it.
func CheckSource(folder string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return messages.Errorf("publish.no-go")
	}
	data, err := disk.Read(filepath.Join(folder, "go.mod"), longestModule)
	if first, _, _ := strings.Cut(string(data), "\n"); err != nil || strings.TrimSpace(first) != "module "+module {
		return messages.Errorf("publish.no-source", "folder", messages.Quote(folder))
	}
	return nil
}

// compile compiles a package for browsers. script is the file that starts the program. When the context ends, compile
// leaves neither files nor processes behind.
func compile(ctx context.Context, source, pkg string) (wasm, script []byte, err error) {
	if err := CheckSource(source); err != nil {
		return nil, nil, err
	}
	temporary, err := os.MkdirTemp("", "viz-publish-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = source
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly",
			"GOTMPDIR="+temporary)
		cmd.WaitDelay = time.Second
		inGroup(cmd)
		out, err := cmd.Output()
		var exit *exec.ExitError
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		case errors.As(err, &exit):
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return strings.TrimSpace(string(out)), err
	}
	out := filepath.Join(temporary, "atlas.wasm")
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}, small...)
	if _, err := run(append(args, pkg)...); ctx.Err() != nil {
		return nil, nil, ctx.Err()
	} else if err != nil {
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
