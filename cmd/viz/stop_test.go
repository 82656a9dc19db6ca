package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const asProgram = "VIZ_TEST_PROGRAM"

// init runs the program in a process of its own, which tests start and stop.
func init() {
	switch os.Getenv(asProgram) {
	case "viz":
		main()
	case "begins": // reports when it is ready for signals
		os.Exit(signalled(func(ctx context.Context) int {
			fmt.Println("begun")
			return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
		}))
	case "stuck":
		os.Exit(signalled(func(ctx context.Context) int {
			fmt.Println("begun")
			<-ctx.Done()
			fmt.Println("told")
			select {}
		}))
	}
}

// program is viz in a process of its own.
type program struct {
	*exec.Cmd
	said *recorder
}

// recorder collects the output of a program.
type recorder struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// start starts the program, with a pipe that stays open as standard input.
func start(t *testing.T, what string, args ...string) *program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it has no signals")
	}
	p := &program{Cmd: exec.Command(os.Args[0], args...), said: &recorder{}}
	p.Env, p.Stdout, p.Stderr, p.Dir = append(os.Environ(), asProgram+"="+what), p.said, p.said, t.TempDir()
	_, err := p.StdinPipe()
	must(t, err)
	must(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// waits waits until the program has printed a text.
func (p *program) waits(t *testing.T, until string) {
	t.Helper()
	if !comes(func() bool { return strings.Contains(p.said.String(), until) }) {
		t.Fatalf("%v does not say %q: %s", p.Args[1:], until, p.said)
	}
}

// ends waits for the program, and returns its exit status, or −1 if a signal ended it.
func (p *program) ends(t *testing.T) int {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		_ = p.Process.Kill()
		<-done
		t.Errorf("%v does not end: %s", p.Args[1:], p.said)
	}
	return p.ProcessState.ExitCode()
}

// TestSecondSignal: a program that does not end on the first signal ends on the second.
func TestSecondSignal(t *testing.T) {
	p := start(t, "stuck")
	p.waits(t, "begun")
	must(t, p.Process.Signal(os.Interrupt))
	p.waits(t, "told")
	must(t, p.Process.Signal(os.Interrupt))
	if status := p.ends(t); status != -1 {
		t.Errorf("status %d", status)
	}
}

// TestStopWhileWaiting: commands that wait for standard input end on the first signal, and a pipe in place of a file
// is refused.
func TestStopWhileWaiting(t *testing.T) {
	sets := filepath.Join(t.TempDir(), "data")
	for _, set := range []string{"simple", "stories"} {
		must(t, os.MkdirAll(filepath.Join(sets, set), 0o755))
		if err := exec.Command("mkfifo", filepath.Join(sets, set, "train.txt")).Run(); err != nil {
			t.Skip(err)
		}
	}
	for _, args := range []string{"attend -m dense", "write", "render -m dense --out x.png"} {
		p := start(t, "begins", strings.Fields(args)...)
		p.waits(t, "begun")
		time.Sleep(500 * time.Millisecond) // until it waits; before, it ends in the same way
		must(t, p.Process.Signal(os.Interrupt))
		if status := p.ends(t); status != interrupted || p.said.String() != "begun\nviz: stopped\n" {
			t.Errorf("viz %s: status %d, %s", args, status, p.said)
		}
	}
	for args, says := range map[string]string{
		"train dense --data " + sets: "train.txt: it is a pipe, not a file",
		"train vocab --data " + sets: "train.txt: it is a pipe, not a file",
		"verify " + sets:             "not a case folder",
	} {
		p := start(t, "viz", strings.Fields(args)...)
		if status := p.ends(t); status != failed || !strings.Contains(p.said.String(), says) {
			t.Errorf("viz %s: status %d, %s", args, status, p.said)
		}
	}
}

