package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// What a page costs the browser and the server.

// traced is an event of a trace: its times are microseconds.
type traced struct {
	Name    string
	TS, Dur float64
	Args    struct {
		ElementCount float64 // of computed styles: how many elements had theirs computed
		BeginData    struct{ Frame string }
		Data         struct{ Frame string }
	}
}

// of says whether the event is one of a frame: a trace has those of all tabs, in which other tests go on.
func (e traced) of(frame string) bool {
	return e.Args.BeginData.Frame == frame || e.Args.Data.Frame == frame
}

// tracings come one after the other: a browser has one at a time.
var tracings sync.Mutex

// layouts counts those that scripts forced, and all, and the elements whose styles were computed.
func layouts(t *testing.T, ctx context.Context, act func()) (forced, all, styled float64) {
	t.Helper()
	tracings.Lock()
	defer tracings.Unlock()
	var mu sync.Mutex
	var events []traced
	frame := string(chromedp.FromContext(ctx).Target.TargetID) // a tab's first frame has its name
	done := make(chan bool, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	must(t, chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, value := range e.Value {
				var one traced
				if json.Unmarshal([]byte(value), &one) == nil && one.of(frame) {
					events = append(events, one)
				}
			}
		case *tracing.EventTracingComplete:
			done <- true
		}
	}))
	_, err := chromedp.Call(ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"devtools.timeline"}}})
	must(t, err)
	act()
	_, err = chromedp.Call(ctx, tracing.End, cdp.Empty{})
	must(t, err)
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the trace does not end")
	}
	mu.Lock()
	defer mu.Unlock()
	return countLayouts(events)
}

// countLayouts counts layouts, of which those within a script's turn were forced by it, and computed styles.
func countLayouts(events []traced) (forced, all, styled float64) {
	within := func(e, script traced) bool {
		return script.Name == "FunctionCall" && e.TS >= script.TS && e.TS <= script.TS+script.Dur
	}
	for _, e := range events {
		if e.Name == "UpdateLayoutTree" {
			styled += e.Args.ElementCount
		}
		if e.Name != "Layout" {
			continue
		}
		all++
		if slices.ContainsFunc(events, func(script traced) bool { return within(e, script) }) {
			forced++
		}
	}
	return forced, all, styled
}

// browserCPU is the time of the processor that the renderers, and all processes, have had, in milliseconds.
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

// serverCPU is the time of the processor that the server has had, in milliseconds; 0 where it is not known.
func serverCPU(t *testing.T, s *soaked) float64 {
	t.Helper()
	ms, _ := processCPU(t, s.cmd.Process.Pid)
	return ms
}

// processCPU is the time that the threads of a process have had, in milliseconds, where there is a /proc.
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
