package bench

import (
	"context"
	"regexp"
	"runtime"
	"slices"
	"time"

	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// plan is the list of everything to measure.
type plan struct {
	tasks   []*task
	growths []growth
	notes   []string
}

// Run measures the figures selected by the options. It returns the context's error if ctx ends.
func Run(ctx context.Context, o Options) (*Document, error) {
	p, err := newPlan(o)
	if err != nil {
		return nil, err
	}
	if err := p.measure(ctx, o); err != nil {
		return nil, err
	}
	d := &Document{
		Format: format, Version: o.Version, Commit: o.Commit, Date: time.Now().UTC().Format(time.RFC3339),
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: costs.Processor(),
		Instructions: tensor.Instructions(),
		Processors:   runtime.GOMAXPROCS(0), Rounds: o.Rounds, Notes: p.notes, Figures: p.figures(),
	}
	return d, nil
}

func newPlan(o Options) (*plan, error) {
	p := &plan{notes: []string{messages.English.T("bench.notes.untrained")}}
	p.tasks = append(p.tasks, products(o.Sizes)...)
	f := newForward(o.Sizes)
	for i := range attention.Catalog {
		passes, g, err := f.passes(&attention.Catalog[i])
		if err != nil {
			return nil, err
		}
		p.tasks, p.growths = append(p.tasks, passes...), append(p.growths, g)
	}
	p.tasks = append(p.tasks, trainings(o.Sizes)...)
	p.tasks = append(p.tasks, walls(o.Sizes)...)
	p.tasks = append(p.tasks, pictures(o.Sizes)...)
	if o.Only != nil {
		p.keep(o.Only)
	}
	for _, g := range p.growths {
		if g.note != "" {
			p.notes = append(p.notes, g.note)
		}
	}
	return p, nil
}

// keep drops tasks that are neither requested nor needed by a requested task: a growth needs its
// lengths, a product the peak.
func (p *plan) keep(only *regexp.Regexp) {
	wanted := map[*task]bool{}
	share := false
	for _, t := range p.tasks {
		wanted[t] = only.MatchString(t.name)
		share = share || wanted[t] && t.product
	}
	p.growths = slices.DeleteFunc(p.growths, func(g growth) bool { return !only.MatchString(g.name()) })
	for _, g := range p.growths {
		for _, t := range g.points {
			wanted[t] = true
		}
	}
	p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool { return !wanted[t] && (!share || t.name != peakName) })
}

// measure prepares every task and samples the tasks in turn.
func (p *plan) measure(ctx context.Context, o Options) error {
	done := 0
	next := func(t *task) error {
		if o.Progress != nil {
			o.Progress(SampleProgress{Done: done, Total: len(p.tasks) * (1 + o.Rounds), Name: t.name})
		}
		done++
		return ctx.Err()
	}
	for _, t := range p.tasks {
		if err := next(t); err != nil {
			return err
		}
		if err := t.prepare(o); err != nil {
			return err
		}
	}
	for round := range o.Rounds {
		runtime.GC()
		for _, t := range p.tasks {
			if err := next(t); err != nil {
				return err
			}
			if round >= t.rounds {
				continue
			}
			if err := t.measure(); err != nil {
				return err
			}
		}
	}
	return nil
}

// figures summarises the tasks. Each growth follows its longest pass.
func (p *plan) figures() []Quantity {
	var list []Quantity
	var peak *task
	for _, t := range p.tasks {
		f := t.figure()
		if t.name == peakName {
			peak = t
		}
		if t.product && peak != nil {
			f.Share = share(t, peak)
		}
		list = append(list, f)
		for _, g := range p.growths {
			if g.points[len(g.points)-1] == t {
				list = append(list, g.figure())
			}
		}
	}
	return list
}

// share returns the median over the rounds of one figure divided by another.
func share(t, of *task) float64 {
	a, b := t.each(t.clock()), of.each(of.clock())
	list := make([]float64, min(len(a), len(b)))
	for i := range list {
		list[i] = a[i] / b[i]
	}
	return median(list)
}
