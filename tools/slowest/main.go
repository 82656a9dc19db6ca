// Command slowest runs go test in a folder, prints what go test prints, and before its last line which tests took
// longest:
//
//	go run -C tools ./slowest .. -vet=off ./...
//
// It fails when go test does.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// most is how many tests are listed.
const most = 10

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "slowest: say in which folder go test is to run, and its arguments: slowest .. -vet=off ./...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "slowest: go test:", err)
		os.Exit(1)
	}
}

func run(dir string, args []string, out io.Writer) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	unread := tell(events, out)
	if err := cmd.Wait(); err != nil {
		return err
	}
	return unread
}

// event is one of go test -json: see go doc test2json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// timed is a test and how long it took, without its waits for its turn.
type timed struct {
	pkg, name string
	seconds   float64
}

// report is what is told of events.
type report struct {
	out  io.Writer
	said map[string]map[string]string // what is printed of tests that fail, by package and test
	last string                       // the line with which the last package ended, which is held back
	all  []timed
}

// tell prints what go test prints without -v, and the slowest tests before its last line.
func tell(events io.Reader, out io.Writer) error {
	r := report{out: out, said: map[string]map[string]string{}}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			r.add(e)
		} else {
			r.print(string(line)) // not of a test
		}
		if err == io.EOF {
			r.list()
			r.print(r.last)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) print(text string) { fmt.Fprint(r.out, text) }

func (r *report) add(e event) {
	test, _, isPart := strings.Cut(e.Test, "/")
	switch e.Action {
	case "build-output":
		r.print(e.Output)
	case "output":
		r.hear(e.Package, test, e.Output)
	case "pass", "fail":
		if test == "" || isPart {
			return
		}
		r.all = append(r.all, timed{e.Package, test, e.Elapsed})
		if e.Action == "fail" {
			r.print(r.said[e.Package][test])
		}
		delete(r.said[e.Package], test)
	}
}

// hear keeps what a test says until it is known whether it fails, and prints what a package says.
func (r *report) hear(pkg, test, line string) {
	what, _, _ := strings.Cut(strings.TrimLeft(line, " "), ":")
	switch {
	case test != "" && (strings.HasPrefix(line, "=== ") || what == "--- PASS" || what == "--- SKIP"), line == "PASS\n":
	case test != "":
		if r.said[pkg] == nil {
			r.said[pkg] = map[string]string{}
		}
		r.said[pkg][test] += line
	case strings.HasPrefix(line, "FAIL"):
		for _, said := range r.said[pkg] { // of tests that never ended
			r.print(said)
		}
		delete(r.said, pkg)
		r.close(line)
	default:
		r.close(line)
	}
}

// close prints a line of a package behind those of the package before it.
func (r *report) close(line string) {
	r.print(r.last)
	r.last = line
}

// list prints the slowest tests.
func (r *report) list() {
	slices.SortStableFunc(r.all, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	if len(r.all) == 0 {
		return
	}
	r.print("The slowest tests:\n")
	for _, t := range r.all[:min(most, len(r.all))] {
		fmt.Fprintf(r.out, "%7.1f s  %s  %s\n", t.seconds, t.name, t.pkg)
	}
}
