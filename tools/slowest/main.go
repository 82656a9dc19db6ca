// Command slowest runs go test in a folder and prints its output. Before the last line, it lists the tests that took
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
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// most is the number of listed tests.
const most = 10

// leastPackages is the least number of packages that are compiled or tested at the same time. Browser tests wait more
// than they compute.
const leastPackages = 4

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
	cmd := exec.Command("go", append([]string{"test", "-json", "-p",
		strconv.Itoa(max(leastPackages, runtime.NumCPU()))}, args...)...)
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

// event is an event of go test -json: see go doc test2json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// timed is a test with its duration, without waits for other tests.
type timed struct {
	pkg, name string
	seconds   float64
}

// report collects events and prints them.
type report struct {
	out  io.Writer
	said map[string]map[string]string // output of tests that have not passed yet, by package and test
	last string                       // last line of the last package, which is held back
	all  []timed
}

// tell prints the output of go test without -v, and the slowest tests before its last line.
func tell(events io.Reader, out io.Writer) error {
	r := report{out: out, said: map[string]map[string]string{}}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			r.add(e)
		} else {
			r.print(string(line)) // not part of a test
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

// hear keeps the output of a test until its result is known, and prints the output of a package.
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
		for _, said := range r.said[pkg] { // tests that never ended
			r.print(said)
		}
		delete(r.said, pkg)
		r.close(line)
	default:
		r.close(line)
	}
}

// close prints the held-back line, and holds back this one.
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
