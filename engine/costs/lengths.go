package costs

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// Lengths plans measurements of every mechanism for texts of growing length. Each is a separate
// step, so that a server can run them one at a time between requests. Times are CPU times of one
// thread, which other threads of the process do not disturb.
type Lengths struct {
	Width, Heads int
	List         []int // positions, ascending
	Mechanisms   []string
	Sample       time.Duration // a point is measured repeatedly for this long
	Memory       int64         // most bytes for the parameters of a mixer
}

// Usual returns the lengths on the cost page, with the width and the heads of the bundled models.
func Usual() Lengths {
	return Lengths{
		Width: 128, Heads: 4, List: []int{16, 32, 64, 128, 256, 512, 1024, 2048, 4096}, Mechanisms: attention.IDs(),
		Sample: 20 * time.Millisecond, Memory: 1 << 30,
	}
}

// Point is the measurement of one mixer at one length.
type Point struct {
	Mechanism  string  `json:"mechanism" doc:"ID of the mechanism"`
	Length     int     `json:"length" doc:"Number of positions"`
	Seconds    float64 `json:"seconds" doc:"Shortest time of a forward pass through one layer’s token mixer, in seconds of the report’s clock"`
	Passes     int     `json:"passes" doc:"Number of timed passes"`
	Bytes      int     `json:"bytes" doc:"Peak memory of all values in bytes, including the input and the output"`
	Parameters int     `json:"parameters" doc:"Memory of the mixer’s parameters for this number of positions in bytes, trained or not"`
}

// MeasuringPoint is a planned measurement of one mixer at one length.
type MeasuringPoint struct {
	Mechanism string
	Length    int
	of        Lengths
	entry     *attention.Entry
}

// Steps returns all points, the short ones of every mechanism first. left holds the points whose
// parameters would take too much memory.
func (l Lengths) Steps() (steps, left []MeasuringPoint) {
	for _, n := range l.List {
		for _, id := range l.Mechanisms {
			entry, ok := attention.Find(id)
			if !ok {
				continue
			}
			s := MeasuringPoint{Mechanism: id, Length: n, of: l, entry: entry}
			if s.Memory() > l.Memory {
				left = append(left, s)
				continue
			}
			steps = append(steps, s)
		}
	}
	return steps, left
}

func (s MeasuringPoint) config() attention.Config {
	return attention.Config{Width: s.of.Width, Heads: s.of.Heads, Length: s.Length}
}

// Memory returns the bytes of the parameters, including untrained ones.
func (s MeasuringPoint) Memory() int64 {
	return int64(s.entry.Stored(s.config())) * int64(unsafe.Sizeof(tensor.Elem(0)))
}

// Most estimates the peak memory of a measurement in bytes: parameters, their copies prepared for
// fast products, and values.
func (s MeasuringPoint) Most() int64 {
	const arrays = 32 // arrays of N·d numbers in memory at once
	return s.Memory() + s.Memory()/8 + arrays*int64(s.Length)*int64(s.of.Width)*int64(unsafe.Sizeof(tensor.Elem(0)))
}

// Operations estimates the operations of the whole measurement.
func (s MeasuringPoint) Operations() float64 {
	const passes = 4
	return passes*float64(s.entry.FLOPs(s.config(), s.Length)) + float64(s.Memory())
}

// Least returns the minimum duration for which a point is measured.
func (s MeasuringPoint) Least() time.Duration { return s.of.Sample }

// Limits on the number of timed passes. Passes of at least slow run slowTimes, and no pass runs
// more than mostTimes.
const (
	slow       = 300 * time.Millisecond
	leastTimes = 3
	slowTimes  = 2
	mostTimes  = 1000
)

// Measure measures the point. It returns the context's error if ctx ends, after the current pass.
func (s MeasuringPoint) Measure(ctx context.Context) (Point, error) {
	scope := nn.NewScope(1)
	m, err := s.entry.New(scope, s.config())
	if err != nil {
		return Point{}, err
	}
	nn.Seal(scope.Params())
	p := Point{Mechanism: s.Mechanism, Length: s.Length, Parameters: int(s.Memory())}
	x, pass := Noise(1, s.Length, s.of.Width), nn.NewPass(ad.NewFrozen())
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all time.Duration
	for round := 0; ; round++ { // the first pass allocates memory and does not count
		if err := ctx.Err(); err != nil {
			return Point{}, err
		}
		pass.Reset()
		began := threadTime()
		m.Mix(pass, pass.Tape.Const(x))
		took := max(threadTime()-began, time.Nanosecond)
		if round == 0 && took < slow {
			continue
		}
		all += took
		if p.Passes++; p.Seconds == 0 || took.Seconds() < p.Seconds {
			p.Seconds = took.Seconds()
		}
		if p.Passes >= leastTimes && all >= s.of.Sample || took >= slow && p.Passes >= slowTimes || p.Passes >= mostTimes {
			break
		}
	}
	p.Bytes = pass.Tape.Held() + len(x.Data)*int(unsafe.Sizeof(tensor.Elem(0)))
	return p, nil
}

// SortPoints sorts points in the order of the catalogue, and by length within a mechanism.
func SortPoints(points []Point) {
	ids := attention.IDs()
	slices.SortStableFunc(points, func(a, b Point) int {
		if a.Mechanism != b.Mechanism {
			return slices.Index(ids, a.Mechanism) - slices.Index(ids, b.Mechanism)
		}
		return a.Length - b.Length
	})
}

// Noise returns an array of samples from N(0, 1), the same for every call.
func Noise(shape ...int) *tensor.T {
	r := rand.New(rand.NewPCG(1, 1))
	t := tensor.New(shape...)
	for i := range t.Data {
		t.Data[i] = tensor.Elem(r.NormFloat64())
	}
	return t
}
