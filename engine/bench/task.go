package bench

import (
	"fmt"
	"math"
	"runtime"
	"time"
)

// operation is a function to time.
type operation func() error

// task is a figure to measure.
type task struct {
	name    string
	unit    Unit
	work    float64 // work of one operation: FLOPs or tokens
	threads int
	product bool // its share of the peak is also computed
	open    func() (operation, error)

	run     operation
	ops     int // operations in each sample
	rounds  int // number of rounds in which it is sampled
	samples []sample
}

// sample is the cost of one operation.
type sample struct{ cpu, wall, bytes, allocations float64 }

func (s sample) seconds(c Clock) float64 {
	if c == CPU {
		return s.cpu
	}
	return s.wall
}

// Operations slower than slow are sampled in at most slowRounds rounds.
const (
	slow       = 500 * time.Millisecond
	slowRounds = 3
)

func (t *task) clock() Clock {
	if t.threads > 1 {
		return Wall
	}
	return oneThread
}

// prepare makes the operation, runs it until its memory has grown, and finds how often it must run
// to fill a sample.
func (t *task) prepare(o Options) (err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(t.threads))
	if t.run, err = t.open(); err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	const warmups = 3
	t.ops, t.rounds = 1, o.Rounds
	for i := 1; ; i++ {
		s, err := t.take()
		if err != nil {
			return err
		}
		took := s.seconds(t.clock())
		if took > slow.Seconds() {
			t.ops, t.rounds = 1, min(slowRounds, o.Rounds)
			return nil
		}
		if whole := took * float64(t.ops); i >= warmups && whole >= o.Sample.Seconds()/2 {
			t.ops = max(1, int(math.Ceil(o.Sample.Seconds()/took)))
			return nil
		}
		if i >= warmups {
			t.ops *= 2
		}
	}
}

// measure adds a sample. A quick operation runs once before the clock starts, so that other tasks
// in between do not affect its caches.
func (t *task) measure() error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(t.threads))
	if t.ops > 1 {
		if err := t.run(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	s, err := t.take()
	t.samples = append(t.samples, s)
	return err
}

// take times the operations of one sample.
func (t *task) take() (sample, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, used := time.Now(), CPUTime()
	for range t.ops {
		if err := t.run(); err != nil {
			return sample{}, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	used, wall := CPUTime()-used, time.Since(began)
	runtime.ReadMemStats(&after)
	n := float64(t.ops)
	return sample{
		cpu: max(used, time.Nanosecond).Seconds() / n, wall: max(wall, time.Nanosecond).Seconds() / n,
		bytes:       float64(after.TotalAlloc-before.TotalAlloc) / n,
		allocations: float64(after.Mallocs-before.Mallocs) / n,
	}, nil
}

// each returns the figure of every round, by a clock.
func (t *task) each(c Clock) []float64 {
	list := make([]float64, len(t.samples))
	for i, s := range t.samples {
		list[i] = t.unit.of(t.work, s.seconds(c))
	}
	return list
}

// figure summarises the samples.
func (t *task) figure() Quantity {
	f := Quantity{Name: t.name, Unit: t.unit, Clock: t.clock(), Threads: t.threads, Operations: t.ops}
	f.describe(t.each(f.Clock))
	f.Wall = median(t.each(Wall))
	column := func(of func(sample) float64) float64 {
		list := make([]float64, len(t.samples))
		for i, s := range t.samples {
			list[i] = of(s)
		}
		return median(list)
	}
	f.Bytes = column(func(s sample) float64 { return s.bytes })
	f.Allocations = column(func(s sample) float64 { return s.allocations })
	return f
}
