package bench

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"unsafe"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// forward makes tasks that run a mixer alone. They share one pass and its memory, because they run
// one after another.
type forward struct {
	sizes Sizes
	pass  *nn.Pass
}

func newForward(s Sizes) *forward { return &forward{s, nn.NewPass(ad.NewFrozen())} }

// passes returns the tasks of one mechanism and their growth.
func (f *forward) passes(e *attention.Entry) ([]*task, growth, error) {
	g := growth{mechanism: e.ID, claimed: e.Growth}
	var list []*task
	lengths := slices.Concat(f.sizes.Forward, f.sizes.Long)
	slices.Sort(lengths)
	for _, n := range slices.Compact(lengths) {
		if need := float64(e.Stored(f.config(n))) * float64(unsafe.Sizeof(tensor.Elem(0))); need > mostParameters {
			g.note = messages.English.T("bench.notes.large", "mechanism", e.ID, "length", strconv.Itoa(n), "memory",
				fmt.Sprintf("%.1f", need/(1<<30)))
			break
		}
		mixer := f.mixer(e, n)
		name := fmt.Sprintf("forward/%s/%d", e.ID, n)
		plain := f.task(name, n, mixer, unwatched)
		list = append(list, plain)
		if slices.Contains(f.sizes.Forward, n) {
			list = append(list, f.task(name+"/watched", n, mixer, watched))
		}
		if slices.Contains(f.sizes.Long, n) {
			g.lengths, g.points = append(g.lengths, n), append(g.points, plain)
		}
	}
	if len(g.lengths) < 2 {
		return nil, g, fmt.Errorf("bench: %s: %d lengths are too few to fit a growth to", e.ID, len(g.lengths))
	}
	return list, g, nil
}

// mostParameters is the most bytes for the parameters of one mixer.
const mostParameters = 1.5 * (1 << 30)

// mixer makes a mixer on first use, and seals its parameters as in a loaded model.
func (f *forward) mixer(e *attention.Entry, length int) func() (attention.Mixer, error) {
	return sync.OnceValues(func() (attention.Mixer, error) {
		s := nn.NewScope(1)
		m, err := e.New(s, f.config(length))
		nn.Seal(s.Params())
		return m, err
	})
}

// unwatched and watched return the trace with which a pass begins.
func unwatched() *trace.Run { return nil }
func watched() *trace.Run   { return &trace.Run{} }

func (f *forward) task(name string, n int, mixer func() (attention.Mixer, error), run func() *trace.Run) *task {
	return &task{name: name, unit: Milliseconds, threads: 1, open: func() (operation, error) {
		m, err := mixer()
		if err != nil {
			return nil, err
		}
		x := costs.Noise(1, n, f.sizes.Width)
		return func() error {
			f.pass.Reset()
			f.pass.Run = run()
			m.Mix(f.pass, f.pass.Tape.Const(x))
			return nil
		}, nil
	}}
}

// config returns the configuration of a mixer for length positions.
func (f *forward) config(length int) attention.Config {
	return attention.Config{Width: f.sizes.Width, Heads: f.sizes.Heads, Length: length}
}
