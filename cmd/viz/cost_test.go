package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// browserCPU returns the CPU time of the renderers, and of all processes of the browser, in milliseconds.
func browserCPU(t *testing.T, ctx context.Context) (renderers, all float64) {
	t.Helper()
	got, err := chromedp.CallBrowser(ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	must(t, err)
	for _, p := range got.ProcessInfo {
		ms, ok := processCPU(t, int(p.ID))
		if !ok {
			ms = 1000 * p.CPUTime // in coarse steps
		}
		all += ms
		if p.Type == "renderer" {
			renderers += ms
		}
	}
	return renderers, all
}

// serverCPU returns the CPU time of the server in milliseconds, or 0 if it is unknown.
func serverCPU(t *testing.T, s *soaked) float64 {
	t.Helper()
	ms, _ := processCPU(t, s.cmd.Process.Pid)
	return ms
}

// processCPU returns the CPU time of a process's threads in milliseconds. ok is false without /proc.
func processCPU(t *testing.T, pid int) (sum float64, ok bool) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	must(t, err)
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		ns, _, _ := strings.Cut(string(body), " ")
		n, err := strconv.ParseFloat(ns, 64)
		must(t, err)
		sum += n / 1e6
	}
	return sum, len(files) > 0
}
