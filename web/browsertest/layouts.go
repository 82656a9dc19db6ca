package browsertest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// traced is an event of a trace. Its times are in microseconds.
type traced struct {
	Name    string
	TS, Dur float64
	Args    struct {
		ElementCount float64 // number of elements whose styles were computed
		BeginData    struct{ Frame string }
		Data         struct{ Frame string }
	}
}

// of reports whether the event belongs to a frame. A trace has the events of all tabs, in which other tests run.
func (e traced) of(frame string) bool {
	return e.Args.BeginData.Frame == frame || e.Args.Data.Frame == frame
}

// tracings allows one trace at a time, because a browser supports only one.
var tracings sync.Mutex

// Layouts counts the layouts that scripts forced, all layouts, and the elements whose styles were computed.
func Layouts(tab *Tab, act func()) (forced, all, styled float64) {
	tab.t.Helper()
	tracings.Lock()
	defer tracings.Unlock()
	var mu sync.Mutex
	var events []traced
	frame := string(chromedp.FromContext(tab).Target.TargetID) // the first frame of a tab has the tab's id
	done := make(chan bool, 1)
	ctx, cancel := context.WithCancel(tab)
	defer cancel()
	Must(tab.t, chromedp.Listen(ctx, func(event any) {
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
	Must(tab.t, err)
	act()
	_, err = chromedp.Call(ctx, tracing.End, cdp.Empty{})
	Must(tab.t, err)
	select {
	case <-done:
	case <-time.After(patience):
		tab.t.Fatal("the trace does not end")
	}
	mu.Lock()
	defer mu.Unlock()
	return countLayouts(events)
}

// countLayouts counts layouts and computed styles. A layout during a script's turn was forced by it.
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
