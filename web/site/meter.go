package site

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
)

// meter counts the requests of the server.
type meter struct {
	running atomic.Int64 // requests
	sent    atomic.Int64 // bytes of answers

	mu    sync.Mutex
	kinds map[kind]*times
}

// kind is a class of requests: their registered route and the status of the answer.
type kind struct {
	route  string
	status int
}

// times is the distribution of the durations of one kind of request.
type times struct {
	count   int64
	seconds float64
	within  [len(bounds)]int64 // the number of requests that took at most this long
}

// bounds are the bounds of the histogram, in seconds.
var bounds = [...]float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

// observe counts a request.
func (m *meter) observe(r *http.Request, status int, took time.Duration) {
	k := kind{routeOf(r), status}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kinds == nil {
		m.kinds = map[kind]*times{}
	}
	t := m.kinds[k]
	if t == nil {
		t = &times{}
		m.kinds[k] = t
	}
	t.count++
	t.seconds += took.Seconds()
	for i, bound := range bounds {
		if took.Seconds() <= bound {
			t.within[i]++
		}
	}
}

// routeOf returns the registered route of a request. It contains nothing that a visitor wrote.
func routeOf(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil {
		if route := c.RoutePattern(); route != "" {
			return route
		}
	}
	return "none"
}

// Metrics writes the counters and the memory of the server in the text format of Prometheus.
func (s *Server) Metrics(w io.Writer) {
	s.meter.write(w)
	jobs, wait := s.Long.Waiting()
	for _, one := range []struct {
		name, kind string
		value      any
	}{
		{"viz_requests_running", "gauge", s.meter.running.Load()},
		{"viz_answer_bytes_total", "counter", s.meter.sent.Load()},
		{"viz_budget_used_bytes", "gauge", s.budget.Used()},
		{"viz_budget_bytes", "gauge", s.budget.Total()},
		{"viz_queue_waiting", "gauge", jobs},
		{"viz_queue_wait_seconds", "gauge", wait.Seconds()},
		{"viz_goroutines", "gauge", runtimeValue("/sched/goroutines:goroutines")},
		{"viz_heap_bytes", "gauge", runtimeValue("/memory/classes/heap/objects:bytes")},
		{"viz_memory_bytes", "gauge", runtimeValue("/memory/classes/total:bytes") - runtimeValue("/memory/classes/heap/released:bytes")},
		{"viz_gc_total", "counter", runtimeValue("/gc/cycles/total:gc-cycles")},
	} {
		fmt.Fprintf(w, "# TYPE %s %s\n%s %v\n", one.name, one.kind, one.name, one.value)
	}
}

func runtimeValue(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// write writes the histogram of the requests.
func (m *meter) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := make([]kind, 0, len(m.kinds))
	for k := range m.kinds {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b kind) int { return cmp.Or(cmp.Compare(a.route, b.route), a.status-b.status) })
	const name = "viz_request_seconds"
	fmt.Fprintf(w, "# TYPE %s histogram\n", name)
	for _, k := range keys {
		t, labels := m.kinds[k], fmt.Sprintf("route=%q,status=\"%d\"", k.route, k.status)
		for i, bound := range bounds {
			fmt.Fprintf(w, "%s_bucket{%s,le=\"%v\"} %d\n", name, labels, bound, t.within[i])
		}
		fmt.Fprintf(w, "%s_bucket{%s,le=\"+Inf\"} %d\n%s_sum{%s} %v\n%s_count{%s} %d\n", name, labels, t.count, name, labels,
			t.seconds, name, labels, t.count)
	}
}