// TestStopWhileWriting: a command whose reader stops reading ends on the first signal.
func TestStopWhileWriting(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has no signals")
	}
	out, in, err := os.Pipe()
	must(t, err)
	defer out.Close()
	defer in.Close()
	args := []string{"attend", "--json", "-m", "dense,random,dot-product,fastformer", "--text", strings.Repeat("cat ", 60)}
	p := &program{Cmd: exec.Command(os.Args[0], args...), said: &recorder{}}
	p.Env, p.Stdout, p.Stderr = append(os.Environ(), asProgram+"=viz"), in, p.said
	must(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	_, err = io.ReadFull(out, make([]byte, 4096)) // the rest exceeds the buffer of a pipe
	must(t, err)
	time.Sleep(200 * time.Millisecond)
	must(t, p.Process.Signal(os.Interrupt))
	if status := p.ends(t); status != interrupted || p.said.String() != "viz: stopped\n" {
		t.Errorf("status %d, %s", status, p.said)
	}
}

// TestStopTraining: the first signal saves the state, from which the same command resumes. A second training with the
// same state is refused.
func TestStopTraining(t *testing.T) {
	data, state := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(data, "a.txt"),
		[]byte(strings.Repeat("The cat sat on the mat because it was tired.\nThe dog saw the cat and ran home.\n\n",
			200)), 0o644))
	args := strings.Fields("train dense --layers 1 --width 8 --heads 2 --steps 1000000 --data " + data + " --out " +
		state + "/out --state " + state)
	p := start(t, "viz", args...)
	p.waits(t, "step ")
	if status, _, errs := viz(t, args...); status != failed ||
		!strings.Contains(errs, "dense.safetensors is being written by another process") {
		t.Errorf("two at once: status %d, %s", status, errs)
	}
	must(t, p.Process.Signal(os.Interrupt))
	if status := p.ends(t); status != interrupted || !strings.Contains(p.said.String(), "run the same command to resume") {
		t.Errorf("status %d, %s", status, p.said)
	}
	files, err := os.ReadDir(state)
	if err != nil || len(files) != 2 || files[0].Name() != "dense.safetensors" || files[1].Name() != "out" {
		t.Error(files, err)
	}
	p = start(t, "viz", args...)
	p.waits(t, "step ")
	if strings.Contains(p.said.String(), "step     1 of") {
		t.Errorf("it began again: %s", p.said)
	}
}

// TestStopCompiling: a command that compiles the programs for browsers ends on the first signal, and leaves neither
// files nor processes. A request that waits for the compilation is answered.
func TestStopCompiling(t *testing.T) {
	source, err := filepath.Abs(root)
	must(t, err)
	for _, args := range []string{"publish site", "render --live -m dense --text cat -o page.html",
		"serve --addr 127.0.0.1:0"} {
		temporary, cache := t.TempDir(), t.TempDir() // an empty cache makes the compilation longer than the wait of this test
		t.Setenv("TMPDIR", temporary)
		t.Setenv("GOCACHE", cache)
		p := start(t, "viz", append(strings.Fields(args), "--source", source)...)
		answered := make(chan int, 1)
		if strings.HasPrefix(args, "serve") {
			p.waits(t, "Ctrl-C")
			go func() {
				answer, err := http.Get(regexp.MustCompile(`http://[^ ]+/`).FindString(p.said.String()) +
					"export/dense.html?live=1&text=cat")
				if err != nil {
					answered <- 0
					return
				}
				answer.Body.Close()
				answered <- answer.StatusCode
			}()
		} else {
			answered <- http.StatusServiceUnavailable
		}
		working := func() bool { files, _ := filepath.Glob(temporary + "/viz-publish-*/go-build*"); return len(files) > 0 }
		if !comes(working) {
			t.Fatalf("viz %s compiles nothing below TMPDIR: %s", args, p.said)
		}
		must(t, p.Process.Signal(syscall.SIGTERM))
		status := p.ends(t)
		if serves := strings.HasPrefix(args, "serve"); serves && status != 0 || !serves &&
			(status != interrupted || !strings.HasSuffix(p.said.String(), "viz: stopped\n")) {
			t.Errorf("viz %s: status %d, %s", args, status, p.said)
		}
		if code := <-answered; code != http.StatusServiceUnavailable {
			t.Errorf("viz %s: who waits is answered with %d", args, code)
		}
		for _, folder := range []string{temporary, p.Dir} {
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("viz %s leaves %v, %v", args, left, err)
			}
		}
		if out, err := exec.Command("pgrep", "-f", temporary).Output(); err == nil {
			t.Errorf("viz %s leaves processes: %s", args, out)
		}
	}
}
